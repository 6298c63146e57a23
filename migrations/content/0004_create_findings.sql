-- What checks found, as it was at their ends; and which findings don't count, as people have said.
--
-- Why: references are those of the document that was seen last, so what an earlier check found
-- can't be told from them: without its findings two checks can't be compared. And a finding that
-- somebody has accepted must not hide the next one: who said so, why and until when is kept.
-- Locks: none that matter, the tables are new.

-- A finding of a check that came to its end. A check writes them once, in the commit of its end.
CREATE TABLE content.check_finding (
    check_id    uuid NOT NULL,
    ordinal     integer NOT NULL,               -- in the order of the report
    place_count integer NOT NULL,
    finding     jsonb NOT NULL,                 -- with its first places; URLs are without secrets
    PRIMARY KEY (check_id, ordinal)
);

-- Findings that are not to count.
CREATE TABLE content.ignore_rule (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    made_at timestamptz NOT NULL DEFAULT content.now(),
    until   date,                               -- the last day, in UTC; null for good
    code    text COLLATE "C",                   -- of these findings alone
    target  text NOT NULL COLLATE "C",          -- patterns, in which * stands for any text
    page    text COLLATE "C",                   -- at places of these pages alone
    made_by text NOT NULL,
    reason  text NOT NULL
);
