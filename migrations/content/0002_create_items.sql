-- What is kept of an item: its fields with who set them, its versions, what was doubted, its
-- fetches.
--
-- Why: a refetch must not destroy content. Everything that changes an item's content locks the
-- item's row first, looks at what is there, and writes beside it here; a version is never changed.
-- Locks: none that matter, the tables are new. All of these are written under their item's lock.

-- The fields as they count now, each with its provenance.
CREATE TABLE content.item_field (
    item     uuid NOT NULL,
    fetch_id uuid,                     -- that brought it; null when a person set it
    set_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    asked_at timestamptz NOT NULL,     -- when its request began; a person's: when it was set
    name     text NOT NULL COLLATE "C",
    source   text NOT NULL COLLATE "C" CHECK (source IN (
                 'person', 'jsonLD', 'openGraph', 'twitter', 'html', 'text', 'feed', 'header')),
    set_by   text CHECK ((source = 'person') = (set_by IS NOT NULL)),
    value    text NOT NULL CHECK (value <> ''),
    PRIMARY KEY (item, name)
) WITH (fillfactor = 80);

-- The history of an item's content: all of it as it was after each change. URLs are without
-- secrets here, too.
CREATE TABLE content.version (
    item       uuid NOT NULL,
    fetch_id   uuid,                   -- that brought it; null when a person made it
    made_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    number     integer NOT NULL,       -- from 1
    words      integer NOT NULL,
    hash       bytea,                  -- of the document that was seen
    body       bytea,                  -- of the body that is kept: that document's, or an older one
    final_url  text COLLATE "C",
    media_type text COLLATE "C",
    charset    text COLLATE "C",
    made_by    text,
    changed    text[] NOT NULL,        -- names of the fields, and body
    fields     jsonb NOT NULL,         -- name → value, source
    PRIMARY KEY (item, number)
);
CREATE INDEX version_body ON content.version (body) WHERE body IS NOT NULL;

-- Documents and their texts: LZ4 packs them in a fifth of the time, where the server has it.
DO $$ BEGIN
    IF (SELECT 'lz4' = ANY (s.enumvals) FROM pg_settings s
        WHERE s.name = 'default_toast_compression') THEN
        ALTER TABLE content.body ALTER COLUMN bytes SET COMPRESSION lz4;
        ALTER TABLE content.item_field ALTER COLUMN value SET COMPRESSION lz4;
        ALTER TABLE content.version ALTER COLUMN fields SET COMPRESSION lz4;
    END IF;
END $$;

-- A document that was doubted, beside the content whose place it didn't take.
CREATE TABLE content.candidate (
    item       uuid PRIMARY KEY,
    fetch_id   uuid NOT NULL,
    found_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    words      integer NOT NULL,
    hash       bytea,
    reason     text NOT NULL COLLATE "C",
    final_url  text COLLATE "C",
    media_type text COLLATE "C",
    charset    text COLLATE "C",
    refused_at timestamptz,            -- a person has looked at this one, and doesn't want it
    refused_by text,
    fields     jsonb NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX candidate_hash ON content.candidate (hash);

-- How large each table of the schema was, day by day.
CREATE TABLE content.table_size (
    noted_on date NOT NULL,
    bytes    bigint NOT NULL,          -- indexes and all
    name     name NOT NULL,
    PRIMARY KEY (name, noted_on)
) WITH (fillfactor = 80);

-- One row for each run of a fetch, whatever it came to. URLs are without secrets here.
CREATE TABLE content.fetch_run (
    id         uuid PRIMARY KEY,
    item       uuid NOT NULL,
    job        uuid NOT NULL,
    asked_at   timestamptz NOT NULL,
    ended_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    dns        interval,               -- of all its requests together, as the ones below
    connect    interval,
    tls        interval,
    first_byte interval,
    total      interval,
    wire_bytes bigint,
    bytes      bigint,
    run        integer NOT NULL,       -- of the job, from 1
    status     integer,
    is_charged boolean NOT NULL,       -- it counts as an attempt of its job
    mode       text NOT NULL COLLATE "C",
    outcome    text NOT NULL COLLATE "C",
    code       text COLLATE "C",
    class      text COLLATE "C",       -- of a failure: permanent, blocked, transient, deferred
    detail     text,
    final_url  text COLLATE "C",
    hops       jsonb NOT NULL          -- each request: url, status, address, times
);
CREATE INDEX fetch_run_item ON content.fetch_run (item, asked_at);
