extension Mutant {
    /// Sessions, claims and limits.
    static let claims = [
        Mutant(
            "a claim does not lock its session", ("claim", " FOR KEY SHARE", ""),
            meet: "claim 2 for 4", "declare 4 dead", finding: "a dead session claims nothing"),
        Mutant(
            "a short claim does not lock its session",
            ("claim_few", " FOR KEY SHARE SKIP LOCKED) AS s", " OFFSET 0) AS s"),
            meet: "claim few for 4", "declare 4 dead", finding: "a dead session claims nothing"),
        Mutant(
            "a death is declared without looking at the beat again",
            ("declare_dead", "s.beat = watched_beat AND ", ""),
            meet: "beat 4", "declare 4 dead", finding: "only a silent session is declared dead"),
        Mutant(
            "a lane is not locked",
            ("claim_lanes", "FOR NO KEY UPDATE SKIP LOCKED) AS k", ") AS k"),
            meet: "claim for 1", "claim all for 4", finding: "lane_holders_pkey"),
        Mutant(
            "a lane is not locked, and its holders have no number",
            ("claim_lanes", "FOR NO KEY UPDATE SKIP LOCKED) AS k", ") AS k"),
            ("claim_lanes", "w.n + 1", "nextval('tenure.generation')"),
            meet: "claim for 1", "claim all for 4", finding: "a lane keeps its limit"),
        Mutant(
            "a lane is locked, and its holders are those of before the lock",
            (
                "claim_lanes", "FOR NO KEY UPDATE SKIP LOCKED) AS k",
                "FOR NO KEY UPDATE OF l SKIP LOCKED) AS k"
            ),
            ("claim_lanes", "w.n + 1", "nextval('tenure.generation')"),
            meet: "claim for 1", "claim all for 4", finding: "a lane keeps its limit"),
        Mutant(
            "lanes follow the clock while others write their rows",
            ("follow_lanes", "FOR NO KEY UPDATE SKIP LOCKED", ""),
            meet: "follow clock", "claim for 1", finding: "lane_holders_pkey"),
        Mutant(
            "an enqueue doesn't share its lane",
            ("make_lanes", "FOR KEY SHARE", ""),
            meet: "enqueue into empty", "claim for 1",
            finding: "no lane sleeps through its jobs"),
        Mutant(
            "a lane is sent to rest beside others",
            ("rest_lanes", "FOR UPDATE SKIP LOCKED", "FOR NO KEY UPDATE SKIP LOCKED"),
            meet: "enqueue into empty", "claim for 1",
            finding: "no lane sleeps through its jobs"),
        Mutant(
            "an enqueue doesn't call a lane that sleeps",
            ("make_lanes", "WHERE s.turn_at > greatest(", "WHERE false AND s.turn_at > greatest("),
            meet: "enqueue into asleep", "claim limited",
            finding: "no lane sleeps through its jobs"),
        Mutant(
            "a run that is put back doesn't call its lane",
            ("apply_decisions", "PERFORM tenure.call_lanes", "PERFORM cardinality"),
            meet: "hand back 29 (lane asleep)", "claim limited",
            finding: "no lane sleeps through its jobs"),
        Mutant(
            "a lane is dropped beside an enqueue",
            ("drop_idle_lanes", "FOR UPDATE SKIP LOCKED", "FOR NO KEY UPDATE SKIP LOCKED"),
            meet: "enqueue into forgotten", "drop idle lanes", finding: "every job has its lane"),
        Mutant(
            "a queue's limit is not locked",
            ("claim", "q.name = wanted_queue FOR NO KEY UPDATE", "q.name = wanted_queue"),
            meet: "claim limited", "claim limited", finding: "queue_holders_pkey"),
        Mutant(
            "in strict order only who runs counts",
            ("claim_lanes", "AND (j.state = 'running' OR l.is_strict)", "AND j.state = 'running'"),
            meet: "claim in order for 4, 39 having failed", "claim in order for 1",
            finding: "in strict order nobody begins beside one who has begun"),
        Mutant(
            "in strict order a lane has all of its places",
            ("claim_lanes", "CASE WHEN l.is_strict THEN 1 ELSE l.max_running END", "l.max_running"),
            meet: "claim in order for 1", "claim in order for 4, 39 having failed",
            finding: "in strict order nobody begins beside one who has begun"),
        Mutant(
            "in strict order the next that is free is taken",
            (
                "claim_lanes", "l.weight, l.is_strict, held.begun,",
                "l.weight, false AS is_strict, held.begun,"
            ),
            ("claim_lanes", " AND l.is_strict = h.is_strict", ""),
            meet: "edit 36 (in order)", "claim in order for 4, 39 having failed",
            finding: "in strict order nobody"),
        Mutant(
            "a queue's starts are not paid for",
            ("claim", "count(*)::integer, clock_timestamp())", "0, clock_timestamp())"),
            meet: "claim paced", "claim paced", finding: "a queue keeps its rate"),
        Mutant(
            "a queue's rate is given anew",
            ("rate_queue", "INSERT INTO tenure.queue_holders SELECT (last).*", "NULL"),
            meet: "rate paced, which runs one", "claim paced", finding: "a queue keeps its rate"),
        Mutant(
            "limit_queue does not count what runs",
            ("limit_queue", "array_agg(r.id)", "array_agg(r.id) FILTER (WHERE false)"),
            ("limit_queue", "array_agg(r.fence)", "array_agg(r.fence) FILTER (WHERE false)"),
            meet: "limit q", "claim for 1", finding: "a queue keeps its limit"),
    ]

