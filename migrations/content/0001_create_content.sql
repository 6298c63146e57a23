-- What is known of the web: items, what they refer to, how their targets are, and checks of it all.
--
-- Why: a URL's row is named by a digest of the URL, so that whole pages of references are written
-- without asking for a single id, and a URL of 8 KiB fits an index. An item and a target of one
-- URL have the same id.
-- Locks: none that matter, the schema is new.
--
-- The lock order of everything that writes here:
--     item → body → targets, by id → what hangs on the item: references, lost fragments,
--     fields, versions …
--     → visits, by id → what is looked for in targets, by id → the visited target's own row → the
--     queue's own
-- Targets and visits that are there already are never waited for: ON CONFLICT DO NOTHING.
-- Who writes an edge holds its target FOR KEY SHARE until the commit; who deletes an item locks its
-- target FOR UPDATE before looking for edges. So an edge is either seen by the deletion, or written
-- after it, with a target of its own. A deletion doesn't wait long: what it can't lock it lets go.

-- The name of a URL, an anchor or any text: half of its SHA-256. Not IMMUTABLE, as `convert_to` is
-- not: the planner would not inline it then, and would plan it anew in every statement.
CREATE FUNCTION content.digest(value text) RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT encode(substring(sha256(convert_to(value, 'UTF8')) FOR 16), 'hex')::uuid
$$;

-- The time, for what is remembered of targets and of missing items: one clock for all workers.
-- Tests put another one in its place, and let a day go by.
CREATE FUNCTION content.now() RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT clock_timestamp()
$$;

-- A URL and the document that was last seen there, by a fetch or by a check's visit; references and
-- anchors are that document's. What is kept of it lies in 0002: a failure never touches that.
CREATE TABLE content.item (
    id               uuid PRIMARY KEY,          -- content.digest(url)
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),   -- tells it from a new one
    first_fetched_at timestamptz,
    fetched_at       timestamptz,
    attempted_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    fresh_until      timestamptz,
    asked_at         timestamptz,               -- when the request began that the content is from
    seen_at          timestamptz,               -- when its references were last seen to be these
    changed_at       timestamptz,               -- when they, or its anchors, were last others
    missing_since    timestamptz,               -- of the 404s and 410s that are going on
    moved_at         timestamptz,               -- since when the redirect counts as for good
    due_at           timestamptz,               -- when it is to be fetched again, if it is watched
    enqueued_at      timestamptz,               -- the fetch for that, until it has come to an end
    looked_at        timestamptz,               -- when its changes were last looked for
    refetch_after    interval,                  -- between two looks, by what is known of changes:
    change_span      interval,                  -- as if in this time
    change_count     double precision,          -- so many had been seen
    site             uuid,                      -- of content.site: the one that refetches it
    bytes            bigint,
    status           integer,
    version          integer NOT NULL DEFAULT 0,       -- the newest of content.version
    words            integer NOT NULL DEFAULT 0,       -- of the main text that was last accepted
    reference_count  integer NOT NULL DEFAULT 0,
    anchor_count     integer NOT NULL DEFAULT 0,
    is_complete      boolean NOT NULL DEFAULT false,   -- no limit cut references or anchors off
    outcome          text NOT NULL COLLATE "C" CHECK (outcome IN (
                         'stored', 'unchanged', 'moved', 'gone', 'skipped', 'failed')),
    code             text COLLATE "C",          -- why it was skipped or failed
    suspicion        text COLLATE "C",          -- why the content is doubted, for want of other
    url              text NOT NULL COLLATE "C", -- without fragment
    final_url        text COLLATE "C",
    redirect_to      text COLLATE "C",          -- where permanent redirects led last time
    media_type       text COLLATE "C",
    charset          text COLLATE "C",
    title            text,
    etag             text,
    last_modified    text,
    hash             bytea,                     -- SHA-256 of the decoded body
    redirects        jsonb,
    headers          jsonb                      -- the content's that say how long it is fresh
) WITH (fillfactor = 90);
-- Has anybody looked at this site lately?
CREATE INDEX item_host ON content.item (split_part(url, '/', 3), id);
-- For lists, those first that were tried last.
CREATE INDEX item_attempted ON content.item (attempted_at DESC, id);
-- What is due, and what has been asked for, of a site that is watched.
CREATE INDEX item_due ON content.item (site, due_at)
    WHERE site IS NOT NULL AND due_at IS NOT NULL;
