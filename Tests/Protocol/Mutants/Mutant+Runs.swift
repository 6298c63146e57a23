extension Mutant {
    static let all =
        locks + decisions + claims + deaths + keys + ids + snapshots + others + batches + chunks
        + waits + afters + keyWaits + tags + folding + bulks + edits + letters + forgetting

    /// The order of locks, and locks left out.
    static let locks = [
        Mutant(
            "finish locks the job before its subject",
            (
                "complete_run", "PERFORM probe.gate('complete_run:start');",
                """
                PERFORM FROM tenure.job j WHERE j.id = complete_run.job FOR UPDATE;
                PERFORM probe.gate('complete_run:start');
                """
            ), meet: "commit 1 (k1)", "cancel 1 (runs)", finding: "40P01"),
        Mutant(
            "a commit takes its fence before it writes",
            Operation(
                "commit 1, fence first", Operation.finish(1),
                Operation.write("p1", job: 1, key: "k1", generation: 11)),
            meet: "edit p1, supersede k1", finding: "40P01"),
        Mutant(
            "a reclaim does not lock subjects",
            ("reclaim_runs", "FOR NO KEY UPDATE SKIP LOCKED", ""),
            ("lock_subjects", "FOR NO KEY UPDATE SKIP LOCKED", ""),
            meet: "reclaim", "supersede k4", finding: "no pending job is below its floor"),
        Mutant(
            "a reclaim waits for locked jobs",
            ("reclaim_runs", "FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
            ("end_runs", "FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
            meet: "commit 7 (dead)", "reclaim", finding: "waits for a user's open transaction"),
        Mutant(
            "hold_run does not lock the subject",
            (
                "hold_run",
                "PERFORM tenure.lock_subjects(ARRAY[hold_run.job], hold_run.follow_ups, true);", ""
            ),
            meet: "hold 1 (k1), write", "supersede k1 no overlap",
            finding: "no write is older than the floor"),
    ]

    /// What `decide` and its callers look at.
    static let decisions = [
        Mutant(
            "no floor in the decision",
            ("decide", "(s.floor > j.generation OR s.committed >= j.generation)", "false"),
            meet: "commit 1 (k1)", "supersede k1 no overlap",
            finding: "no write is older than the floor"),
        Mutant(
            "no floor for a run that enqueues nothing",
            ("complete_run", "was.floor > mine.generation", "false"),
            ("complete_run", "was.committed >= mine.generation", "false"),
            ("complete_run", "n.id <> mine.id", "false"),
            meet: "commit 1 (k1)", "supersede k1 no overlap",
            finding: "no write is older than the floor"),
        Mutant(
            "no fence for a run that enqueues nothing",
            ("complete_run", " AND j.fence = complete_run.fence", ""),
            meet: "commit 5 (k4, dead)", "reclaim", finding: "only a run completes"),
        Mutant(
            "a cancelled run that enqueues nothing may complete",
            ("complete_run", "mine.ending_at IS NOT NULL OR ", ""),
            meet: "commit 9 (cancelled)", "beat 1", finding: "only a run completes"),
        Mutant(
            "no fence in the decision", ("end_runs", " AND j.fence = e.fence", ""),
            ("end_runs", " AND l.fence = e.fence", ""), ("end_runs", " AND d.fence = e.fence", ""),
            meet: "commit 5 (k4, dead)", "reclaim", finding: "only a run completes"),
        Mutant(
            "end_runs joins by id alone, without the fence",
            ("end_runs", " AND l.fence = e.fence", ""),
            meet: "end 1 6, stale beside current", "beat 1",
            finding: "a stale ending leaves nothing"),
        Mutant(
            "no fence when completing in groups", ("complete_group", " AND j.fence = r.fence", ""),
            (
                "remove_completed",
                "((j.id, j.fence) IN (SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE",
                "j.id = ANY (ids)"
            ), meet: "complete 6 13 18 23 7", "hand back 18", finding: "only a run completes"),
        Mutant(
            "what lies at a run's place is believed to be it",
            (
                "remove_completed",
                "((j.id, j.fence) IN (SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE", "true"
            ), meet: "complete 6 18, rows moved", "beat 1", finding: "only a run completes"),
        Mutant(
            "a put-back does not look at the floor again",
            (
                "decide", "outdated boolean := j.generation IS NOT NULL",
                "outdated boolean := e.wanted = 'completed' AND j.generation IS NOT NULL"
            ), meet: "snooze 26 (outdated)", "beat 1",
            finding: "no pending job is below its floor"),
        Mutant(
            "a put-back does not see its successor",
            ("decide", "ELSIF newer AND", "ELSIF false AND"),
            meet: "hand back 1 2 13", "beat 1", finding: "a key has one pending job"),
        Mutant(
            "a cancelled run may complete",
            ("decide", "IF j.ending_at IS NOT NULL OR e.wanted", "IF e.wanted"),
            meet: "commit 9 (cancelled)", "beat 1", finding: "only a run completes"),
        Mutant(
            "the end of a run releases no successor",
            ("end_runs", "PERFORM tenure.release_successors(subjects);", ""),
            meet: "fail 1 2 6", "beat 1", finding: "a successor waits only for a run"),
    ]
}
