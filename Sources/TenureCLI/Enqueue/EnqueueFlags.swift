import ArgumentParser
import Content
import Tenure
import TenureFoundation

/// A job, as flags.
struct EnqueueFlags: ParsableArguments {
    enum Mode: String, CaseIterable, ExpressibleByArgument {
        case superseding, coalescing, keeping, debounced
    }

    @Argument(help: "The kind of job.") var kind: String
    @Option(help: "JSON; - reads standard input, @FILE a file. (default: {})")
    var payload: String?
    @Option(help: "The version of the payload's form, 1 to 32767. (default: the kind's)")
    var payloadVersion: Int16?
    @Option(help: "What the job is about.") var key: String?
    @Option(help: "What happens to the key's other jobs. (default: superseding)")
    var mode: Mode?
    @Flag(help: "Superseding: start only when the old run has let go.") var noOverlap = false
    @Option(help: "Debounced: never later than this after the first enqueue.") var maxWait: String?
    @Option(help: "Keeping: for so long after its enqueue a completed one stands for it, too.")
    var within: String?
    @Option(help: "The queue. (default: the kind's, else default)") var queue: String?
    @Option(help: "Lower runs first, 0 to 9. (default: the kind's, else 5)") var priority: Int16?
    @Option(help: "Run it after a pause, such as 30s or 5m.") var after: String?
    @Option(help: "Run it at a time, such as 2030-01-31T08:00:00Z.") var at: String?
    @Option(help: "Run it when this job is completed; else cancel it. For several: repeat it.")
    var afterCompleted: [String] = []
    @Option(help: "Run it when this job has ended, however it does. For several: repeat it.")
    var afterEnded: [String] = []
    @Option(
        help: .init(
            "Run it when this key has committed its newest generation, or a newer one; else cancel "
                + "it. For several: repeat it.", valueName: "kind=key"))
    var afterKey: [String] = []
    @Option(help: "Discard it if it has not begun so long from now, such as 10m.")
    var expiresIn: String?
    @Option(help: "Discard it if it has not begun by a time, such as 2030-01-31T08:00:00Z.")
    var notAfter: String?
    @Option(help: "Attempts before it is discarded, 1 to 10000. (default: the kind's, else 25)")
    var maxAttempts: Int?
    @Option(help: "A word by which people find it, of 1 to 64 bytes; at most 10: repeat it.")
    var tag: [String] = []
    @Option(help: "The part of the queue whose limit it shares.") var lane: String?
    @Option(help: "The lane's limit, where the lane is new.") var laneMaxRunning = 1
    @Option(help: "The least pause between two starts, where the lane is new.")
    var laneMinInterval: String?

    func validate() throws {
        if key == nil, mode != nil || noOverlap || maxWait != nil || within != nil {
            throw ValidationError("--mode, --no-overlap, --max-wait and --within need a --key")
        }
        if expiresIn != nil, notAfter != nil {
            throw ValidationError("give --expires-in or --not-after, not both")
        }
        if after != nil, at != nil { throw ValidationError("give --after or --at, not both") }
        if mode == .debounced, after == nil {
            throw ValidationError("--mode debounced needs --after, its pause")
        }
        if maxWait != nil, mode != .debounced {
            throw ValidationError("--max-wait needs --mode debounced")
        }
        if within != nil, mode != .keeping {
            throw ValidationError("--within needs --mode keeping")
        }
        if lane == nil, laneMinInterval != nil || laneMaxRunning != 1 {
            throw ValidationError("--lane-max-running and --lane-min-interval need a --lane")
        }
    }

    /// What no flag says is as the product's own kinds have it.
    /// - Parameter orKey: kept where there is no key.
    func newJob(orKey: String? = nil) throws -> NewJob {
        let payload = try PayloadSource.read(payload ?? "{}")
        let (kind, mode, options) = (JobKind(kind), try keyMode(), try options())
        func make(_ mode: KeyMode?) throws -> NewJob {
            try ProductJobs.types.job(
                kind: kind, payload: payload, payloadVersion: payloadVersion, mode,
                options: options)
        }
        do {
            var job = try make(mode)
            if let orKey, job.mode == nil { job = try make(.keeping(orKey)) }
            try ContentJobs.check(job.kind, payload: payload)
            return job
        } catch let error as TenureError where error.code == .invalidJob {
            throw Self.named(error)
        }
    }