CREATE INDEX item_enqueued ON content.item (site)
    WHERE site IS NOT NULL AND enqueued_at IS NOT NULL;

-- Bodies, each once, whoever has them.
CREATE TABLE content.body (
    hash      bytea PRIMARY KEY,
    stored_at timestamptz NOT NULL DEFAULT content.now(),  -- or: somebody last read it then
    bytes     bytea NOT NULL
);

-- What can be referred to: a URL, and how it was when somebody last looked.
CREATE TABLE content.target (
    id              uuid PRIMARY KEY,           -- content.digest(href)
    checked_at      timestamptz,
    changed_at      timestamptz,                -- since when its state and its redirect are these
    first_broken_at timestamptz,                -- of the failures that are going on
    last_ok_at      timestamptz,
    failures        integer NOT NULL DEFAULT 0, -- looks in a row that failed
    status          integer,
    state           text NOT NULL DEFAULT 'unchecked' COLLATE "C" CHECK (state IN (
                        'unchecked', 'ok', 'redirected', 'moved', 'suspect', 'broken', 'blocked',
                        'skipped')),
    code            text COLLATE "C",
    href            text NOT NULL COLLATE "C",
    next_href       text COLLATE "C"            -- where it redirects to
) WITH (fillfactor = 80);
-- Which redirects lead there?
CREATE INDEX target_next ON content.target USING hash (next_href)
    WHERE next_href IS NOT NULL;

-- Those that are broken, among all the others.
CREATE INDEX target_broken ON content.target (id) WHERE state = 'broken';

-- Every change of a target's state.
CREATE TABLE content.target_event (
    target   uuid NOT NULL,
    at       timestamptz NOT NULL DEFAULT content.now(),
    before   text NOT NULL COLLATE "C",
    after    text NOT NULL COLLATE "C",
    code     text COLLATE "C",
    fragment text                      -- whose state it is; null for the target's own
);
CREATE INDEX target_event_target ON content.target_event (target, at);
CREATE INDEX target_event_at ON content.target_event (at);

-- Fragments of targets that something refers to and that have been missing, or have gone. One that
-- was there whenever somebody looked has no row, but in foreign pages: so that those aren't asked
-- again so soon.
CREATE TABLE content.target_fragment (
    target          uuid NOT NULL,
    id              uuid NOT NULL,     -- content.digest(fragment)
    checked_at      timestamptz NOT NULL DEFAULT content.now(),
    first_broken_at timestamptz,       -- of the time that it is missing now
    last_ok_at      timestamptz,
    state           text NOT NULL COLLATE "C" CHECK (state IN ('ok', 'missing fragment')),
    fragment        text NOT NULL,
    PRIMARY KEY (target, id)
) WITH (fillfactor = 80);

-- An item's edges, in the order of the document.
CREATE TABLE content.reference (
    item         uuid NOT NULL,
    target       uuid,                 -- null when it is no URL, or not one that is ever fetched
    ordinal      integer NOT NULL,
    line         integer NOT NULL,
    "column"     integer NOT NULL,
    kind         text NOT NULL COLLATE "C",
    strength     text NOT NULL COLLATE "C",
    raw          text NOT NULL,
    fragment     text,                 -- percent-decoded
    raw_fragment text,                 -- as written, where that is another text
    problem      text COLLATE "C",     -- why there is no target
    words        text,                 -- what a reader of the link sees
    PRIMARY KEY (item, ordinal)
);
CREATE INDEX reference_target ON content.reference (target) WHERE target IS NOT NULL;

-- What an item refers to no longer, until somebody has seen to the checks that were due for that.
CREATE TABLE content.dropped_edge (
    item   uuid NOT NULL,
    target uuid NOT NULL,
    PRIMARY KEY (item, target)
);

-- Items whose references or anchors are others now, until a job of their queue has followed it up.
-- Whoever writes here enqueues such a job in the same transaction, or holds the row of somebody who
-- has just done so; the job takes no row that is held, and goes on while one is left.
CREATE TABLE content.changed_item (
    item      uuid NOT NULL,
    first_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    called_at timestamptz,             -- when its writer enqueued the job, if it did
    queue     text NOT NULL COLLATE "C",
    PRIMARY KEY (item, queue)
) WITH (fillfactor = 70);

-- The places in an item that a fragment can point at.
CREATE TABLE content.anchor (
    item uuid NOT NULL,
    id   uuid NOT NULL,                -- content.digest(name)
    line integer NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (item, id)
);

