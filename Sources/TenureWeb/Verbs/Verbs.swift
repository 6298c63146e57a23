import Tenure
import TenureCoordinator
import TenureFoundation

/// What is asked for with a POST. The database decides whether it may be done.
struct Verbs: Sendable {
    let look: Look
    /// Written beside what was done.
    let whom: String
    let form: Query

    private var reason: String? { get throws { try Reason.of(form) } }

    var doer: Operator {
        get throws { Operator(client: look.client, as: whom, because: try reason) }
    }

    /// - Returns: nil for an address at which nothing of the queue is done.
    /// - Throws: `NotThere`, `BadRequest`, and what the database says.
    func run(_ path: [String], _ query: Query) async throws -> VerbResult? {
        switch (path.first, path.count) {
        case ("jobs", 2) where path == EnqueuePage.path: return try await enqueue()
        case ("jobs", 3) where path[2] == "edit":
            return try await edit(JobID(try Route.id(path[1], "job")))
        case ("jobs", 2):
            guard let verb = JobVerb(rawValue: path[1]) else { break }
            if let text = form["all"] { return try await applyToAll(verb, query, expected: text) }
            return try await applyToChosen(verb, form.all("job"))
        case ("jobs", 3):
            guard let verb = JobVerb(rawValue: path[2]) else { break }
            return try await apply(verb, JobID(try Route.id(path[1], "job")))
        case ("queues", 3):
            return try await change(queue: path[1], path[2])
        case ("kinds", 3):
            return try await change(kind: path[1], path[2])
        case ("workers", 3) where path[2] == "stop":
            let isAlive = try await doer.stop(Route.session(path[1]))
            return VerbResult(
                result: isAlive
                    ? "Asked to stop: it learns it with its next beat." : "It had ended.",
                path: Array(path.prefix(2)), isGood: isAlive)
        case ("batches", 3) where path[2] == "cancel":
            let isOpen = try await doer.cancel(batch: Route.id(path[1], "batch"))
            return VerbResult(
                result: isOpen
                    ? "Cancelled: what runs is told to stop." : "It had ended, or was cancelled.",
                path: Array(path.prefix(2)), isGood: isOpen)
        case ("schedules", 3):
            return try await change(schedule: path[1], path[2])
        case ("lanes", 4):
            return try await change(lane: path[2], of: path[1], path[3])
        default: break
        }
        return nil
    }

    private func apply(_ verb: JobVerb, _ job: JobID) async throws -> VerbResult {
        let path = ["jobs", "\(job)"]
        switch verb {
        case .cancel: return Self.result(try await doer.cancel(job), path)
        case .discard: return Self.result(try await doer.discard(job), path)
        case .delete:
            let result = try await doer.delete(job)
            return Self.result(result, result == .deleted ? ["jobs"] : path)
        case .retry:
            guard let next = try await doer.retry(job) else { return Self.result(.unknown, path) }
            return VerbResult(result: "It runs as job \(next.id).", path: ["jobs", "\(next.id)"])
        }
    }

    private func applyToChosen(_ verb: JobVerb, _ ids: [String]) async throws -> VerbResult {
        guard !ids.isEmpty else {
            throw BadRequest("no job is chosen; choose some in the list, by their boxes")
        }
        var tally: [JobResult.Result: Int] = [:]
        guard ids.count <= ListLength.most else {
            throw BadRequest("\(ids.count) jobs are chosen; choose \(ListLength.most) at most")
        }
        for job in try ids.map({ JobID(try Route.id($0, "job")) }) {
            do {
                tally[try await became(verb, job), default: 0] += 1
            } catch  where !tally.isEmpty {
                throw BrokenOff(done: Self.result(tally).result, cause: error)
            }
        }
        return Self.result(tally)
    }

    private func became(_ verb: JobVerb, _ job: JobID) async throws -> JobResult.Result {
        switch verb {
        case .cancel: try await doer.cancel(job)
        case .discard: try await doer.discard(job)
        case .delete: try await doer.delete(job)
        case .retry: try await doer.retry(job) == nil ? .unknown : .retried
        }
    }

    /// - Parameter expected: how many they were when somebody was asked.
    private func applyToAll(
        _ verb: JobVerb, _ query: Query, expected: String
    ) async throws -> VerbResult {
        let filter = try BulkPage.filter(verb, query)
        let count = try await look.inspector.total(filter, upTo: BulkPage.most + 1)
        guard count <= BulkPage.most else {
            throw BadRequest(
                "more than \(BulkPage.most) jobs match, and so many are done at a time; name fewer")
        }
        guard expected == "\(count)" else {
            throw BadRequest(
                "\(count) jobs match now, and all is \"\(expected.prefix(20))\"; look again, and "
                    + "give all=\(count)")
        }
        var done = 0
        do {
            // Back to the same list, with what has become of them.
            let tally = try await doer.apply(verb, toAll: filter) { done = $0 }
            return Self.result(tally, listing: JobQuery.pairs(query))
        } catch  where done > 0 {
            throw BrokenOff(done: "\(done) of \(count) were done.", cause: error)
        }
    }

