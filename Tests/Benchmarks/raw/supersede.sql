-- The least a supersede can do: lock the key and count up, remove its older job, add the newer.
\set k random(1, :keys)
BEGIN;
INSERT INTO tenure.raw_subject AS s (kind, key, issued, floor)
VALUES ('bench-noop', 'key-' || :k, 1, 1)
ON CONFLICT (kind, key) DO UPDATE SET issued = s.issued + 1, floor = s.issued + 1
RETURNING issued AS generation \gset
DELETE FROM tenure.raw_job WHERE kind = 'bench-noop' AND key = 'key-' || :k;
INSERT INTO tenure.raw_job (id, run_at, state, kind, queue, key, generation, payload)
VALUES ((lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
         || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
        clock_timestamp(), 'available', 'bench-noop', 'bench', 'key-' || :k, :generation,
        '{"url": "https://example.org/some/path", "depth": 1}');
COMMIT;