-- Who deleted an item, and what was known to depend on it then.
CREATE TABLE content.deletion (
    item       uuid NOT NULL,
    deleted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    places     bigint NOT NULL,        -- that refer to it
    verdict    text NOT NULL COLLATE "C",
    deleted_by text NOT NULL,
    url        text NOT NULL COLLATE "C"  -- without secrets
);
CREATE INDEX deletion_item ON content.deletion (item);

-- One check of a site or of a page's links.
CREATE TABLE content.site_check (
    id           uuid PRIMARY KEY,
    started_at   timestamptz NOT NULL DEFAULT content.now(),
    finished_at  timestamptz,
    cancelled_at timestamptz,
    kind         text NOT NULL COLLATE "C",     -- site or links
    start        text NOT NULL,                 -- the URL it begins at
    folder       text,                          -- what is served there, if it is a folder
    options      jsonb NOT NULL,
    site         uuid                           -- of content.site, if it is one that is watched
);
CREATE INDEX site_check_started ON content.site_check (started_at);

-- What a check visits: the primary key is the rule that it does so once.
CREATE TABLE content.check_target (
    check_id   uuid NOT NULL,      -- of site_check; a foreign key would lock that at every commit
    target     uuid NOT NULL,
    next       uuid,                            -- where it redirects to, in the same run
    checked_at timestamptz,
    depth      integer NOT NULL,
    hops       integer NOT NULL,                -- redirects on the way here
    status     integer,
    failures   integer NOT NULL DEFAULT 0,      -- looks of this run that failed
    is_page    boolean NOT NULL DEFAULT false,  -- a document of this run: it has anchors
    follows    boolean NOT NULL,                -- whether what it refers to belongs to the run
    mode       text NOT NULL COLLATE "C",       -- page or target
    state      text NOT NULL DEFAULT 'unchecked' COLLATE "C",
    code       text COLLATE "C",
    detail     text,
    given_in   text,                            -- the list that names it, and its line there
    given_line integer,
    PRIMARY KEY (check_id, target)
) WITH (fillfactor = 80);

-- What a check looks for inside of targets: fragments of foreign pages, and passages of text. The
-- primary key is the rule that it does so once.
CREATE TABLE content.check_place (
    check_id uuid NOT NULL,
    target   uuid NOT NULL,
    id       uuid NOT NULL,                     -- content.digest(name)
    next     uuid,                              -- of a redirect: where it is looked for instead
    state    text COLLATE "C" CHECK (state IN ('found', 'known', 'missing', 'unclear', 'moved')),
    name     text NOT NULL,                     -- a fragment, decoded; or :~:text=… as written
    raw      text,                              -- a fragment as written, where that is another
    PRIMARY KEY (check_id, target, id)
) WITH (fillfactor = 80);

-- Links to mail that lead nowhere, as a check's end has found them; and of which nobody could say.
CREATE TABLE content.check_mail (
    check_id uuid NOT NULL,
    id       uuid NOT NULL,                     -- content.digest of the link as it is written
    code     text NOT NULL COLLATE "C" CHECK (code IN (
                 'badMail', 'noMailServer', 'unasked')),
    detail   text NOT NULL,
    PRIMARY KEY (check_id, id)
);

-- How far a job has come that follows redirects, and goes on in another host's lane or in a later
-- turn. Workers alone write here: a payload, which anybody may write, is not believed about it.
CREATE TABLE content.trail (
    job        uuid PRIMARY KEY,
    kept_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    asks_whole boolean NOT NULL,               -- the head alone was refused
    start      text NOT NULL COLLATE "C",      -- the URL that the job is about
    next       text NOT NULL COLLATE "C",      -- what is to be asked next
    hops       jsonb NOT NULL                  -- what was asked, each with its redirect's status
);
CREATE INDEX trail_kept ON content.trail (kept_at);

-- The operator's own hosts: their robots.txt isn't asked for.
CREATE TABLE content.own_host (
    host   text COLLATE "C" PRIMARY KEY,
    set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    set_by text NOT NULL
);

-- What is to be known of a foreign host before it is asked for anything.
CREATE TABLE content.host (
    origin            text COLLATE "C" PRIMARY KEY,
    hold_until        timestamptz,              -- it asked for a pause
    robots_fetched_at timestamptz,
    robots_until      timestamptz,
    robots_status     integer,
    robots            bytea                     -- robots.txt, at most 500 KiB
);
