import Foundation

/// A run that a made-up world has going.
struct MadeRun {
    let job: Int
    let fence: Int
    let session: Int

    var process: String { World.processes[session] ?? "" }
    var fields: Row { ["job": .text(id(job)), "fence": .integer(fence)] }
}

/// The id of a job that tests call by a number.
func id(_ job: Int) -> String {
    let digits = String(job)
    return "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

/// How a producer's line says that a job waits for another.
func waitFor(_ job: Int, goesOn: Bool = false) -> Row {
    ["job": .text(id(job)), "goesOn": .bool(goesOn)]
}

/// What a test may say of an enqueue.
struct EnqueueOptions {
    var key: String?
    var mode = "superseding"
    var tag = "tag"
    /// The pending job that it is merged into.
    var into: Int?
    var answer: String? = "acknowledged"
    var isInserted = true
    var isUnkept = false
    var lane: String?
    var maxAttempts = 5
    var retryOf: Int?
    var state = "available"
    /// Whom it waits for, as the producer's line has it.
    var after: [Row] = []
}

extension World {
    /// A producer sends a job and is answered.
    mutating func enqueue(_ job: Int, _ change: (inout EnqueueOptions) -> Void = { _ in }) {
        var options = EnqueueOptions()
        change(&options)
        let call = nextCall()
        var sent: Row = ["job": .text(id(job)), "kind": "work", "tag": .text(options.tag)]
        if let key = options.key {
            sent["key"] = .text(key)
            sent["mode"] = .text(options.mode)
            sent["overlap"] = "allowed"
        }
        if !options.after.isEmpty { sent["after"] = .list(options.after.map(\.value)) }
        log(
            "p1", "enqueueSent",
            ["call": .integer(call), "jobs": .list([sent.value])])
        pass(0.01)
        if options.isInserted { place(job, options) }
        pass(0.01)
        guard let answer = options.answer else { return }
        let became = Value.text(id(options.into ?? job))
        let jobs: Row = ["job": .text(id(job)), "became": became]
        log(
            "p1", "enqueueAnswered",
            [
                "call": .integer(call), "answer": .text(answer),
                "jobs": .list(answer == "acknowledged" ? [jobs.value] : []),
            ])
    }

    /// What the enqueue does in the database.
    mutating func place(_ job: Int, _ options: EnqueueOptions) {
        transaction { world in
            var generation: Value = nil
            if let key = options.key, options.into == nil {
                let number = world.nextGeneration()
                generation = .integer(number)
                world.issue(key, number, raisesFloor: options.mode == "superseding")
                if options.mode == "superseding" { world.retirePending(of: key) }
            }
            if let other = options.into {
                world.update("job", id(other), ["payload": ["tag": .text(options.tag)].value])
            } else {
                world.insert("job", id(job), world.jobRow(job, generation, options))
            }
        }
    }

    private mutating func issue(_ key: String, _ generation: Int, raisesFloor: Bool) {
        let issued = Value.integer(generation)
        if tables["subject"]?[key] == nil {
            insert(
                "subject", key,
                [
                    "kind": "work", "key": .text(key), "issued": issued,
                    "floor": raisesFloor ? issued : 0, "committed": 0,
                ])
        } else {
            update(
                "subject", key,
                raisesFloor ? ["issued": issued, "floor": issued] : ["issued": issued])
        }
    }

    private mutating func retirePending(of key: String) {
        let pending = (tables["job"] ?? [:]).filter {
            $0.value["key"] == .text(key) && $0.value["state"] != "running"
        }
        for (job, _) in pending.sorted(by: { $0.key < $1.key }) { finish(job, "superseded") }
    }

    private func jobRow(_ job: Int, _ generation: Value, _ options: EnqueueOptions) -> Row {
        [
            "id": .text(id(job)), "kind": "work", "key": .optional(options.key),
            "generation": generation, "queue": options.isUnkept ? "unkept" : "default",
            "lane": .optional(options.lane), "state": .text(options.state), "fence": nil,
            "session_id": nil, "attempt": 0, "max_attempts": .integer(options.maxAttempts),
            "refunds": 0, "runs": 0, "run_at": databaseTime,
            "payload": ["tag": .text(options.tag)].value,
            "retry_of": .optional(options.retryOf.map(id)),
        ]
    }

    /// Moves a job to history, in the transaction that goes on.
    mutating func finish(_ job: String, _ outcome: String, _ changes: Row = [:]) {
        let row = row("job", job).with(changes)
        delete("job", job)
        guard row["queue"] != "unkept" else { return }
        var kept = row
        for column in ["state", "session_id", "refunds", "run_at"] { kept[column] = nil }
        insert("job_history", job, kept.with(["outcome": .text(outcome)]))
    }

    @discardableResult
    mutating func claim(_ job: Int, by session: Int = 1, isTold: Bool = true) -> MadeRun {
        lastFence += 1
        let run = MadeRun(job: job, fence: lastFence, session: session)
        transaction { $0.claim(run) }
        pass(0.01)
        if isTold { told(run) }
        return run
    }

    /// The claim, in the transaction that goes on.
    mutating func claim(_ run: MadeRun) {
        let row = row("job", id(run.job))
        update(
            "job", id(run.job),
            [
                "state": "running", "fence": .integer(run.fence),
                "session_id": .integer(run.session),
                "attempt": .integer((row["attempt"]?.integer ?? 0) + 1),
                "runs": .integer((row["runs"]?.integer ?? 0) + 1),
            ])
    }

    mutating func told(_ run: MadeRun) {
        log(run.process, "claimed", run.fields.with(["session": .integer(run.session)]))
    }

    @discardableResult
    mutating func start(_ job: Int, by session: Int = 1) -> MadeRun {
        let run = claim(job, by: session)
        event(run, "handlerStarted")
        return run
    }

    mutating func event(_ run: MadeRun, _ name: String, _ fields: Row = [:]) {
        log(run.process, name, run.fields.with(fields))
    }

    /// The handler looks, and sends after some time.
    mutating func effect(_ run: MadeRun, sentAfter seconds: Double = 0.01) {
        event(run, "effectStarting")
        sink.append(
            run.fields.with(["boot": .boot(boot + seconds), "sent": .boot(boot + seconds)]))
    }

    /// What a right commit does in the database.
    mutating func commitVisibly(_ run: MadeRun, tag: String = "tag") {
        transaction { world in
            let row = world.row("job", id(run.job))
            world.makeVisible(run, ["payload_tag": .text(tag)])
            if let key = row["key"]?.text {
                world.update("subject", key, ["committed": row["generation"] ?? nil])
            }
            world.finish(id(run.job), "completed")
        }
    }

    /// The visible commit, in the transaction that goes on.
    mutating func makeVisible(_ run: MadeRun, _ changes: Row = [:]) {
        let row = row("job", id(run.job))
        let number = tables["effect"]?.count ?? 0
        let effect: Row = [
            "job": .text(id(run.job)), "fence": .integer(run.fence), "kind": "work",
            "key": row["key"] ?? nil, "generation": row["generation"] ?? nil,
            "payload_tag": "tag",
        ]
        insert("effect", "\(number)", effect.with(changes))
    }

    mutating func commit(_ run: MadeRun, tag: String = "tag") {
        event(run, "commitStarting")
        pass(0.01)
        commitVisibly(run, tag: tag)
        pass(0.01)
        event(run, "commitAnswered", ["answer": "committed"])
        event(run, "handlerEnded", ["how": "returned"])
    }

    /// A job from its enqueue to its commit.
    @discardableResult
    mutating func work(_ job: Int, _ change: (inout EnqueueOptions) -> Void = { _ in }) -> MadeRun {
        enqueue(job, change)
        let run = start(job)
        effect(run)
        pass(0.01)
        commit(run)
        return run
    }

    /// The job's row leaves the running state.
    mutating func release(_ run: MadeRun, _ state: String = "available", isRefunded: Bool = true) {
        transaction { $0.leave(run, state, isRefunded: isRefunded) }
    }

    mutating func leave(_ run: MadeRun, _ state: String, isRefunded: Bool) {
        let row = row("job", id(run.job))
        let attempt = (row["attempt"]?.integer ?? 0) - (isRefunded ? 1 : 0)
        let refunds = (row["refunds"]?.integer ?? 0) + (isRefunded ? 1 : 0)
        let isOutcome = ["cancelled", "superseded", "discarded"].contains(state)
        if isOutcome {
            finish(id(run.job), state, ["attempt": .integer(attempt)])
        } else {
            update(
                "job", id(run.job),
                [
                    "state": .text(state), "fence": nil, "session_id": nil,
                    "attempt": .integer(attempt), "refunds": .integer(refunds),
                ])
        }
    }

    /// The handler is cancelled, lets go, and its job is given back.
    mutating func cancel(
        _ run: MadeRun, _ reason: String, to state: String = "available", isRefunded: Bool = true
    ) {
        event(run, "cancelDelivered", ["reason": .text(reason)])
        pass(0.01)
        event(run, "handlerEnded", ["how": "cancelled"])
        release(run, state, isRefunded: isRefunded)
    }

    /// An attempt that failed, as the table tells it.
    mutating func fail(_ run: MadeRun) {
        errors.append(
            ["job_id": .text(id(run.job)), "fence": .integer(run.fence), "attempt": 1])
    }

    /// A process is killed, and lives no longer in any log.
    mutating func kill(_ session: Int = 1) {
        fault("killWorker", ["process": .text(World.processes[session] ?? "")])
    }

    mutating func freeze(_ session: Int = 1, for seconds: Double) {
        fault(
            "freezeWorker",
            [
                "process": .text(World.processes[session] ?? ""), "until": .boot(boot + seconds),
            ])
    }
}
