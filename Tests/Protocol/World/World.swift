/// The small world that every interleaving starts from, with ids that are easy to read in a trace.
///
/// The tables of schema `world` hold its rows; `probe.reset()` copies them. A job's number is the
/// last of its id, a run's fence is 100 + the job's number.
enum World {
    static let sql =
        tables + subjects + sessions + lines + jobs + history + batches + claimRows + afters

    private static let tables = """
        CREATE SCHEMA app;
        CREATE UNLOGGED TABLE app.page (id text PRIMARY KEY, body text NOT NULL);
        -- What a commit wrote beside its outcome: there if and only if the commit said so.
        CREATE UNLOGGED TABLE app.effect (
            marker text NOT NULL, job uuid NOT NULL, kind text, key text, generation bigint);

        CREATE SCHEMA world;
        CREATE FUNCTION world.id(number integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
            SELECT ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
        CREATE UNLOGGED TABLE world.job (LIKE tenure.job INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.job_history (LIKE tenure.job_history INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.given_id (LIKE tenure.given_id INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.kept_key (LIKE tenure.kept_key INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.subject (LIKE tenure.subject INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.session (LIKE tenure.session INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.session_begun (
            LIKE tenure.session_begun INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.lane (LIKE tenure.lane INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.queue (LIKE tenure.queue INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.lane_holders (LIKE tenure.lane_holders INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.lane_hold (LIKE tenure.lane_hold INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.queue_holders (LIKE tenure.queue_holders INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.leader (LIKE tenure.leader INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.schedule (LIKE tenure.schedule INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.attempt_error (LIKE tenure.attempt_error INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.job_wait (LIKE tenure.job_wait INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.claim_row (LIKE tenure.claim_row INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.page (LIKE app.page);

        """

    /// k9 and k12 were superseded while they ran, and k12's new job is over; k8 is finished, k10
    /// idle for a week.
    private static let subjects = """
        INSERT INTO world.page SELECT 'p' || n, 'as it was' FROM generate_series(1, 4) AS n;
        INSERT INTO world.subject (kind, key, issued, floor, committed, touched_at)
        SELECT 'k', key, issued, floor, committed, clock_timestamp() - interval '7 days'
        FROM (VALUES ('k1', 11, 0, 0), ('k2', 13, 0, 0), ('k3', 14, 0, 0), ('k4', 15, 0, 0),
                     ('k5', 16, 16, 2), ('k6', 17, 0, 0), ('k7', 18, 0, 0), ('k8', 19, 0, 19),
                     ('k9', 21, 21, 0), ('k10', 8, 0, 8), ('k11', 23, 0, 0),
                     ('k12', 25, 25, 25), ('k13', 26, 0, 0), ('k14', 27, 0, 0))
             AS s (key, issued, floor, committed);

        """

    /// 1 and 2 live, 3 is dead, 4 is silent: its beat has stood at 7 for its whole lease. 1 and 3
    /// say which of their runs have begun: all of 1, and of 3 no longer 5, but 7.
    private static let sessions = """
        INSERT INTO world.session (id, beat, lease, role, name, version, ended_at, died)
        SELECT id, 7, '30 s', 'worker', 'worker ' || id, '1',
               CASE WHEN id = 3 THEN clock_timestamp() END, CASE WHEN id = 3 THEN true END
        FROM generate_series(1, 4) AS id;
        UPDATE world.session SET says_begun = true WHERE id IN (1, 3);
        UPDATE world.session SET kinds = '{k}', versions = '{1}' WHERE id = 4;
        INSERT INTO world.session_begun (session_id, queue, n, fences)
        VALUES (1, 'q', 1, '{[101,130),[2049,2052)}'), (1, 'limited', 1, '{[118,119)}'),
               (1, 'forgets', 1, '{[123,124),[4097,4098)}'), (1, 'o', 1, '{[139,140)}'),
               (3, 'q', 1, '{[105,108)}'), (3, 'q', 2, '{[107,108),[3073,3074)}');
        INSERT INTO world.leader (name, session) VALUES ('coordinator', 3);

        """

