-- Files of any size: what has arrived of them, in pieces, and what is complete.
--
-- Why: a file that takes an hour to come must survive the connection, the worker and the machine
-- that fetch it. So its bytes are committed piece by piece, each behind the fence of the run that
-- brought it, and any later run goes on at the last one. What an item has is replaced by a
-- download that is complete, never by one that is on its way.
-- Locks: none that matter, the tables are new.
--
-- In the lock order of the domain: item → body → download → large_body → file → targets …

-- A file as it was when it last was complete, by item; its bytes are the body of that hash, or the
-- large body.
CREATE TABLE content.file (
    id            uuid PRIMARY KEY,             -- content.digest(url), like the item's
    completed_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    checked_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    fresh_until   timestamptz,
    bytes         bigint NOT NULL,
    url           text NOT NULL COLLATE "C",
    final_url     text NOT NULL COLLATE "C",
    media_type    text COLLATE "C",
    etag          text,
    last_modified text,
    hash          bytea NOT NULL                -- SHA-256 of the bytes
);
CREATE INDEX file_hash ON content.file (hash);

-- One way from a file's first byte to its last. A file that changes on the way begins a new one.
CREATE TABLE content.download (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item       uuid NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    received   bigint NOT NULL DEFAULT 0,       -- where its last piece ends
    bytes      bigint,                          -- how many there are, if the server says so
    is_open    boolean NOT NULL DEFAULT true,   -- more may come
    final_url  text NOT NULL COLLATE "C",       -- from here on: as its first response said
    media_type text COLLATE "C",
    etag       text,
    last_modified text,
    validator  text,                            -- for If-Range: without, nothing can be added
    hashing    bytea NOT NULL                   -- SHA-256's state after `received` bytes
);
CREATE UNIQUE INDEX download_open ON content.download (item) WHERE is_open;

-- The pieces. The constraints are the promise that no byte is committed twice, and none left out: a
-- piece begins at 0 or where another ends, and nothing else begins or ends there.
CREATE TABLE content.chunk (
    download bigint NOT NULL REFERENCES content.download ON DELETE CASCADE,
    start    bigint NOT NULL CHECK (start >= 0),
    stop     bigint NOT NULL CHECK (stop > start),
    previous bigint GENERATED ALWAYS AS (nullif(start, 0)) STORED,
    bytes    bytea NOT NULL,
    PRIMARY KEY (download, start),
    UNIQUE (download, stop),
    CHECK (octet_length(bytes) = stop - start),
    FOREIGN KEY (download, previous) REFERENCES content.chunk (download, stop)
);
CREATE INDEX chunk_previous ON content.chunk (download, previous);
-- Files are compressed already, or don't have to be.
ALTER TABLE content.chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Bodies that are kept in pieces, each once, whoever has them; none that `body` has, too.
CREATE TABLE content.large_body (
    hash     bytea PRIMARY KEY,
    kept_at  timestamptz NOT NULL DEFAULT clock_timestamp(),  -- somebody still needed it then
    download bigint NOT NULL UNIQUE REFERENCES content.download,
    bytes    bigint NOT NULL
);
