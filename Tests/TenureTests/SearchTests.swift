import Foundation
import TenurePostgres
import TestSupport
import Testing

@testable import Tenure

/// Lists and counts find what a look through all jobs finds, whatever index each part of them has.
@Suite struct SearchTests {
    /// A job, as a look through all finds it.
    private struct Seen {
        let id: JobID
        let state: String
        let kind: String
        let queue: String
        let key: String?
        let batch: UUID?
        let wasRetried: Bool
        let isDue: Bool
        let error: String?
        let tags: Set<String>
        let number: Int?

        static let pending: Set = ["scheduled", "available", "retryable"]

        func matches(_ filter: JobFilter) -> Bool {
            let isFinished = JobStatus(rawValue: state)?.isFinished == true
            return (!isFinished || filter.asksHistory && !(filter.leavesOutRetried && wasRetried))
                && (filter.states.isEmpty || filter.states.contains { $0.rawValue == state })
                && (filter.kind == nil || filter.kind?.rawValue == kind)
                && (filter.queue == nil || filter.queue?.rawValue == queue)
                && (filter.key == nil || filter.key == key)
                && (filter.batch == nil || filter.batch == batch)
                && (filter.isDue == nil || filter.isDue == isDue)
                && (filter.isDue == nil || !filter.states.isEmpty || Self.pending.contains(state))
                && (filter.error == nil || error?.contains(filter.error ?? "") == true)
                && tags.isSuperset(of: filter.tags)
                && (filter.payload == nil || filter.payload == "{\"n\": {\"of\": \(number ?? -1)}}")
        }
    }

    private struct ListSeen: PostgresStatement {
        static let sql = """
            SELECT j.id, j.state::text, j.kind, j.queue, j.key, j.batch_id, false,
                   j.run_at <= clock_timestamp(), coalesce(e.message, j.hold_reason),
                   array(SELECT t.tag FROM tenure.job_tag t WHERE t.job_id = j.id),
                   (j.payload #>> '{n,of}')::int4
            FROM tenure.job_seen j LEFT JOIN tenure.attempt_error e ON e.job_id = j.id
            UNION ALL
            SELECT h.id, h.outcome::text, h.kind, h.queue, h.key, h.batch_id,
                   h.retried_as IS NOT NULL, true, h.reason,
                   array(SELECT t.tag FROM tenure.job_tag t WHERE t.job_id = h.id),
                   (h.payload #>> '{n,of}')::int4
            FROM tenure.job_history h
            ORDER BY 1 DESC
            """

        static func decode(_ row: borrowing PostgresRow) throws -> Seen {
            Seen(
                id: JobID(try row.decode(0, as: UUID.self)), state: try row.decode(1),
                kind: try row.decode(2), queue: try row.decode(3), key: try row.decode(4),
                batch: try row.decode(5), wasRetried: try row.decode(6),
                isDue: try row.decode(7), error: try row.decode(8),
                tags: Set(try row.decode(9, as: [String].self)),
                number: try row.decode(10, as: Int32?.self).map { Int($0) })
        }
    }

    /// Runs that only claim rows tell of.
    private struct CountFolded: PostgresStatement {
        static let sql = "SELECT count(*) FROM tenure.folded_run"
        static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
    }

    private static let batch = UUID(uuidString: "01900000-0000-7000-8000-00000000000b")!

