/// A place between two statements of a function where a transaction can be stopped.
///
/// Most places where two transactions can meet badly have no lock that a third could hold; so the
/// functions under test get a call of `probe.gate` before a statement, and nothing else. Within a
/// statement, between its snapshot and its locks, it is a condition that holds.
struct Gate: Sendable {
    let name: String
    let function: String
    let statement: String
    private(set) var isInside = false

    private init(_ function: String, _ name: String, before statement: String) {
        self.name = "\(function):\(name)"
        self.function = function
        self.statement = statement
    }

    /// Within a statement, once it has its snapshot: at the first row of which it asks this.
    private init(_ function: String, _ name: String, inside condition: String) {
        self.name = "\(function):\(name)"
        self.function = function
        statement = condition
        isInside = true
    }

    static let all = [
        Gate("claim", "scanning", inside: "AND c.kind = ANY (wanted_kinds)"),
        Gate("claim_few", "scanning", inside: "AND c.kind = ANY (wanted_kinds)"),
        Gate("claim_few", "locked", before: "IF places = '{}' THEN"),
        Gate("claim_few", "taken", before: "IF taken = cardinality(places)"),
        Gate("issue_generations", "start", before: "IF tenure.lock_or_make_subjects("),
        Gate("issue_generations", "locked", before: "WITH was AS"),
        Gate("begin_subjects", "drawn", before: "INSERT INTO tenure.subject"),
        Gate("enqueue_turn", "issued", before: "SELECT array_agg(DISTINCT n.mode)"),
        Gate("enqueue_turn", "retired", before: "IF modes && "),
        Gate("enqueue_turn", "inserted", before: "RETURN QUERY SELECT s.* FROM unnest(settled)"),
        Gate("supersede", "start", before: "INSERT INTO tenure.subject_lock"),
        Gate("supersede", "locked", before: "SELECT s.issued, greatest("),
        Gate("supersede", "read", before: "IF was IS NULL THEN"),
        Gate("supersede", "retired", before: "INSERT INTO tenure.job ("),
        Gate("supersede_jobs", "start", before: "IF tenure.lock_or_make_subjects("),
        Gate("supersede_jobs", "drawn", before: "INSERT INTO tenure.subject ("),
        Gate("supersede_jobs", "retired", before: "INSERT INTO tenure.job ("),
        Gate("make_subjects", "looked", before: "INSERT INTO tenure.subject_lock"),
        Gate("raise_floors", "locked", before: "SELECT array_agg(s.issued"),
        Gate("raise_floors", "read", before: "INSERT INTO tenure.subject AS s"),
        Gate("raise_floors", "raised", before: "PERFORM tenure.retire_older("),
        Gate("claim", "alive", before: "SELECT * INTO line FROM tenure.queue q"),
        Gate("claim", "counted", before: "due := clock_timestamp();"),
        Gate("claim", "taken", before: "wanted := least(wanted, free) - taken"),
        Gate("claim", "locked", before: "IF ends_at IS NOT NULL THEN"),
        Gate("fold_claim", "asked", before: "IF unseen <> '{}' THEN"),
        Gate("fold_claim", "drawn", before: "INSERT INTO tenure.claim_row"),
        Gate("write_runs", "found", before: "mine := CASE WHEN patient"),
        Gate("write_runs", "locked", before: "IF mine = '{}' THEN"),
        Gate("settle_claims", "written", before: "DELETE FROM tenure.claim_row"),
        Gate("lock_job", "locked", before: "IF mine.runs = 0 AND"),
        Gate("follow_clock", "locked", before: "WITH ahead AS MATERIALIZED (\n        SELECT m.id"),
        Gate("claim_lanes", "counted", inside: "AND j.run_at <= due"),
        Gate("claim_lanes", "picked", inside: "WHERE c.places IS NOT NULL"),
        Gate("claim_lanes", "taken", before: "wanted := wanted - cardinality(taken)"),
        Gate("answer_calls", "locked", before: "places := array("),
        Gate("answer_calls", "deleted", before: "SELECT array_agg(s.lane) INTO names"),
        Gate("follow_lanes", "locked", before: "WITH was AS MATERIALIZED ("),
        Gate("rest_lanes", "locked", before: "SELECT array_agg(r.name), array_agg(r.turn)"),
        Gate("rest_lanes", "decided", before: "IF names IS NOT NULL THEN"),
        Gate("make_lanes", "shared", before: "EXIT WHEN shared = lanes"),
        Gate("make_lanes", "start", before: "WITH made AS ("),
        Gate("change_lanes", "start", before: "INSERT INTO tenure.lane_hold"),
        Gate("drop_idle_lanes", "locked", before: "WITH idlers AS"),
        Gate("declare_dead", "locked", before: "UPDATE tenure.session s"),
        Gate("close_session", "locked", before: "UPDATE tenure.session s"),
        Gate("finish", "start", before: "PERFORM tenure.lock_subjects(ARRAY[finish.job]"),
        Gate("finish", "subjects", before: "outdated := EXISTS ("),
        Gate("finish", "ended", before: "IF finish.follow_ups IS NOT NULL THEN"),
        Gate("finish_chunk", "start", before: "PERFORM tenure.lock_subjects(jobs"),
        Gate("finish_chunk", "subjects", before: "outdated := array("),
        Gate("finish_chunk", "ended", before: "late := (SELECT"),
        Gate("finish_chunk", "sound", before: "IF follow_ups IS NOT NULL THEN\n        PERFORM F"),
        Gate("end_runs", "start", before: "busy := tenure.lock_subjects("),
        Gate("end_runs", "subjects", before: "locked := CASE WHEN patient"),
        Gate("end_runs", "locked", before: "IF NOT patient THEN"),
        Gate("end_runs", "jobs", before: "SELECT coalesce(array_agg(s.subject)"),
        Gate("end_runs", "decided", before: "PERFORM tenure.apply_decisions(decisions);"),
        Gate("end_runs", "applied", before: "PERFORM tenure.release_successors(subjects);"),
        Gate("end_runs", "waits", before: "decisions := tenure.enter_waits("),
        Gate("enter_waits", "entered", before: "WITH ends AS MATERIALIZED ("),
        Gate("send_signal", "locked", before: "SELECT count(*) INTO number"),
        Gate("send_signal", "sent", before: "result := 'kept';"),
        Gate("take_wait", "taken", before: "PERFORM tenure.add_step("),
        Gate("take_signal", "taken", before: "PERFORM tenure.add_step("),
        Gate("require_current_view", "subjects", before: "PERFORM tenure.require_current_jobs("),
        Gate("enqueue_linked", "start", before: "PERFORM tenure.lock_or_make_subjects("),
        Gate("enqueue_linked", "enqueued", before: "PERFORM tenure.enter_links("),
        Gate("forget_told", "told", before: "pending := tenure.lock_told(told)"),
        Gate("forget_told", "locked", before: "IF pending IS NULL THEN"),
        Gate("forget_told", "cancelled", before: "PERFORM tenure.erase_follow_ups(told)"),
        Gate("lock_told", "subjects", before: "FOREACH one IN ARRAY told LOOP"),
        Gate("clear_job", "start", before: "WITH over AS MATERIALIZED ("),
        Gate("erase_quotes", "found", before: "IF quoting = '{}' THEN"),
        Gate("erase_quotes", "locked", before: "UPDATE tenure.job_history h SET reason"),
        Gate("keep_ends", "held", before: "INSERT INTO tenure.job_end (id, made, outcome, en"),
        Gate("mark_awaited", "shared", before: "unmarked := array("),
        Gate("mark_awaited", "locked", before: "UPDATE tenure.job j SET has_waiters"),
        Gate("enter_links", "marked", before: "over := array("),
        Gate("enter_links", "held", before: "WITH known AS MATERIALIZED ("),
        Gate("enter_links", "written", before: "PERFORM tenure.refuse_own_key("),
        Gate("enter_links", "decided", before: "PERFORM tenure.let_go("),
        Gate("end_runs", "noted", before: "IF is_awaited THEN"),
        Gate("enter_keys", "asked", before: "SELECT u.* INTO unknown"),
        Gate("enter_keys", "added", before: "PERFORM tenure.decide_keys("),
        Gate("decide_keys", "read", before: "decides := tenure.end_key("),
        Gate("decide_keys", "ended", before: "UPDATE tenure.subject s SET is_awaited"),
        Gate("note_given_up", "noted", before: "IF awaited_kinds IS NOT NULL"),
        Gate("mend_keys", "locked", before: "-- Under their locks"),
        Gate("age_queues", "found", before: "mine := array("),
        Gate("age_queues", "locked", before: "-- In the order in which they waited."),
        Gate("settle_ends", "found", before: "settled := tenure.settle_waiters("),
        Gate("settle_waiters", "failing", before: "SELECT c.* INTO doomed"),
        Gate("cancel_failing", "locked", before: "PERFORM tenure.require_durable_commit(), t"),
        Gate("settle_ends", "let go", before: "IF tenure.move_on("),
        Gate("free_waiters", "placed", before: "over := tenure.without_open(plain)"),
        Gate("free_waiters", "looked", before: "SELECT r.* INTO ids, queues, batches"),
        Gate("free_waiters", "keyed", before: "mine := tenure.lock_waiters("),
        Gate("let_go", "looked", before: "SELECT r.* INTO ids, queues, batches"),
        Gate("note_completed", "deleted", before: "WITH waited_for AS ("),
        Gate("mend_ends", "seen", before: "mended := CASE"),
        Gate("sweep_waiting", "seen", before: "ids := array(SELECT s FROM tenure.stranded(seen)"),
        Gate("sweep_waiting", "locked", before: "ids := array(SELECT s FROM tenure.stranded(ids)"),
        Gate("sweep_waiting", "known", before: "stale := array("),
        Gate("complete_run", "start", before: "SELECT * INTO mine FROM tenure.job j WHERE j.id"),
        Gate("complete_run", "subject", before: "SELECT * INTO mine FROM tenure.job j\n"),
        Gate("complete_run", "job", before: "IF mine.id IS NULL OR mine.ending_at"),
        Gate("complete_run", "read", before: "-- A successor may have to be let go, or who"),
        Gate("complete_run", "decided", before: "DELETE FROM tenure.job j"),
        Gate("complete_group", "start", before: "IF places IS NOT NULL"),
        Gate("complete_group", "left", before: "free := array("),
        Gate("complete_group", "free", before: "IF free <> '{}'"),
        Gate("remove_folded", "start", before: "IF unkept <> '{}'"),
        Gate("remove_completed", "start", before: "IF unkept <> '{}'"),
        Gate("hold_run", "subject", before: "SELECT * INTO mine FROM tenure.job j"),
        Gate("hold_run", "held", before: "IF hold_run.follow_ups IS NOT NULL THEN"),
        Gate("reclaim_runs", "locked", before: "begun := array("),
        Gate("reclaim_runs", "found", before: "RETURN QUERY\n        SELECT e.id, e.became"),
        Gate("reclaim_runs", "ended", before: "WITH done AS ("),
        Gate("cancel_one", "subject", before: "found_state := tenure.lock_job(job)"),
        Gate("cancel_one", "job", before: "IF found_state IS NULL THEN"),
        Gate("edit_job", "subject", before: "found_state := tenure.lock_job(job)"),
        Gate("edit_job", "job", before: "IF found_state IS NULL THEN"),
        Gate("edit_job", "looked", before: "moment := clock_timestamp();"),
        Gate("edit_job", "edited", before: "IF queue <> mine.queue AND"),
        Gate("renew_generation", "read", before: "drawn := nextval("),
        Gate("retry_job", "subject", before: "UPDATE tenure.job j\n    SET state = 'available'"),
        Gate("retry_job", "past", before: "past := tenure.lock_past(job)"),
        Gate("retry_job", "again", before: "SELECT e.* INTO made"),
        Gate("repeat_jobs", "locked", before: "RETURN QUERY\n                WITH made"),
        Gate("take_ids", "taken", before: "RETURN QUERY\n    SELECT w.ordinal"),
        Gate("enqueue_given", "taken", before: "rest := array("),
        Gate("drop_given_ids", "looked", before: "WITH gone AS (\n    DELETE"),
        Gate("enqueue_series", "issued", before: "FOR at_stage IN 1..2"),
        Gate("enqueue_series", "retired", before: "PERFORM tenure.skip_superseded("),
        Gate("lead", "alive", before: "INSERT INTO tenure.leader"),
        Gate("lead", "row", before: "IF EXISTS (SELECT FROM tenure.session s"),
        Gate("fire_schedules", "due", before: "UPDATE tenure.schedule s"),
        Gate("fire_schedules", "moved", before: "RETURN QUERY"),
        Gate("forget_schedules", "locked", before: "RETURN QUERY"),
        Gate("drop_idle_subjects", "locked", before: "WITH idlers AS"),
        Gate("enter_batches", "made", before: "PERFORM FROM tenure.batch r WHERE r.id = ANY"),
        Gate("settle_batches", "locked", before: "CONTINUE WHEN EXISTS (SELECT FROM tenure.job j"),
        Gate("end_locked_batches", "ended", before: "PERFORM FROM tenure.enqueue_new("),
        Gate("retire_batch", "locked", before: "RETURN tenure.move_pending("),
        Gate("drop_batches", "locked", before: "DELETE FROM tenure.batch r"),
        Gate("clear_pending", "found", before: "IF extra.whom IS NOT NULL THEN"),
        Gate("write_letters", "looked", before: "IF addressed = '{}' THEN"),
        Gate("limit_queue", "locked", before: "INSERT INTO tenure.queue (name"),
    ]
}

/// The text of a function in the database, changed at places that must be there.
struct FunctionText {
    private(set) var text: String

    /// Every occurrence.
    mutating func replace(_ old: String, with new: String) throws(NoSuchText) {
        guard text.contains(old) else { throw NoSuchText(old: old, text: text) }
        text.replace(old, with: new)
    }

    /// A gate before every occurrence of a statement.
    mutating func add(_ gate: Gate) throws(NoSuchText) {
        if gate.isInside {
            return try replace(
                gate.statement, with: "\(gate.statement) AND probe.passes('\(gate.name)')")
        }
        try replace(
            gate.statement, with: "PERFORM probe.gate('\(gate.name)');\n    \(gate.statement)")
    }
}

/// A change did not fit: the function has another text than the test was written for.
struct NoSuchText: Error, CustomStringConvertible {
    let old: String
    let text: String
    var description: String { "nothing to replace: \(old)\nin:\n\(text)" }
}
