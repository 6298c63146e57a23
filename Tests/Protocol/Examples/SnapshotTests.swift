import Tenure
import TenurePostgres
import TestSupport
import Testing

/// Transactions that keep their snapshot, and what ended, came or was cancelled since they took it.
@Suite struct SnapshotTests {
    private static let levels = ["REPEATABLE READ", "SERIALIZABLE"]

    /// Two connections to a database of the test's own: the first keeps its snapshot.
    private func withTwo(
        _ body: (_ keeper: Example, _ other: Example) async throws -> Void
    ) async throws {
        let database = try await ExampleDatabase()
        let connections = [try await database.connect(), try await database.connect()]
        defer { for connection in connections { connection.close() } }
        try await body(
            Example(connection: connections[0], own: "view"),
            Example(connection: connections[1], own: "view"))
    }

    private func begin(_ keeper: Example, _ level: String) async throws {
        try await keeper.perform("BEGIN ISOLATION LEVEL \(level)")
        _ = try await keeper.value("SELECT count(*)::text FROM tenure.session")
    }

    /// A batch of one job; their ids.
    private func startRun(_ other: Example) async throws -> (run: String, job: String) {
        let run = try await other.value("SELECT tenure.new_id()::text")
        try await other.perform("INSERT INTO tenure.batch (id, is_whole) VALUES ('\(run)', true)")
        let job = try await other.enqueue(#""batch_id": "\#(run)""#)[0]
        return (run, job.id)
    }

    @Test(arguments: levels, ["discarded", "cancelled", "failed", "completed"])
    func `An enqueue of a key whose run has ended since is refused`(
        level: String, ended: String
    ) async throws {
        try await withTwo { (keeper, other) async throws in
            let session = try await other.openSession()
            for mode in [
                #""mode": "coalescing""#, #""mode": "debounced", "after": "0 s""#,
                #""overlap": false"#, #""mode": "keeping""#,
            ] {
                let job = try await other.enqueue(#""key": "a""#)[0]
                try await other.claim(session)
                try await begin(keeper, level)
                try await other.end(job.id, ended)
                let fields = #"[{"kind": "view", "queue": "view", "key": "a", \#(mode)}]"#
                #expect(
                    try await keeper.refusal("SELECT tenure.enqueue_jobs('\(fields)')") == "40001",
                    "\(mode)")
                try await keeper.perform("ROLLBACK")
                try await other.perform("DELETE FROM tenure.job")
            }
        }
    }

    @Test(arguments: levels)
    func `A caller whose keys nobody touched is never refused`(level: String) async throws {
        try await withTwo { (keeper, other) async throws in
            let session = try await other.openSession()
            let mine = try await other.enqueue(#""key": "mine""#)[0]
            let theirs = try await other.enqueue(#""key": "theirs""#)[0]
            try await other.claim(session)
            let pending = try await other.enqueue(
                #""key": "pending""#, #""key": "taken", "priority": 0"#)[0]
            try await begin(keeper, level)
            try await other.end(theirs.id, "discarded")
            try await other.enqueue(#""key": "theirs", "mode": "coalescing""#)
            try await other.enqueue(#""lane": "new""#)
            try await other.claim(session, 1)
            let kept = try await keeper.enqueue(
                #""key": "mine", "mode": "keeping""#, #""key": "new""#, #""lane": "mine""#)
            #expect(kept[0].id == mine.id)
            let next = try await keeper.enqueue(#""key": "mine", "mode": "coalescing""#)[0]
            #expect(try await keeper.job(next.id, "state") == "waiting")
            #expect(
                try await keeper.value("SELECT tenure.cancel_job('\(pending.id)', 'me')")
                    == "cancelled")
            #expect(try await keeper.end(mine.id, "completed") == "completed")
            try await keeper.perform("COMMIT")
            #expect(try await other.job(next.id, "state") == "available")
        }
    }

    @Test(arguments: levels)
    func `A run's end is not decided by what its job was before`(level: String) async throws {
        try await withTwo { (keeper, other) async throws in
            let session = try await other.openSession()
            let job = try await other.enqueue("")[0]
            try await begin(keeper, level)
            try await other.claim(session)
            let fence = try await other.job(job.id, "fence")
            for statement in [
                "SELECT tenure.finish('\(job.id)', \(fence))",
                "SELECT tenure.hold_run('\(job.id)', \(fence))",
                "SELECT tenure.retry_job('\(job.id)', tenure.new_id())",
                "SELECT tenure.cancel_job('\(job.id)', 'me')",
                "SELECT tenure.operate_jobs('discard', ARRAY['\(job.id)']::uuid[], 'me')",
                "SELECT tenure.edit_job('\(job.id)', 'me', payload => '1')",
            ] { #expect(try await keeper.refusal(statement) == "40001", "\(statement)") }
        }
    }

    @Test(arguments: levels)
    func `A run that was cancelled since takes no job, and none of its jobs commits`(
        level: String
    ) async throws {
        try await withTwo { (keeper, other) async throws in
            let session = try await other.openSession()
            let (run, job) = try await startRun(other)
            try await other.claim(session)
            let fence = try await other.job(job, "fence")
            try await begin(keeper, level)
            try await other.perform("SELECT tenure.cancel_batch('\(run)', 'me')")
            for statement in [
                #"SELECT tenure.enqueue_jobs('[{"kind": "view", "batch_id": "\#(run)"}]')"#,
                "SELECT tenure.finish('\(job)', \(fence))",
                "SELECT tenure.hold_run('\(job)', \(fence))",
            ] { #expect(try await keeper.refusal(statement) == "40001", "\(statement)") }
        }
    }

    @Test(arguments: levels)
    func `A run that looks empty in an old snapshot is not ended by it`(
        level: String
    ) async throws {
        try await withTwo { (keeper, other) async throws in
            let run = try await other.value("SELECT tenure.new_id()::text")
            try await other.perform(
                "INSERT INTO tenure.batch (id, is_whole) VALUES ('\(run)', true)")
            try await begin(keeper, level)
            try await other.enqueue(#""batch_id": "\#(run)""#)
            let ended = "SELECT count(*)::text FROM tenure.settle_batches(ARRAY['\(run)']::uuid[])"
            #expect(try await keeper.value(ended) == "0")
            try await keeper.perform("COMMIT")
            #expect(
                try await other.value("SELECT (ended_at IS NULL)::text FROM tenure.batch") == "true"
            )
        }
    }

    /// They look at what a lock on old rows can't tell: others' new ones.
    @Test(arguments: levels)
    func `Claims, limits and sweeps run at READ COMMITTED and say so`(
        level: String
    ) async throws {
        try await withTwo { (keeper, other) async throws in
            let session = try await other.openSession()
            try await begin(keeper, level)
            for statement in [
                "SELECT tenure.claim(\(session), 'view', '{view}', 1)",
                "SELECT tenure.claim_few(\(session), 'view', '{view}', 1)",
                "SELECT tenure.limit_queue('view', 1)",
                "SELECT tenure.forget_job(tenure.new_id())",
                "SELECT tenure.drop_idle_lanes('1 day', 10)",
                "SELECT tenure.drop_batches('1 day', 10)",
                "SELECT tenure.sweep_waiting(NULL, 10)", "SELECT tenure.drop_steps('0')",
            ] { #expect(try await keeper.refusal(statement) == "25000", "\(statement)") }
        }
    }

    @Test func `A job that waits for a run that is over is let go by the sweep`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0]
            let rival = try await example.enqueue(#""key": "b""#)[0]
            try await example.claim(session)
            let waiting = try await example.enqueue(
                #""key": "a", "mode": "coalescing""#, #""key": "b", "mode": "coalescing""#)
            // As a hand on the tables would.
            try await example.perform(
                "SELECT tenure.end_pending('\(first.id)', 'discarded', 'by hand')")
            let sweep = "SELECT released::text FROM tenure.sweep_waiting(NULL, 100)"
            #expect(try await example.value(sweep) == "1")
            #expect(try await example.job(waiting[0].id, "state") == "available")
            #expect(try await example.job(waiting[1].id, "state") == "waiting")
            #expect(try await example.claim(session) == [waiting[0].id])
            #expect(try await example.value(sweep) == "0")
            // One whose key has gone on without it is over.
            try await example.perform(
                """
                UPDATE tenure.subject SET floor = issued + 1, issued = issued + 1
                WHERE kind = '\(example.own)' AND key = 'b';
                SELECT tenure.end_pending('\(rival.id)', 'discarded', 'by hand')
                """)
            #expect(try await example.value(sweep) == "0")
            #expect(try await example.past(waiting[1].id, "outcome") == "superseded")
        }
    }

    @Test func `The sweep goes on from where it stopped, to the end of a round`() async throws {
        try await withTwo { (_, other) async throws in
            let jobs = try await other.enqueue("", "", "").map(\.id).sorted()
            try await other.perform("UPDATE tenure.job SET state = 'waiting'")
            func sweep(_ after: String) async throws -> String {
                try await other.value(
                    """
                    SELECT concat_ws(' ', s.released, s.onward)
                    FROM tenure.sweep_waiting(\(after), 2) AS s
                    """)
            }
            #expect(try await sweep("NULL") == "2 \(jobs[1])")
            #expect(try await sweep("'\(jobs[1])'") == "1")
        }
    }
}