    /// Jobs of two queues, in all states, two hundred of them claimed, most by claim rows; kinds
    /// whose jobs have only some of the states; and what ended.
    private static let world = """
        INSERT INTO tenure.batch (id) VALUES ('\(batch)');
        INSERT INTO tenure.job (id, kind, queue, key, generation, lane, batch_id, state, run_at,
                                priority, hold_reason, waits_for_key, attempt, runs, payload)
        SELECT tenure.new_id(), 'kind-' || n % 7, CASE n % 3 WHEN 0 THEN 'wide' ELSE 'long' END,
               CASE WHEN n % 11 = 0 THEN 'key-' || n END, CASE WHEN n % 11 = 0 THEN n END,
               CASE WHEN n % 13 = 0 THEN 'lane-' || n % 5 END,
               CASE WHEN n % 17 = 0 THEN '\(batch)'::uuid END,
               (CASE WHEN n % 19 = 0 THEN 'held' WHEN n % 23 = 0 THEN 'waiting'
                     WHEN n % 6 = 1 THEN 'retryable' WHEN n % 4 = 0 THEN 'scheduled'
                     ELSE 'available' END)::tenure.job_state,
               clock_timestamp() + (CASE WHEN n % 4 = 0 THEN 1 ELSE -1 END) * interval '1 h',
               n % 10, CASE WHEN n % 19 = 0 THEN 'no payload of mine' END,
               n % 23 = 0 AND n % 19 > 0, (n % 6 = 1)::integer, (n % 6 = 1)::integer,
               jsonb_build_object('n', jsonb_build_object('of', n % 9))
        FROM generate_series(1, 1500) AS n;
        INSERT INTO tenure.attempt_error (job_id, attempt, fence, code, message)
        SELECT j.id, 1, 1, 'E', 'it broke' FROM tenure.job j WHERE j.state = 'retryable';
        INSERT INTO tenure.job_history (id, run_at, created_at, finished_at, outcome, attempt,
            max_attempts, runs, payload_version, priority, kind, queue, key, batch_id, payload,
            reason, retried_as)
        SELECT tenure.new_id(), now(), now(), now() - n * interval '1 min',
               (CASE WHEN n % 29 = 0 THEN 'discarded' WHEN n % 31 = 0 THEN 'cancelled'
                     WHEN n % 37 = 0 THEN 'superseded' ELSE 'completed' END)::tenure.job_outcome,
               1, 25, 1, 1, 5, 'kind-' || n % 7, 'wide', CASE WHEN n % 11 = 0 THEN 'key-' || n END,
               CASE WHEN n % 17 = 0 THEN '\(batch)'::uuid END,
               jsonb_build_object('n', jsonb_build_object('of', n % 9)),
               CASE WHEN n % 29 = 0 THEN 'it broke for good' END,
               CASE WHEN n % 58 = 0 THEN tenure.new_id() END
        FROM generate_series(1, 800) AS n;
        INSERT INTO tenure.job_tag (tag, job_id)
        SELECT t.tag, a.id
        FROM (SELECT j.id, row_number() OVER (ORDER BY j.id) AS n FROM (
                SELECT id FROM tenure.job UNION ALL SELECT id FROM tenure.job_history) AS j) AS a,
             LATERAL (VALUES ('many', 2), ('some', 7), ('few', 501)) AS t (tag, each)
        WHERE a.n % t.each = 0;
        INSERT INTO tenure.job_tag (tag, job_id)
        SELECT 'gone', tenure.new_id() FROM generate_series(1, 20);
        SELECT tenure.open_session('worker', 'w', '1', '30 s', '{wide,long,empty}',
                                   '{kind-0,kind-1,kind-2,kind-3,idle}');
        SELECT count(*) FROM tenure.claim((SELECT max(id) FROM tenure.session), 'long',
            '{kind-0,kind-1,kind-2,kind-3}', 150, ahead => 140);
        SELECT count(*) FROM tenure.claim((SELECT max(id) FROM tenure.session), 'wide',
            '{kind-0,kind-1,kind-2,kind-3}', 50);
        INSERT INTO tenure.queue (name, paused_at) VALUES ('shut', now());
        INSERT INTO tenure.job (id, state, kind, queue, run_at, priority, payload)
        SELECT tenure.new_id(), 'available'::tenure.job_state, 'lonely', 'alone', now(), 5,
               '{}'::jsonb
        UNION ALL
        SELECT tenure.new_id(), 'available', 'far', 'behind', now() - interval '1 day', 9, '{}'
        UNION ALL
        SELECT tenure.new_id(), 'scheduled', 'far', 'behind', now() + interval '1 day', 0, '{}'
        FROM generate_series(1, 30);
        ANALYZE tenure.job
        """