    private static func result(_ became: JobResult.Result, _ path: [String]) -> VerbResult {
        let (words, isGood): (String, Bool) =
            switch became {
            case .cancelled: ("Cancelled.", true)
            case .cancelling: ("Told to stop: it is over when its run has let go.", true)
            case .discarded: ("Given up.", true)
            case .deleted: ("Deleted.", true)
            case .forgotten: ("Forgotten.", true)
            case .retried: ("It runs again.", true)
            case .kept: ("It runs or waits already, or another job stands for it.", false)
            case .running: ("Not discarded: it runs. Cancel it first.", false)
            case .unfinished: ("Not deleted: it isn't over yet.", false)
            case .finished: ("It was over already.", false)
            case .refused: ("It can't be enqueued as it is.", false)
            case .unknown: ("There is no such job, or history has dropped it.", false)
            case .busy: ("It was locked just then, and is as it was; try again.", false)
            }
        return VerbResult(result: words, path: path, isGood: isGood)
    }

    /// - Parameter query: of the list in which that is seen.
    private static func result(
        _ tally: [JobResult.Result: Int], listing query: [(String, String?)] = []
    ) -> VerbResult {
        let parts = tally.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.value) \($0.key.rawValue)"
        }
        return VerbResult(
            result: parts.isEmpty ? "No job matched." : parts.joined(separator: ", ") + ".",
            path: ["jobs"], isGood: !parts.isEmpty && tally[.busy] == nil, query: query)
    }
}

/// What can be paused, and held.
extension Verbs {
    private static let notPaused = "It was not paused."

    private func change(queue name: String, _ verb: String) async throws -> VerbResult {
        let path = ["queues", name]
        switch verb {
        case "pause":
            let isKnown = try await look.inspector.queue(QueueName(name), countingTo: 1) != nil
            try await doer.pause(QueueName(name))
            let note = isKnown ? "" : " No job and no worker has named it so far."
            return VerbResult(result: "Paused: what runs goes on.\(note)", path: path)
        case "resume":
            let was = try await doer.resume(QueueName(name))
            return VerbResult(result: was ? "Resumed." : Self.notPaused, path: path, isGood: was)
        default: throw NotThere(description: "A queue can be paused and resumed.")
        }
    }

    private func change(kind name: String, _ verb: String) async throws -> VerbResult {
        switch verb {
        case "pause":
            try await doer.pause(kind: JobKind(name), because: reason)
            return VerbResult(result: "Paused \(name): what runs goes on.", path: ["kinds"])
        case "resume":
            let was = try await doer.resume(kind: JobKind(name))
            return VerbResult(
                result: was ? "Resumed \(name)." : Self.notPaused, path: ["kinds"], isGood: was)
        default: throw NotThere(description: "A kind can be paused and resumed.")
        }
    }

    private func change(schedule name: String, _ verb: String) async throws -> VerbResult {
        let schedules = try Schedules(pool: look.pool, as: whom)
            .acting(from: .console, because: reason)
        switch verb {
        case "pause":
            let isThere = try await schedules.pause(name)
            return VerbResult(
                result: isThere ? "Paused \(name)." : "There is no schedule \(name).",
                path: ["schedules"], isGood: isThere)
        case "resume":
            let was = try await schedules.resume(name)
            return VerbResult(
                result: was == nil
                    ? "There is no schedule \(name)."
                    : was == true ? "Resumed \(name)." : Self.notPaused,
                path: ["schedules"], isGood: was == true)
        case "trigger": return try await trigger(name, schedules)
        default:
            throw NotThere(description: "A schedule can be triggered, paused and resumed.")
        }
    }

    private func trigger(_ name: String, _ schedules: Schedules) async throws -> VerbResult {
        do {
            guard let job = try await schedules.trigger(name) else {
                return VerbResult(
                    result: "There is no schedule \(name).", path: ["schedules"], isGood: false)
            }
            let words =
                switch job.result {
                case .enqueued: "Enqueued, beside its ticks."
                case .updated: "The key's pending job has its payload now; no other was added."
                case .kept: "Nothing was added: its key has this unfinished job."
                }
            return VerbResult(
                result: words, path: ["jobs", "\(job.id)"], isGood: job.result != .kept)
        } catch let error as PostgresError where error.sqlState == "TN003" {
            return VerbResult(
                result: "Its job can't be enqueued: \(error.message).", path: ["schedules"],
                isGood: false)
        }
    }

    private func change(
        lane name: String, of queue: String, _ verb: String
    ) async throws -> VerbResult {
        let lanes = Lanes(client: look.client, queue: QueueName(queue))
        switch verb {
        case "hold":
            try await lanes.hold(name, for: .seconds(3600), reason: reason, by: whom)
            return VerbResult(
                result: "\(name) starts no job for an hour.", path: ["lanes"],
                query: [("queue", queue)])
        case "release":
            let was = try await lanes.release(name, by: whom, because: reason)
            return VerbResult(
                result: was ? "Released \(name)." : "\(name) was not on hold.", path: ["lanes"],
                isGood: was, query: [("queue", queue)])
        default: throw NotThere(description: "A lane can be held and released.")
        }
    }
}
