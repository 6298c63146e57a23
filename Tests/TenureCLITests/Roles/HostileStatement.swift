/// A statement that somebody with a login of a role may try, and which roles it works for, by the
/// letters of `StatementRoles`. What it works on is in `HostileBench`.
struct HostileStatement: Sendable {
    let name: String
    let roles: String
    let sql: String
    /// The owner may not either, or not in a transaction: its success proves nothing.
    var isRefusedToAll = false

    init(_ name: String, _ roles: String, _ sql: String, isRefusedToAll: Bool = false) {
        self.name = name
        self.roles = roles
        self.sql = sql
        self.isRefusedToAll = isRefusedToAll
    }

    static let all = reading + forging + locking + calling + defining + escaping
}

extension HostileStatement {
    /// Who sees what is others'.
    static let reading = [
        Self("payloads", "-wcro", "SELECT payload FROM tenure.job"),
        Self("payloads of the past", "---ro", "SELECT payload FROM tenure.job_history"),
        Self("results", "-w-ro", "SELECT result FROM tenure.job_history"),
        Self("errors", "---ro", "SELECT message FROM tenure.attempt_error"),
        Self("how many have ended", "-w-ro", "SELECT count(*) FROM tenure.job_history"),
        Self("a partition by itself", "-----", "SELECT result FROM tenure.job_history_ended"),
        Self("its default", "---ro", "SELECT result FROM tenure.job_history_ended_default"),
        Self("schedules", "--cro", "SELECT job FROM tenure.schedule"),
        Self("sessions", "-wcro", "SELECT name FROM tenure.session"),
        Self("names of secrets", "---ro", "SELECT field FROM tenure.secret_field"),
        Self("progress", "-wcro", "SELECT note FROM tenure.job_progress"),
        // Who counts a key's jobs; payloads are shown to the same.
        Self("what ends of batches enqueue", "---ro", "SELECT follow_up FROM tenure.batch"),
        Self("floors", "-wcro", "SELECT floor FROM tenure.subject"),
        Self("keys", "-----", "SELECT key FROM tenure.subject_lock"),
        Self("the job behind an id", "p--ro", "SELECT result FROM tenure.read_end('\(ended)')"),
        Self("whether ids are there", "pwc-o", "SELECT FROM tenure.find_jobs('{\(ended)}')"),
        Self("what others fetched", "-w-ro", "SELECT bytes FROM content.body"),
        Self("what others check", "-w-ro", "SELECT href FROM content.target"),
        Self("checks' options", "-w-ro", "SELECT options FROM content.site_check"),
        Self("items", "-w-ro", "SELECT title FROM content.item"),
        Self("passwords", "-----", "SELECT rolpassword FROM pg_authid"),
    ]

    static let ended = "00000000-0000-7000-8000-00000000000e"
    static let running = "00000000-0000-7000-8000-00000000000a"
    static let pending = "00000000-0000-7000-8000-00000000000b"
    static let batch = "00000000-0000-7000-8000-00000000000d"