    private static func look() async throws -> (Inspector, [Seen]) {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 4)
        try await pool.simple(world)
        return (Inspector(pool: pool), try await pool.execute(ListSeen()))
    }

    private static let states: [Set<JobStatus>] = [
        [], [.available], [.scheduled, .retryable], [.running], [.held], [.waiting],
        [.held, .running], [.available, .running, .waiting], [.completed], [.discarded],
        [.cancelled, .superseded], [.superseded, .discarded, .held],
        [.completed, .available, .running],
    ]

    private static let filters: [JobFilter] = {
        var others = [JobFilter](repeating: JobFilter(), count: 24)
        others[1].queue = "wide"
        others[2].queue = "long"
        others[3].queue = "nowhere"
        others[4].kind = "kind-3"
        others[5].kind = "nothing"
        (others[6].kind, others[6].queue) = ("kind-1", "long")
        others[7].key = "key-22"
        (others[8].kind, others[8].key) = ("kind-1", "key-22")
        others[9].batch = batch
        (others[10].batch, others[10].queue) = (batch, "wide")
        others[11].error = "broke"
        (others[12].finished, others[12].leavesOutRetried) = (true, true)
        (others[13].finished, others[13].queue) = (true, "wide")
        others[14].isDue = true
        (others[15].isDue, others[15].queue) = (false, "wide")
        (others[16].isDue, others[16].kind) = (true, "kind-4")
        others[17].tags = ["many"]
        others[18].tags = ["many", "some"]
        (others[19].tags, others[19].queue) = (["few"], "wide")
        others[20].tags = ["gone", "many"]
        (others[21].tags, others[21].finished) = (["some"], true)
        others[22].payload = #"{"n": {"of": 4}}"#
        (others[23].payload, others[23].tags, others[23].kind) = (
            #"{"n": {"of": 4}}"#, ["many"], "kind-3"
        )
        return states.flatMap { states in
            others.map { filter in
                var filter = filter
                filter.states = states
                return filter
            }
        }
    }()

    @Test func `each filter lists and counts what a look through all jobs finds`() async throws {
        let (inspector, all) = try await Self.look()
        #expect(Set(all.map(\.state)) == Set(JobStatus.allCases.map(\.rawValue)))
        let folded = try await inspector.pool.execute(CountFolded())[0]
        #expect(folded > 50)
        for filter in Self.filters {
            let wanted = all.filter { $0.matches(filter) }
            var (page, listed) = (filter, [JobSummary]())
            page.limit = 700
            repeat {
                let part = try await inspector.jobs(page)
                listed += part
                page.before = part.count == page.limit ? part.last?.id : nil
            } while page.before != nil
            let what = "\(filter)"
            #expect(listed.map(\.id) == wanted.map(\.id), "\(what)")
            #expect(listed.map(\.status.rawValue) == wanted.map(\.state), "\(what)")
            let counts = try await inspector.count(filter)
            #expect(
                Dictionary(uniqueKeysWithValues: counts.map { (Group($0), $0.count) })
                    == Dictionary(grouping: wanted, by: Group.init).mapValues(\.count), "\(what)")
            let some = try await inspector.count(filter, upTo: 10)
            #expect(some.reduce(0) { $0 + $1.count } == min(wanted.count, 10), "\(what)")
        }
    }

    private struct Group: Hashable {
        let words: [String]

        init(_ count: JobCount) {
            words = [count.status.rawValue, count.kind.rawValue, count.queue.rawValue]
        }
        init(_ seen: Seen) { words = [seen.state, seen.kind, seen.queue] }
    }

    /// What a queue's or a kind's numbers are to add up to.
    private static func numbers(_ jobs: some Sequence<Seen>) -> [Int] {
        let pending = jobs.filter { Seen.pending.contains($0.state) }
        func count(_ state: String) -> Int { jobs.count { $0.state == state } }
        return [
            pending.count(where: \.isDue), pending.count { !$0.isDue }, count("waiting"),
            count("held"), count("running"),
        ]
    }

    @Test func `queues and kinds are counted to the end, or to a bound that is said`() async throws
    {
        let (inspector, all) = try await Self.look()
        let open = all.filter { JobStatus(rawValue: $0.state)?.isFinished == false }
        let byQueue = Dictionary(grouping: open, by: \.queue).mapValues(Self.numbers)
        let byKind = Dictionary(grouping: open, by: \.kind).mapValues(Self.numbers)
        let names = (byQueue.keys + ["empty", "shut"]).sorted()
        let none = [0, 0, 0, 0, 0]
        for most in [nil, 100_000, 7] {
            let queues = try await inspector.queues(countingTo: most)
            #expect(queues.map(\.name.rawValue) == names)
            for queue in queues {
                let own = byQueue[queue.name.rawValue] ?? none
                let one = try await inspector.queue(queue.name, countingTo: most)
                for queue in [queue, try #require(one)] {
                    let found = [
                        queue.due, queue.later, queue.waiting, queue.held,
                        queue.running + queue.claimed,
                    ]
                    Self.expect(
                        found, own, queue.pendingIsAtLeast, queue.parkedIsAtLeast,
                        most.map { 2 * $0 + 10 }, "\(queue.name), to \(most ?? -1)")
                    #expect((queue.oldestDue != nil) == (own[0] > 0))
                }
                let kinds = try await inspector.kinds(of: queue.name, countingTo: most)
                let jobs = open.filter { $0.queue == queue.name.rawValue }
                for kind in kinds {
                    Self.expect(
                        [
                            kind.due, kind.later, kind.waiting, kind.held,
                            kind.running + kind.claimed,
                        ], Self.numbers(jobs.filter { $0.kind == kind.kind.rawValue }),
                        kind.pendingIsAtLeast, kind.parkedIsAtLeast, most.map { 2 * $0 },
                        "\(kind.kind) of \(queue.name), to \(most ?? -1)")
                }
                if most != 7 { #expect(kinds.count == Set(jobs.map(\.kind)).count) }
            }
            let kinds = try await inspector.kinds(countingTo: most)
            for kind in kinds {
                Self.expect(
                    [kind.due, kind.later, kind.waiting, kind.held, kind.running + kind.claimed],
                    byKind[kind.kind.rawValue] ?? none, kind.pendingIsAtLeast,
                    kind.parkedIsAtLeast, most, "\(kind.kind), to \(most ?? -1)")
            }
            #expect(kinds.contains { $0.kind == "idle" && $0.workers == 1 })
        }
    }

    /// - Parameter bound: how far each number may go where counting ended; nil: nowhere.
    private static func expect(
        _ found: [Int], _ own: [Int], _ pendingIsAtLeast: Bool, _ parkedIsAtLeast: Bool,
        _ bound: Int?, _ what: String
    ) {
        let ends = [pendingIsAtLeast, pendingIsAtLeast, parkedIsAtLeast, parkedIsAtLeast, false]
        for (number, (has, isAtLeast)) in zip(found, zip(own, ends)) {
            if isAtLeast {
                #expect(number <= has && number <= bound ?? 0, "\(what)")
            } else {
                #expect(number == has, "\(what)")
            }
        }
    }

    @Test func `what is due is found behind what is for later`() async throws {
        let (inspector, _) = try await Self.look()
        let queue = try #require(try await inspector.queue("behind", countingTo: 5))
        #expect(queue.due == 1 && queue.later == 5 && queue.pendingIsAtLeast)
        #expect(try #require(queue.oldestDue) < Date() - 80_000)
        let known = try await inspector.queue("nowhere", countingTo: 5)
        #expect(known == nil)
    }

    @Test func `queues are listed part by part, and the troubled ones found`() async throws {
        let (inspector, _) = try await Self.look()
        let all = try await inspector.queues().map(\.name)
        var (after, parts) = ("", [QueueName]())
        while true {
            let part = try await inspector.queues(
                after: after, limit: 2, countingTo: 3, findsOldest: false)
            parts += part.map(\.name)
            guard part.count == 2, let last = part.last else { break }
            after = last.name.rawValue
        }
        #expect(parts == all && all.count == 6)
        // Nobody takes from two, one is paused, and two have held jobs.
        let troubled = try await inspector.queuesInTrouble(.each(20))
        #expect(troubled == ["alone", "behind", "long", "shut", "wide"])
    }

    @Test func `exactly the bound is all, and one more is at least the bound`() async throws {
        let (inspector, _) = try await Self.look()
        for (most, isAtLeast) in [(31, false), (30, true)] {
            let queue = try #require(try await inspector.queue("behind", countingTo: most))
            #expect(queue.due + queue.later == 31 && queue.pendingIsAtLeast == isAtLeast)
            let kinds = try await inspector.kinds(of: "behind", countingTo: most)
            #expect(kinds.map(\.pendingIsAtLeast) == [isAtLeast])
        }
    }
}