    /// As the library says it, with the flag in the place of its parameter.
    static func named(_ error: TenureError) -> Failure {
        let flags = [
            "notAfter": "--expires-in or --not-after", "maxAttempts": "--max-attempts",
            "lane.maxRunning": "--lane-max-running", "lane.minInterval": "--lane-min-interval",
            "priority": "--priority", "within": "--within", "payloadVersion": "--payload-version",
            "tag": "--tag", "tags": "--tag",
            "after.count": "--after-completed, --after-ended and --after-key",
            "after's kind": "--after-key's kind", "after's key": "--after-key's key",
        ]
        let text = ErrorLine.text(error)
        let flag = flags.first { text.hasPrefix("\($0.key) ") }
        return Failure(flag.map { $0.value + text.dropFirst($0.key.count) } ?? text)
    }

    private func keyMode() throws -> KeyMode? {
        guard let key else { return nil }
        switch mode ?? .superseding {
        case .superseding: return .superseding(key, overlap: noOverlap ? .forbidden : .allowed)
        case .coalescing: return .coalescing(key)
        case .keeping: return .keeping(key, within: try Self.duration(within, "--within"))
        case .debounced:
            return .debounced(
                key, interval: try Self.duration(after, "--after") ?? .zero,
                maxWait: try Self.duration(maxWait, "--max-wait"))
        }
    }

    private func options() throws -> EnqueueOptions {
        var options = EnqueueOptions(
            queue: queue.map { QueueName($0) }, priority: priority.map { JobPriority($0) },
            after: try predecessors(), maxAttempts: maxAttempts, tags: tag)
        if let time = try Self.runTime(after: mode == .debounced ? nil : after, at: at) {
            options.runTime = time
        }
        options.notAfter = try expiry()
        if let lane {
            options.lane = Lane(
                lane, maxRunning: laneMaxRunning,
                minInterval: try Self.duration(laneMinInterval, "--lane-min-interval") ?? .zero)
        }
        return options
    }

    private func predecessors() throws -> [Predecessor] {
        func id(_ text: String) throws -> JobID {
            guard let id = JobID(text) else {
                throw Failure("a job's id looks like 01990000-0000-7000-8000-000000000000")
            }
            return id
        }
        return try afterCompleted.map { .completed(try id($0)) }
            + afterEnded.map { .ended(try id($0)) } + afterKey.map { try Self.key($0) }
    }

    /// `KIND=KEY`: a kind has no `=` as a rule, a key may.
    private static func key(_ text: String) throws -> Predecessor {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw Failure("--after-key is \"\(text)\"; give a kind and a key, such as invoice=42")
        }
        return .key(JobKind(String(text[..<sign])), String(text[text.index(after: sign)...]))
    }

    /// - Returns: nil where neither is given.
    static func runTime(after: String?, at: String?) throws -> RunTime? {
        if let date = try date(at, "--at") { return .at(date) }
        return try duration(after, "--after").map { .after($0) }
    }

    private func expiry() throws -> Expiry? {
        if let span = try Self.duration(expiresIn, "--expires-in") { return .after(span) }
        guard let date = try Self.date(notAfter, "--not-after") else { return nil }
        if date.timeIntervalSinceNow <= 0 {
            throw Failure("--not-after is \(TimeText.full(date)); give a time ahead")
        }
        return .at(date)
    }

    private static func duration(_ text: String?, _ flag: String) throws -> Duration? {
        guard let text else { return nil }
        return try SettingValue.duration(
            .init(text: text, source: flag), .zero ... .seconds(3650 * 86_400))
    }

    private static func date(_ text: String?, _ flag: String) throws -> Date? {
        guard let text else { return nil }
        if let date = TimeText.read(text) { return date }
        throw Failure("\(flag) is \"\(text)\"; give a time such as 2030-01-31T08:00:00Z")
    }
}
