-- One job in a transaction of its own, with an id in the order of time as the queue's own have.
INSERT INTO tenure.raw_job (id, run_at, state, kind, queue, payload)
VALUES ((lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
         || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
        clock_timestamp(), 'available', 'bench-noop', 'bench',
        '{"url": "https://example.org/some/path", "depth": 1}');
