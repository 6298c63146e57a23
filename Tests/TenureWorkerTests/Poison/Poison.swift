import Testing

/// A row as no statement of the library leaves it: a hand on the tables, an older release, a
/// program in another language.
struct Poison: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sql: String

    init(_ name: String, _ sql: String) {
        testDescription = name
        self.sql = sql
    }

    /// Rows of each table that a hand may spoil: a job without a lane, one in a lane, a held one, a
    /// finished one, a session that lives and one that died with a job, a schedule, a batch.
    static let victims = """
        SELECT tenure.enqueue('sick', id => '00000000-0000-7000-8000-000000000001');
        SELECT tenure.enqueue('sick', lane => 'sick', key => 'sick',
                              id => '00000000-0000-7000-8000-000000000002');
        SELECT tenure.enqueue('sick', not_after => clock_timestamp() + interval '1 h',
                              id => '00000000-0000-7000-8000-000000000003');
        INSERT INTO tenure.job_history (id, kind, queue, run_at, created_at, claimed_at, outcome,
            attempt, max_attempts, runs, payload_version, priority, payload)
        VALUES ('00000000-0000-7000-8000-000000000004', 'sick', 'default', clock_timestamp(),
                clock_timestamp(), clock_timestamp(), 'discarded', 1, 1, 1, 1, 5, '{}');
        SELECT tenure.open_session('worker', 'sick', '0', '1 h', '{default}', '{sick}');
        SELECT tenure.put_schedule('a sick one', '1 h', NULL, NULL, '{"kind": "sick"}', false);
        INSERT INTO tenure.batch (id, is_whole) VALUES
            ('00000000-0000-7000-8000-000000000005', true);
        INSERT INTO tenure.lane_hold (queue, lane, until)
        VALUES ('default', 'sick', clock_timestamp() - interval '1 min');
        INSERT INTO tenure.kind_death
        VALUES ('sick', 1, clock_timestamp(), clock_timestamp(), true);
        SELECT tenure.note_progress('[{"job": "00000000-0000-7000-8000-000000000001",
                                       "fence": 1, "done": 1}]');
        INSERT INTO tenure.queue (name, capacity) VALUES ('bounded', 1000);
        SELECT tenure.read_capacity('bounded');
        """

    private static func job(_ number: Int, _ change: String) -> String {
        """
        UPDATE tenure.job SET \(change)
        WHERE id = '00000000-0000-7000-8000-00000000000\(number)'
        """
    }

    static let all = [
        Poison("nothing", "SELECT 1"),
        Poison("job: due at no time", job(1, "run_at = 'infinity'")),
        Poison("job: due for ever", job(1, "run_at = '-infinity', created_at = '-infinity'")),
        Poison("job: due for ever, in a lane", job(2, "run_at = '-infinity'")),
        Poison("job: due at no time, in a lane", job(2, "run_at = 'infinity'")),
        Poison("job: of no priority", job(1, "priority = 12")),
        Poison(
            "job: of as many runs as can be counted",
            "UPDATE tenure.job SET attempt = 2147483647, max_attempts = 2147483647, "
                + "runs = 2147483647, refunds = 2147483647"),
        Poison(
            "job: of fewer runs than none",
            "UPDATE tenure.job SET attempt = -2147483648, max_attempts = -2147483648, "
                + "runs = -2147483648, refunds = -2147483648"),
        Poison("job: in a lane that is missing", job(1, "lane = 'missing'")),
        Poison("job: expired for ever", job(3, "not_after = '-infinity'")),
        Poison("job: keyed without a generation", job(2, "generation = NULL")),
        Poison("job: held for nothing", job(1, "state = 'held', run_at = 'infinity'")),
        Poison("job: of a batch that is missing", job(1, "batch_id = id")),
        Poison(
            "history: infinite times",
            "UPDATE tenure.job_history SET run_at = 'infinity', created_at = '-infinity'"),
        Poison("history: of no priority", "UPDATE tenure.job_history SET priority = 12"),
        Poison(
            "history: of a batch that is over",
            """
            UPDATE tenure.batch SET ended_at = clock_timestamp();
            UPDATE tenure.job_history SET batch_id = '00000000-0000-7000-8000-000000000005'
            """),
        Poison("session: a lease of ages", "UPDATE tenure.session SET lease = '294000 years'"),
        Poison("session: a lease of a month", "UPDATE tenure.session SET lease = '1 month'"),
        Poison(
            "session: died with a lease of ages",
            """
            SELECT * FROM tenure.claim(1, 'default', '{sick}', 1);
            UPDATE tenure.session SET lease = '170000000 years', ended_at = clock_timestamp(),
                died = true
            """),
        Poison(
            "session: a beat of ages ago",
            "UPDATE tenure.session SET beaten_at = '-infinity', clock_ahead = '1 month'"),
        Poison("lane: an interval of ages", "UPDATE tenure.lane SET min_interval = '294000 years'"),
        Poison("lane: an interval of a month", "UPDATE tenure.lane SET min_interval = '1 month'"),
        Poison("lane: a negative interval", "UPDATE tenure.lane SET min_interval = '-9000 years'"),
        Poison("lane: open at no time", "UPDATE tenure.lane_holders SET next_at = 'infinity'"),
        Poison("lane: held for ever", "UPDATE tenure.lane_hold SET until = 'infinity'"),
        Poison(
            "lane: called at no time",
            "INSERT INTO tenure.lane_call VALUES ('default', 'sick', 'infinity'), "
                + "('default', 'missing', '-infinity')"),
        Poison("schedule: every so many ages", "UPDATE tenure.schedule SET every = '294000 years'"),
        Poison("schedule: monthly", "UPDATE tenure.schedule SET every = '1 month'"),
        Poison("schedule: of nothing", "UPDATE tenure.schedule SET job = '7'"),
        Poison("schedule: at no time", "UPDATE tenure.schedule SET next_at = 'infinity'"),
        Poison(
            "schedule: of no zone",
            "UPDATE tenure.schedule SET every = NULL, "
                + "cron = '* * * * *', zone = 'Nowhere/None', next_at = '-infinity'"),
        Poison("batch: followed by nothing", "UPDATE tenure.batch SET follow_up = '7'"),
        Poison(
            "batch: followed by what can't be",
            #"UPDATE tenure.batch SET follow_up = '[{"kind": "k", "priority": 12}]'"#),
        Poison("batch: made at no time", "UPDATE tenure.batch SET created_at = '-infinity'"),
        Poison("death: at no time", "UPDATE tenure.kind_death SET died_at = 'infinity'"),
        Poison(
            "queue: counted at no time",
            "UPDATE tenure.queue_capacity SET counted_at = '-infinity', next_at = 'infinity'"),
        Poison("subject: touched at no time", "UPDATE tenure.subject SET touched_at = 'infinity'"),
        Poison(
            "clock: infinite", "UPDATE tenure.clock SET found_at = 'infinity', back = '1 month'"),
        Poison(
            "progress: infinite",
            "UPDATE tenure.job_progress SET reported_at = 'infinity', rate = 'NaN'"),
    ]
}
