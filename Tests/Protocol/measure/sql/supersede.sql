-- One supersede: its key is one of :keys.
\set k random(1, :keys)
SELECT count(*) FROM tenure.enqueue('k', '{"a": 1}', 'q', 'key' || :k, 'superseding');