    /// Who writes what only the queue may.
    static let forging = [
        Self("a job", "-----", "INSERT INTO tenure.job SELECT * FROM tenure.job LIMIT 0"),
        Self("a row of a job", "-----", insert(state: "available")),
        Self("a job that runs nowhere", "-----", insert(state: "running")),
        Self("freezing one", "-----", "UPDATE tenure.job SET state = 'running'"),
        Self("another payload", "-----", "UPDATE tenure.job SET payload = '{}'"),
        Self("another fence", "-----", "UPDATE tenure.job SET fence = fence + 1"),
        Self("another's job", "-----", "UPDATE tenure.job SET session_id = 1"),
        Self("a job's loss", "-----", "DELETE FROM tenure.job"),
        Self(
            "a completed job", "-----",
            """
            INSERT INTO tenure.job_history (
                id, run_at, created_at, outcome, attempt, max_attempts, runs, payload_version,
                priority, kind, queue, payload, result)
            VALUES (gen_random_uuid(), now(), now(), 'completed', 1, 1, 1, 1, 5, 'k', 'q', '{}',
                    '{"paid": true}')
            """),
        Self("another result", "-----", "UPDATE tenure.job_history SET result = '{}'"),
        Self("another past", "-----", "DELETE FROM tenure.job_history"),
        Self("an error", "-----", "DELETE FROM tenure.attempt_error"),
        Self("killing a key", "-----", "UPDATE tenure.subject SET floor = 9e18"),
        Self("a commit", "-----", "UPDATE tenure.subject SET committed = 9e18"),
        Self("a generation", "-----", "UPDATE tenure.subject SET issued = 1"),
        Self("forgetting a key", "-----", "DELETE FROM tenure.subject"),
        Self("a beat", "-----", "UPDATE tenure.session SET beat = beat + 1"),
        Self("a death", "-----", "UPDATE tenure.session SET ended_at = now()"),
        Self("a stop", "----o", "UPDATE tenure.session SET stop_at = now(), stop_by = 'me'"),
        Self("forgetting sessions", "-----", "DELETE FROM tenure.session"),
        Self("a queue's pause", "----o", "UPDATE tenure.queue SET paused_at = now()"),
        Self("a queue's limit", "-----", "UPDATE tenure.queue SET max_running = 1"),
        Self("a queue that forgets", "-----", "UPDATE tenure.queue SET keep_completed = false"),
        Self("forgetting a queue", "-----", "DELETE FROM tenure.queue"),
        Self("a schedule's job", "-----", "UPDATE tenure.schedule SET job = '{}'"),
        Self("forgetting a schedule", "----o", "DELETE FROM tenure.schedule"),
        Self("a kind's pause", "----o", "UPDATE tenure.kind SET paused_at = now()"),
        Self("leading", "-----", "UPDATE tenure.leader SET session = 1"),
        Self("a lane's limit", "-----", "UPDATE tenure.lane SET max_running = 1000"),
        Self("a lane's turn", "-----", "UPDATE tenure.lane_holders SET turn_at = 'infinity'"),
        Self(
            "a lane's rest", "-----",
            "INSERT INTO tenure.lane_hold (queue, lane, until) VALUES ('q', 'l', 'infinity')"),
        Self("who holds a queue", "-----", "DELETE FROM tenure.queue_holders"),
        Self("a batch's end", "-----", "UPDATE tenure.batch SET ended_at = now()"),
        Self("what its end enqueues", "-----", "UPDATE tenure.batch SET follow_up = NULL"),
        Self("a step of the clock", "-----", "UPDATE tenure.clock SET steps = steps + 1"),
        Self("a full queue", "-----", "UPDATE tenure.queue_capacity SET pending = 1000000"),
        Self("a shown secret", "-----", "DELETE FROM tenure.secret_field"),
        Self("a migration", "-----", "UPDATE tenure.migration SET checksum = ''"),
        Self("old fences", "-----", "SELECT setval('tenure.fence', 1)"),
        Self("used generations", "-----", "SELECT nextval('tenure.generation')"),
        Self(
            "a host of one's own", "----o",
            "INSERT INTO content.own_host (host, set_by) VALUES ('a', '')"),
        Self("broken links", "-w--o", "UPDATE content.target SET state = 'broken'"),
        Self("a check's findings", "-w---", "UPDATE content.check_target SET state = 'ok'"),
        Self("another page", "-w---", "UPDATE content.item SET title = 'owned'"),
        Self("forgetting items", "----o", "DELETE FROM content.item"),
    ]

    private static func insert(state: String) -> String {
        """
        INSERT INTO tenure.job (id, run_at, state, kind, queue, payload)
        VALUES (gen_random_uuid(), now(), '\(state)', 'k', 'q', '{}')
        """
    }
}
