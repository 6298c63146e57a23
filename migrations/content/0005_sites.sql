-- Sites that are watched, what is known to be broken on them, and who hears of it.
--
-- Why: when a site is due stands in `tenure.schedule`, under the name `site:<id>`; here is what is
-- checked, and what people have been told. A finding is told once: `site_broken` has what is known,
-- and only what enters it or leaves it makes a notice.
-- Locks: none that matter, the tables are new.
--
-- The lock order: site → sitemap → channel → schedules → what 0001 says.

CREATE TABLE content.site (
    id          uuid PRIMARY KEY,            -- content.digest(url)
    added_at    timestamptz NOT NULL DEFAULT content.now(),
    begun_at    timestamptz,                 -- its last check
    skipped_at  timestamptz,                 -- the last time that it was due and wasn't checked
    known_at    timestamptz,                 -- since when news of it is told
    paused_at   timestamptz,                 -- nothing of it is fetched again
    refetched_at timestamptz,                -- the last time that its items' turn came
    discovered_at timestamptz,               -- the last time that its sitemaps were asked for
    enrolled_at timestamptz,                 -- all items that were there already are its own
    enrolled_to uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    shortest    interval,                    -- between two fetches of an item
    longest     interval,
    refetches   boolean NOT NULL DEFAULT false,
    discovers   boolean NOT NULL DEFAULT false, -- fetches what is new in feeds and sitemaps
    spread      interval NOT NULL,           -- how long after its tick a check begins
    last_check  uuid,                        -- of content.site_check
    tells_changes boolean NOT NULL,
    skipped_why text,
    refetch_why text,                        -- what kept items from being fetched again
    url         text NOT NULL COLLATE "C",
    prefix      text NOT NULL COLLATE "C",  -- what the URLs of its items begin with
    added_by    text NOT NULL,
    channels    text[] NOT NULL DEFAULT '{}',  -- who hears of it
    options     jsonb NOT NULL               -- as content.site_check has them
) WITH (fillfactor = 70);
-- Whose is an item?
CREATE INDEX site_host ON content.site (split_part(url, '/', 3)) WHERE refetches;

-- The sitemaps that a site was last found to have.
CREATE TABLE content.sitemap (
    site          uuid NOT NULL,
    id            uuid NOT NULL,             -- content.digest(url)
    looked_at     timestamptz NOT NULL DEFAULT content.now(),
    urls          bigint NOT NULL,           -- that it names, as far as it was read
    added         bigint NOT NULL,           -- of those nobody knew, so far
    url           text NOT NULL COLLATE "C",
    etag          text,
    last_modified text,
    problem       text,                      -- why it was not read, or not all of it
    PRIMARY KEY (site, id)
) WITH (fillfactor = 80);

-- What is broken on a site, as people know it.
CREATE TABLE content.site_broken (
    site     uuid NOT NULL,
    finding  uuid NOT NULL,                  -- a digest of what it is and where it leads
    target   uuid,                           -- null for a text that is no URL
    since    timestamptz NOT NULL DEFAULT content.now(),
    href     text NOT NULL COLLATE "C",
    code     text NOT NULL COLLATE "C",
    fragment text,
    PRIMARY KEY (site, finding)
);

-- Where notices go. No secret is here: `secret` says where a worker finds it.
CREATE TABLE content.channel (
    name       text COLLATE "C" PRIMARY KEY,
    added_at   timestamptz NOT NULL DEFAULT content.now(),
    paused_at  timestamptz,
    is_plain   boolean NOT NULL DEFAULT false,  -- mail travels in the open
    kind       text NOT NULL COLLATE "C" CHECK (kind IN ('webhook', 'slack', 'mail')),
    address    text NOT NULL,                -- of mail: the server's
    secret     text,                         -- env:NAME or file:NAME
    paused_why text,
    added_by   text NOT NULL,
    recipient  text,                         -- these three are mail's
    sender     text,
    login      text,                         -- who logs in there, with the secret
    CHECK ((kind = 'mail') = (recipient IS NOT NULL AND sender IS NOT NULL))
);

-- What somebody is told: one row a check that has news.
CREATE TABLE content.notice (
    id      uuid PRIMARY KEY,
    made_at timestamptz NOT NULL DEFAULT content.now(),
    site    uuid,                            -- null for a test
    check_id uuid,
    body    jsonb NOT NULL
);
CREATE INDEX notice_site ON content.notice (site, made_at) WHERE site IS NOT NULL;

-- To whom, and whether it has arrived.
CREATE TABLE content.delivery (
    notice   uuid NOT NULL,
    channel  text NOT NULL COLLATE "C",
    sent_at  timestamptz,
    failed_at timestamptz,                   -- the last time
    failures integer NOT NULL DEFAULT 0,
    error    text,
    queue    text NOT NULL COLLATE "C",      -- of the job that sends it
    PRIMARY KEY (notice, channel)
) WITH (fillfactor = 80);
-- What has not arrived, by channel.
CREATE INDEX delivery_unsent ON content.delivery (channel, notice) WHERE sent_at IS NULL;