    /// What a death costs.
    static let deaths = [
        Mutant(
            "a death charges what was only claimed",
            ("reclaim_runs", "WHEN o.fence = ANY (begun) THEN", "WHEN true THEN"),
            meet: "reclaim", "beat 4",
            finding: "a death costs what had begun an attempt, and nothing else"),
        Mutant(
            "a death charges nobody",
            ("reclaim_runs", "WHEN o.fence = ANY (begun) THEN", "WHEN false THEN"),
            meet: "reclaim", "beat 4",
            finding: "a death costs what had begun an attempt, and nothing else"),
        Mutant(
            "the oldest note counts", ("has_begun", "ORDER BY b.n DESC", "ORDER BY b.n"),
            meet: "reclaim", "beat 4",
            finding: "a death costs what had begun an attempt, and nothing else"),
        Mutant(
            "a note is taken from a session that is over",
            ("note_begun", "AND s.ended_at IS NULL", ""),
            meet: "note for 3 (dead)", "beat 4",
            finding: "a death costs what had begun an attempt, and nothing else"),
        Mutant(
            "what is given back without having begun is a refund",
            ("apply_decisions", "AND NOT d.unbegun", ""),
            meet: "reclaim", "beat 4",
            finding: "a death costs what had begun an attempt, and nothing else"),
    ]

    /// Enqueue.
    static let keys = [
        Mutant(
            "supersede looks at the key's jobs before it waits for the lock",
            ("enqueue_turn", "news := tenure.issue_generations(news);", "@@"),
            (
                "enqueue_turn", "PERFORM tenure.retire_superseded(news);",
                "news := tenure.issue_generations(news);"
            ), ("enqueue_turn", "@@", "PERFORM tenure.retire_superseded(news);"),
            meet: "supersede new key", "supersede new key", finding: "one pending job"),
        Mutant(
            "a subject is made or found, and not locked",
            (
                "lock_or_make_subjects", "DO UPDATE SET made_at = l.made_at WHERE false",
                "DO NOTHING"
            ), meet: "supersede k3 alone", "supersede k3",
            finding: "no pending job is below its floor"),
        Mutant(
            "a generation is drawn before its lock",
            (
                "supersede", "PERFORM probe.gate('supersede:start');",
                "number := nextval('tenure.generation'); PERFORM probe.gate('supersede:start');"
            ),
            (
                "supersede",
                "    number := nextval('tenure.generation');\n    PERFORM probe.gate("
                    + "'supersede:read');",
                "PERFORM probe.gate('supersede:read');"
            ), meet: "supersede k3 alone", "supersede k3 alone",
            finding: "a subject only grows"),
        Mutant(
            "a subject is read before it is locked",
            (
                "supersede", "PERFORM probe.gate('supersede:start');",
                """
                SELECT s.issued, greatest(s.floor, s.committed + 1) INTO was, oldest
                FROM tenure.subject_of(new_kind, new_key) AS s;
                PERFORM probe.gate('supersede:start');
                """
            ),
            (
                "supersede",
                "PERFORM probe.gate('supersede:locked');\n    SELECT s.issued, greatest(s.floor, "
                    + "s.committed + 1) INTO was, oldest\n    FROM "
                    + "tenure.subject_of(new_kind, new_key) AS s;",
                "PERFORM probe.gate('supersede:locked');"
            ), meet: "supersede k3 alone", "supersede k3", finding: "a subject covers its jobs"),
        Mutant(
            "pending jobs are looked for above the newest generation",
            ("supersede", "greatest(s.floor, s.committed + 1)", "s.issued + 1"),
            meet: "supersede k3 alone", "beat 1", finding: "a key has one pending job"),
        Mutant(
            "lanes are made turn by turn",
            (
                "enqueue_turn", "PERFORM tenure.insert_jobs(news);",
                "PERFORM tenure.insert_jobs(news); PERFORM tenure.make_lanes(news);"
            ), meet: "bulk, lanes the other way", "bulk, lanes in order", finding: "40P01"),
        Mutant(
            "an expired job is left beside its successor",
            ("enqueue_turn", "tenure.clear_pending(news)", "false"),
            meet: "keep k13 (expired)", "beat 1", finding: "a key has one pending job"),
        Mutant(
            "coalescing does not wait for the pending job",
            ("update_pending", "j.state <> 'running' FOR UPDATE)", "j.state <> 'running')"),
            meet: "claim for 1", "coalesce k3", finding: "a job is whole"),
    ]

    static let others = [
        Mutant(
            "a claim takes payloads that its session doesn't read",
            ("can_read", "version <= 1 OR", "true OR"),
            meet: "claim 2 for 4", "cancel 4 (pending)",
            finding: "no claim takes a payload that is too new for it"),
        Mutant(
            "a leader is followed while it lives",
            (
                "lead",
                "IF EXISTS (SELECT FROM tenure.session s "
                    + "WHERE s.id = held.session AND s.ended_at IS NULL)", "IF false"
            ), meet: "lead 1", "lead 4", finding: "a leader follows a dead one"),
        Mutant(
            "the leader's row is not locked",
            ("lead", "l.name = role FOR NO KEY UPDATE", "l.name = role"),
            meet: "lead 1", "lead 4", finding: "a leader follows a dead one"),
        Mutant(
            "a due schedule is not locked", ("fire_schedules", "FOR UPDATE SKIP LOCKED", ""),
            meet: "fire schedules", "fire schedules", finding: "a schedule fires once a tick"),
        Mutant(
            "an idle subject is dropped without its lock",
            ("drop_idle_subjects", "FOR UPDATE SKIP LOCKED", ""),
            meet: "keep k10 (idle)", "drop idle",
            finding: "waits for a user's open transaction"),
    ]
}