    /// Lane `full` is full, `room` has one place, `empty` stands in line without a job,
    /// `asleep` rests while its one job runs, `forgotten` has none; queue `limited` has two places,
    /// one of them taken. In queue `o` both lanes are in strict order: of `line` 36 has begun and
    /// is to be tried again, of `going` 39 runs. Queue `paced` starts a job an hour.
    private static let lines = """
        INSERT INTO world.queue (name, max_running, keep_completed)
        VALUES ('q', NULL, true), ('limited', 2, true), ('forgets', NULL, false);
        INSERT INTO world.queue_holders (queue, n, running_ids, running_fences)
        VALUES ('limited', 1, ARRAY[world.id(18)], '{118}');
        INSERT INTO world.lane (queue, name, max_running)
        VALUES ('q', 'full', 1), ('q', 'room', 1), ('q', 'empty', 1), ('q', 'asleep', 1),
               ('q', 'on hold', 1), ('q', 'forgotten', 1);
        INSERT INTO world.lane_holders (queue, lane, n, running_ids)
        VALUES ('q', 'full', 1, ARRAY[world.id(13)]), ('q', 'room', 1, '{}'),
               ('q', 'empty', 1, '{}'), ('q', 'asleep', 1, ARRAY[world.id(29)]),
               ('q', 'on hold', 1, '{}'), ('q', 'forgotten', 1, '{}');
        INSERT INTO world.lane (queue, name, max_running, is_strict)
        VALUES ('o', 'line', 5, true), ('o', 'going', 5, true);
        INSERT INTO world.lane_holders (queue, lane, n, running_ids)
        VALUES ('o', 'line', 1, ARRAY[world.id(36)]), ('o', 'going', 1, ARRAY[world.id(39)]);
        INSERT INTO world.queue (name, min_interval) VALUES ('paced', '1 h');
        UPDATE world.lane_holders SET turn_at = 'infinity' WHERE lane IN ('asleep', 'forgotten');
        INSERT INTO world.lane_hold (queue, lane, until)
        VALUES ('q', 'on hold', clock_timestamp() + interval '1 h');
        -- Who is discarded is told of; no operation changes that.
        INSERT INTO tenure.dead_letter (thing, name, letter_kind, letter_queue)
        VALUES ('kind', 'k', 'l', 'letters');
        INSERT INTO world.schedule (name, every, next_at, job)
        VALUES ('s1', '1 h', clock_timestamp(), '{"kind": "k", "queue": "q", "key": "k3"}'),
               ('s2', '1 h', clock_timestamp(), '{"kind": "k", "queue": "q", "key": "k10",
                                                  "mode": "keeping"}'),
               ('s3', '1 h', 'infinity', '{"kind": "k", "owner": "o"}'),
               ('s4', '1 h', clock_timestamp(), '{"kind": "k", "owner": "o", "key": "k10",
                                                  "mode": "keeping"}');

        """

