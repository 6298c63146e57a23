extension Operation {
    static func cancel(_ job: Int) -> String {
        "SELECT tenure.cancel_job(\(id(job)), 'someone')"
    }

    static func retry(_ job: Int) -> String {
        """
        SELECT string_agg(r.result || ' ' || r.id, ', ')
        FROM tenure.retry_job(\(id(job)), tenure.new_id()) AS r
        """
    }

    static func forget(_ job: Int, cancels: Bool = false) -> String {
        "SELECT tenure.forget_job(\(id(job)), \(cancels))"
    }

    static func edit(_ job: Int, _ what: String) -> String {
        "SELECT tenure.edit_job(\(id(job)), 'someone', \(what))"
    }

    private static let sweepWaiting =
        "SELECT 'released ' || s.released FROM tenure.sweep_waiting(NULL, 100) AS s"
    static func operate(_ verb: String, _ jobs: Int...) -> String {
        let ids = jobs.map(id).joined(separator: ", ")
        return """
            SELECT string_agg(o.became || ' ' || o.id, ', ')
            FROM tenure.operate_jobs('\(verb)', ARRAY[\(ids)], 'someone') AS o
            """
    }

    static let operating = [
        Operation("cancel 1 (runs)", cancel(1)),
        Operation("cancel 3 (waits)", cancel(3)),
        Operation("cancel 4 (pending)", cancel(4)),
        Operation("cancel 6 (runs)", cancel(6)),
        Operation("cancel 7 (dead)", cancel(7)),
        Operation("edit 1 (runs)", edit(1, "payload => '{\"n\": 1}'")),
        Operation("edit 3 (waits)", edit(3, "payload => '{\"n\": 1}', priority => 2")),
        Operation("edit 4 (pending)", edit(4, "payload => '{\"n\": 1}', queue => 'r'")),
        Operation("edit 8 (pending)", edit(8, "payload => '{\"n\": 1}', queue => 'r'")),
        Operation("edit 11 (held)", edit(11, "payload => '{\"n\": 1}', after => '1 h'")),
        Operation("edit 14 (room)", edit(14, "queue => 'r', max_attempts => 3")),
        Operation("forget 22 (finished)", forget(22)).waitingForNobody.forgetting,
        Operation("forget 21 (finished, keyed)", forget(21)).waitingForNobody.forgetting,
        Operation("cancel and forget 4", forget(4, cancels: true)).waitingForNobody.forgetting,
        Operation("cancel and forget 6 (runs)", forget(6, cancels: true))
            .waitingForNobody.forgetting,
        Operation("cancel and forget 86 (k16, awaited)", forget(86, cancels: true))
            .waitingForNobody.forgetting,
        Operation("forget 80, discarded", forget(80))
            .prepared(by: end("discarded", 80)).waitingForNobody.forgetting,
        Operation("delete 21 (finished, keyed)", "SELECT tenure.delete_job(\(id(21)))").forgetting,
        Operation("retry 4", retry(4)),
        Operation("retry 10 (retryable)", retry(10)),
        Operation("retry 11 (held)", retry(11)),
        Operation("retry 21 (finished)", retry(21)),
        Operation("retry 22 (finished)", retry(22)),
        Operation(
            "run 22 21 again",
            """
            SELECT string_agg(r.became || ' ' || r.new_id, ', ')
            FROM tenure.repeat_jobs(ARRAY[\(id(22)), \(id(21))]) AS r
            """),
        Operation(
            "drop given ids",
            """
            SELECT string_agg(d.id::text, ', ')
            FROM tenure.drop_given_ids('1 d', NULL, NULL, 9) AS d
            """
        ),
        Operation("release held", "SELECT tenure.release_held('{k}', '2')::text")
            .waitingForNobody,
        Operation("lead 1", "SELECT tenure.lead('coordinator', 1)::text"),
        Operation("lead 4", "SELECT tenure.lead('coordinator', 4)::text"),
        Operation(
            "fire schedules",
            """
            SELECT string_agg(f.result || ' ' || f.job_id, ', ')
            FROM tenure.fire_schedules(10) AS f
            """),
        Operation(
            "forget o's schedules",
            "SELECT string_agg(f, ', ') FROM tenure.forget_schedules('o', '{s3}') AS f"),
        Operation(
            "forget all of o's schedules",
            "SELECT string_agg(f, ', ') FROM tenure.forget_schedules('o', '{}') AS f"),
        Operation(
            "follow clock",
            "SELECT tenure.follow_clock((SELECT c.steps FROM tenure.clock c), '1 h', 1)::text"
        ).prepared(
            by: """
                WITH longer AS (UPDATE tenure.lane_hold SET until = until + interval '1 h')
                UPDATE tenure.lane_holders SET past_run_at = clock_timestamp() + interval '1 h'
                """
        ).waitingForNobody,
        Operation(
            "expire",
            "SELECT string_agg('expired ' || e.id, ', ') FROM tenure.expire_jobs(10) AS e"
        ).waitingForNobody,
        Operation("drop idle", "SELECT tenure.drop_idle_subjects('1 day', 10)::text")
            .waitingForNobody,
        Operation("drop kept keys", "SELECT tenure.drop_kept_keys(10)::text").waitingForNobody,
        Operation("drop idle lanes", "SELECT tenure.drop_idle_lanes('1 day', 10)::text")
            .waitingForNobody,
        Operation("age lanes", "SELECT tenure.age_lanes('0', 5)::text")
            .prepared(by: "UPDATE tenure.job SET priority = 9 WHERE id = world.id(17)")
            .waitingForNobody,
        Operation("age queues", "SELECT tenure.age_queues(5)::text")
            .prepared(
                by: """
                    WITH late AS (
                        UPDATE tenure.job SET priority = 9 WHERE id IN (world.id(8), world.id(71)))
                    INSERT INTO tenure.queue (name, age_after) VALUES ('q', '1 s')
                    ON CONFLICT (name) DO UPDATE SET age_after = '1 s'
                    """
            ).waitingForNobody,
        Operation("recall lanes", "SELECT tenure.recall_lanes()::text").waitingForNobody,
        Operation("sweep waiting", sweepWaiting).waitingForNobody,
        Operation("sweep 3 (stranded)", sweepWaiting)
            .prepared(by: "SELECT tenure.end_pending(world.id(2), 'discarded', 'by hand')")
            .waitingForNobody.stranding,
        Operation("sweep 3 (outdated)", sweepWaiting)
            .prepared(
                by: """
                    WITH raised AS (
                        UPDATE tenure.subject SET floor = issued + 1, issued = issued + 1
                        WHERE key = 'k2' RETURNING key)
                    SELECT tenure.end_pending(world.id(2), 'discarded', 'by hand') FROM raised
                    """
            ).waitingForNobody.stranding,
        Operation("set lane room", "SELECT tenure.set_lane('q', 'room', 1, '0', 'me')::text"),
        Operation(
            "set lane going in order", "SELECT tenure.set_lane('o', 'going', 1, '0', 'me')::text"),
        Operation(
            "edit 36 (in order)", "SELECT tenure.edit_job(world.id(36), 'me', priority => 4)"),
        Operation("rate paced, which runs one", "SELECT tenure.rate_queue('paced', '1 h')::text")
            .prepared(by: "SELECT count(*) FROM tenure.claim(2, 'paced', '{k}', 9)").lockingTables,
        Operation("release on hold", "SELECT tenure.release_lane('q', 'on hold')::text"),
        Operation(
            "pause q", "UPDATE tenure.queue SET paused_at = clock_timestamp() WHERE name = 'q'"),
        Operation("limit q", "SELECT tenure.limit_queue('q', 15)::text").lockingTables,
        Operation("limit limited", "SELECT tenure.limit_queue('limited', 3)::text").lockingTables,
        Operation("make partitions", "SELECT tenure.prepare_history('attempt_error', 1)::text")
            .prepared(by: "SELECT probe.lapse()").lockingTables,
        Operation(
            "drop partitions", "SELECT tenure.forget_history('job_history_ended', '1 day')::text"
        ).prepared(
            by: """
                CREATE TABLE IF NOT EXISTS tenure.job_history_ended_20200101
                PARTITION OF tenure.job_history_ended
                FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')
                """
        ).lockingTables,
    ]
}
