import Foundation
import Tenure
import Testing

@Suite struct QueueCommandTests {
    @Test func `a drained queue runs nothing and stays paused`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        for _ in 0..<2 {
            _ = try await tenure.run(
                "enqueue", "demo-sleep", "--payload", #"{"seconds":600}"#, "--queue", "mail")
        }
        let worker = try tenure.start("worker", "--queue", "mail:1")
        try await fixture.eventually(
            "the job runs", "SELECT bool_or(state = 'running') FROM tenure.job")
        let early = try await tenure.run("queue", "drain", "mail", "--timeout", "300ms")
        #expect(early.code == 1)
        #expect(early.output.contains("1 job of mail still runs; it stays paused"))
        let draining = try tenure.start("queue", "drain", "mail")
        let running = try await fixture.value(
            "SELECT id::text FROM tenure.job WHERE state = 'running'", as: String.self)
        #expect(try await tenure.run("job", "cancel", running).code == 0)
        let drained = try await draining.result()
        #expect(drained.code == 0)
        #expect(
            drained.output.hasPrefix(
                "drained mail: nothing runs, 1 job due; it stays paused until: "))
        #expect(
            try await fixture.value(
                "SELECT bool_and(state <> 'running') AND count(*) = 1 FROM tenure.job",
                as: Bool.self))
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }

    @Test func `enqueue waits for room in a full queue as long as it is told to`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let enqueue = ["enqueue", "demo-sleep", "--queue", "mail"]
        let waiting = enqueue + ["--wait-when-full"]
        #expect(try await tenure.run("queue", "capacity", "mail", "1").code == 0)
        let first = try await tenure.runAll(waiting + ["1h", "--json"])
        #expect(first.code == 0)
        /// What was counted holds for a second, and longer where counting takes long.
        func countAnew() async throws {
            try await fixture.pool.simple("UPDATE tenure.queue_capacity SET next_at = '-infinity'")
        }
        let isCounted = "SELECT next_at > clock_timestamp() FROM tenure.queue_capacity"
        try await countAnew()
        let refused = try await tenure.runAll(enqueue)
        #expect(refused.code == 2 && refused.errorLines.count == 1)
        #expect(refused.errors.contains("mail has 1 of at most 1 pending job, "))
        #expect(refused.errors.contains("--wait-when-full 30s"))
        let late = try await tenure.runAll(waiting + ["300ms"])
        #expect(late.code == 2 && late.errors.contains("no room within 300ms"), "\(late.errors)")

        try await countAnew()
        let given = try tenure.start(waiting + ["1h"])
        try await fixture.eventually("it waits", isCounted)
        given.send(SIGINT)
        #expect(try await given.result().code == 3)
        #expect(try await fixture.jobs() == 1)

        try await countAnew()
        let patient = try tenure.start(waiting + ["1h"])
        try await fixture.eventually("it waits", isCounted)
        let job = try #require(try first.object()["id"] as? String)
        #expect(try await tenure.run("job", "cancel", job).code == 0)
        try await countAnew()
        #expect(try await patient.result().code == 0)
        #expect(try await fixture.jobs() == 1)

        for wrong in ["soon", "0s", "2d"] {
            let result = try await tenure.runAll(waiting + [wrong])
            #expect(result.code == 2 && result.errors.contains("--wait-when-full"))
            #expect(result.errors.contains("give 1ms to 24h"), "\(result.errors)")
        }
    }

    @Test func `a limit is exact and can be taken away`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let set = try await tenure.run("queue", "limit", "mail", "3")
        #expect(set.output == "at most 3 jobs of mail run at a time; 0 run now\n")
        try await fixture.pool.simple(
            """
            SELECT tenure.open_session('worker', 'w', '0', '1 h', '{mail}', '{k}');
            SELECT tenure.enqueue('k', queue => 'mail') FROM generate_series(1, 9);
            """)
        let claim = "SELECT count(*) FROM tenure.claim(1, 'mail', '{k}', 9)"
        #expect(try await fixture.value(claim, as: Int64.self) == 3)
        let lower = try await tenure.run("queue", "limit", "mail", "1", "--json").object()
        #expect(lower["running"] as? Int == 3)
        #expect(try await fixture.value(claim, as: Int64.self) == 0)
        #expect(try await tenure.run("queue", "limit", "mail", "none").code == 0)
        #expect(try await fixture.value(claim, as: Int64.self) == 6)
        let shown = try await tenure.run("queue", "show", "mail", "--json").object()
        #expect((shown["kinds"] as? [[String: Any]])?.first?["running"] as? Int == 9)
        #expect(try await tenure.run("queue", "show", "mail").output.contains("limit"))
    }

    @Test func `a queue's rate and a lane's order are set, shown, and said to hold jobs back`()
        async throws
    {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let set = try await tenure.run("queue", "rate", "mail", "1/1h", "--burst", "2")
        #expect(
            set.output == "1 job of mail starts in 60m, and 2 at once after a quiet time: "
                + "up to 3 jobs in any 60m\n")
        try await fixture.pool.simple(
            """
            SELECT tenure.open_session('worker', 'w', '0', '1 h', '{mail,post}', '{k}');
            SELECT tenure.enqueue('k', queue => 'mail') FROM generate_series(1, 3);
            SELECT tenure.enqueue_jobs('[{"kind": "k", "queue": "mail"}, {"kind": "k",
                "queue": "mail"}, {"kind": "k", "queue": "mail"}]');
            SELECT tenure.claim(1, 'mail', '{k}', 9);
            SELECT tenure.enqueue_jobs('[{"kind": "k", "queue": "post", "lane": "a",
                "lane_strict": true}, {"kind": "k", "queue": "post", "lane": "a"}]');
            SELECT tenure.claim(1, 'post', '{k}', 9);
            """)
        let queue = try await tenure.run("queue", "show", "mail")
        #expect(queue.output.contains("a start every 60m, 2 at once after a quiet time"))
        #expect(queue.output.contains("queue mail starts a job every 3600 s, and 2 at once"))
        let shown = try await tenure.run("queue", "show", "mail", "--json").object()
        let status = try #require(shown["queue"] as? [String: Any])
        #expect(status["minIntervalSeconds"] as? Double == 3600 && status["burst"] as? Int == 2)
        #expect(status["opensAt"] is String)
        #expect(
            try await tenure.run("queue", "show", "post").output.contains(
                "lane a is in strict order, and a job of it runs"))
        try await fixture.pool.simple(
            """
            SELECT tenure.end_runs(jsonb_build_array(jsonb_build_object(
                'id', j.id, 'fence', j.fence, 'wanted', 'snoozed', 'delay', '1 h')), true)
            FROM tenure.job j WHERE j.queue = 'post' AND j.state = 'running'
            """)
        let behind = try await tenure.run("queue", "show", "post").output
        #expect(behind.contains("has begun and isn't over; see it with: tenure job show"))
        let lane = try await tenure.run("lane", "show", "a", "--queue", "post")
        #expect(lane.output.contains("strict: one after the other"), "\(lane.output)")
        let free = try await tenure.run(
            "lane", "set", "a", "--queue", "post", "--no-strict", "--weight", "3", "--json"
        ).object()
        #expect(free["order"] as? String == "free" && free["weight"] as? Int == 3)
        #expect(
            try await tenure.run("queue", "rate", "mail", "none").output == "mail has no rate\n")
    }

    @Test func `a queue's patience is set, shown and taken away`() async throws {
        let tenure = try await Fixture().tenure
        let aged = try await tenure.run("queue", "age", "mail", "10m")
        #expect(aged.output == "jobs of mail that are due for 10m go to its front\n")
        let story = try await tenure.run("queue", "show", "mail")
        #expect(story.output.contains("what is due for 10m goes to the front"))
        let ageless = try await tenure.run("queue", "age", "mail", "none", "--json").object()
        #expect(ageless["queue"] as? String == "mail" && ageless["ageAfterSeconds"] is NSNull)
    }

    @Test func `lists show rates, bursts, order and weight`() async throws {
        let tenure = try await Fixture().tenure
        _ = try await tenure.run("queue", "rate", "mail", "1/1h", "--burst", "2")
        let queues = try await tenure.run("queue", "list").output
        #expect(queues.contains("one in 60m, 2 at once"), "\(queues)")
        _ = try await tenure.run(
            "lane", "set", "a", "--queue", "mail", "--rate", "10/1s", "--burst", "5", "--strict")
        _ = try await tenure.run("lane", "set", "b", "--queue", "mail", "--weight", "3")
        let lanes = try await tenure.run("lane", "list", "--queue", "mail").output
        for cell in ["1, in order", "1, weight 3", "100ms, 5 at once"] {
            #expect(lanes.contains(cell), "\(lanes)")
        }
    }

    @Test func `a queue says why its due jobs wait, and what its workers run of it alone`()
        async throws
    {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        func rules() async throws -> [String] {
            let shown = try await tenure.run("queue", "show", "mail", "--json").object()
            return (shown["delays"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
        }
        try await fixture.pool.simple("SELECT tenure.enqueue('k', queue => 'mail')")
        #expect(try await rules() == ["noWorker"])
        try await fixture.pool.simple(
            """
            SELECT tenure.open_session('worker', 'w', '0', '1 h', '{mail,other}', '{j}');
            SELECT tenure.enqueue('j', queue => 'other') FROM generate_series(1, 3);
            SELECT tenure.claim(1, 'other', '{j}', 3);
            """)
        #expect(try await rules() == ["kindUnknown"])
        try await fixture.pool.simple(
            """
            UPDATE tenure.session SET kinds = '{j,k}';
            SELECT tenure.enqueue('j', queue => 'mail', lane => 'l');
            SELECT tenure.hold_lane('mail', 'l', '1 h', 'their import', 'ada');
            SELECT tenure.limit_queue('mail', 1);
            SELECT tenure.claim(1, 'mail', '{k}', 1);
            """)
        #expect(try await rules() == ["queueFull", "laneOnHold"])
        _ = try await tenure.run("queue", "pause", "mail", "--by", "bob")
        _ = try await tenure.run("kind", "pause", "j", "--by", "eve")
        #expect(
            try await rules() == ["queuePaused", "queueFull", "kindPaused", "laneOnHold"])
        let told = try await tenure.run("queue", "show", "mail")
        #expect(told.output.contains("because     queue mail is paused by bob\n"), "\(told.output)")
        #expect(told.output.contains("lane l is on hold by ada: their import, until "))
        let workers = try await tenure.run("queue", "show", "mail", "--json").object()["sessions"]
        let worker = try #require((workers as? [[String: Any]])?.first)
        let held = (worker["running"] as? Int ?? 0) + (worker["claimed"] as? Int ?? 0)
        #expect(held == 1, "the three of the other queue are not counted here")
    }
}