    /// Every run is the third of its job and its second attempt: one was refunded.
    private static let jobs = """
        INSERT INTO world.job (id, kind, queue, key, generation, state, session_id, fence, lane,
                               run_at, payload, waits_for_key, attempt, runs, refunds,
                               max_attempts, ending_at, hold_versions, claimed_at)
        SELECT world.id(n), 'k', queue, key, generation, state::tenure.job_state, session,
               CASE WHEN state = 'running' THEN 100 + n END, lane,
               clock_timestamp() - make_interval(mins => 60 - n), '{}',
               state = 'waiting' AND n <> 32,
               CASE WHEN state = 'running' THEN 2 ELSE 0 END,
               CASE WHEN state = 'running' THEN 3 ELSE 0 END,
               CASE WHEN state = 'running' THEN 1 ELSE 0 END,
               CASE WHEN n = 7 THEN 2 ELSE 25 END,
               CASE WHEN n = 9 THEN clock_timestamp() END,
               CASE WHEN state = 'held' THEN '{0}'::text[] END,
               CASE WHEN state = 'running' THEN clock_timestamp() END
        FROM (VALUES (1, 'q', 'k1', 11, 'running', 1, NULL), (2, 'q', 'k2', 12, 'running', 4, NULL),
                     (3, 'q', 'k2', 13, 'waiting', NULL, NULL),
                     (4, 'q', 'k3', 14, 'available', NULL, NULL),
                     (5, 'q', 'k4', 15, 'running', 3, NULL),
                     (6, 'q', NULL, NULL, 'running', 1, NULL),
                     (7, 'q', NULL, NULL, 'running', 3, NULL),
                     (8, 'q', NULL, NULL, 'available', NULL, NULL),
                     (9, 'q', 'k5', 16, 'running', 1, NULL),
                     (10, 'q', 'k6', 17, 'retryable', NULL, NULL),
                     (11, 'q', 'k7', 18, 'held', NULL, NULL),
                     (12, 'q', NULL, NULL, 'held', NULL, NULL),
                     (13, 'q', NULL, NULL, 'running', 1, 'full'),
                     (14, 'q', NULL, NULL, 'available', NULL, 'room'),
                     (15, 'q', 'k11', 23, 'available', NULL, 'room'),
                     (16, 'q', NULL, NULL, 'available', NULL, 'full'),
                     (17, 'q', NULL, NULL, 'available', NULL, 'full'),
                     (18, 'limited', NULL, NULL, 'running', 1, NULL),
                     (19, 'limited', NULL, NULL, 'available', NULL, NULL),
                     (20, 'limited', NULL, NULL, 'available', NULL, NULL),
                     (23, 'forgets', NULL, NULL, 'running', 1, NULL),
                     (24, 'q', 'k9', 20, 'running', 1, NULL),
                     (25, 'q', 'k9', 21, 'waiting', NULL, NULL),
                     (26, 'q', 'k12', 24, 'running', 1, NULL),
                     (28, 'q', NULL, NULL, 'available', NULL, 'on hold'),
                     (29, 'q', NULL, NULL, 'running', 1, 'asleep'),
                     (30, 'q', 'k13', 26, 'available', NULL, NULL),
                     (31, 'q', NULL, NULL, 'retryable', NULL, NULL),
                     (32, 'q', NULL, NULL, 'waiting', NULL, NULL),
                     (33, 'q', 'k14', 27, 'scheduled', NULL, NULL),
                     (34, 'few', NULL, NULL, 'available', NULL, NULL),
                     (35, 'few', NULL, NULL, 'available', NULL, NULL),
                     (36, 'o', NULL, NULL, 'retryable', NULL, 'line'),
                     (37, 'o', NULL, NULL, 'available', NULL, 'line'),
                     (38, 'o', NULL, NULL, 'available', NULL, 'line'),
                     (39, 'o', NULL, NULL, 'running', 1, 'going'),
                     (45, 'o', NULL, NULL, 'available', NULL, 'going'),
                     (43, 'paced', NULL, NULL, 'available', NULL, NULL),
                     (44, 'paced', NULL, NULL, 'available', NULL, NULL))
             AS j (n, queue, key, generation, state, session, lane);
        -- 32 and 33 wait for a signal, 33 for two days at most.
        INSERT INTO world.job_wait (job_id, name, signal, until)
        VALUES (world.id(32), 's', 's', NULL),
               (world.id(33), 's', 's', clock_timestamp() + interval '2 days');
        UPDATE world.job SET run_at = clock_timestamp() + interval '2 days'
        WHERE id = world.id(33);
        UPDATE world.job SET runs = 1, attempt = 1 WHERE id = world.id(36);
        -- The payloads of 8 and 14 are newer than what session 4 reads.
        UPDATE world.job SET payload_version = 2 WHERE id IN (world.id(8), world.id(14));
        -- 30 and 31 have not begun in time; 6 has, and will not begin again.
        UPDATE world.job SET not_after = clock_timestamp() - interval '1 min'
        WHERE id IN (world.id(6), world.id(30), world.id(31));

        """

    /// 60 was given for what is in history as 21, 61 for a job that is forgotten. 21 stands for k8;
    /// what stood for k5 does so no longer.
    private static let history = """
        INSERT INTO world.kept_key (kind, key, generation, job_id, made_at, kept_until)
        SELECT 'k', k.key, k.generation, world.id(k.n), clock_timestamp() - k.age,
               clock_timestamp() - k.age + interval '1 hour'
        FROM (VALUES ('k8', 19, 21, interval '9 min'), ('k5', 2, 28, interval '8 days'))
             AS k (key, generation, n, age);
        INSERT INTO world.given_id (id, job_id, given_at)
        SELECT world.id(60), world.id(21), clock_timestamp() - interval '9 days'
        UNION ALL
        SELECT world.id(61), world.id(61), clock_timestamp() - interval '9 days';
        INSERT INTO world.job_history (
            id, kind, queue, key, generation, fence, run_at, created_at, outcome, attempt,
            max_attempts, runs, payload_version, priority, payload, result, reason)
        SELECT world.id(n), 'k', 'q', key, generation, 100 + n, clock_timestamp(),
               clock_timestamp(), outcome::tenure.job_outcome, 2, 25, 3, 1, 5, '{}',
               CASE outcome WHEN 'completed' THEN to_jsonb(n) END,
               CASE outcome WHEN 'discarded' THEN 'it broke ' || n END
        FROM (VALUES (21, 'k8', 19, 'completed'), (22, NULL, NULL, 'discarded'),
                     (27, 'k12', 25, 'completed'))
             AS h (n, key, generation, outcome);
        INSERT INTO world.attempt_error (job_id, fence, attempt, session_id, code, message)
        VALUES (world.id(22), 122, 2, 1, 'x', 'it broke');
        """
}
