import ArgumentParser
import Tenure
import TenureFoundation

/// What jobs have in common, as flags.
struct JobFilterFlags: ParsableArguments {
    @Option(help: "Only this state; repeatable.", transform: JobArgument.state)
    var state: [JobStatus] = []
    @Option(help: "Only this kind.") var kind: String?
    @Option(help: "Only this queue.") var queue: String?
    @Option(help: "Only this key.") var key: String?
    @Option(help: "Only this batch, by its id.", transform: JobArgument.batch) var batch: UUID?
    @Option(
        help: "Only those made longer ago than this, such as 30m, 12h or 7d.",
        transform: JobArgument.age)
    var olderThan: Duration?
    @Option(help: "Only those with this text in an error or in their reason, in any case.")
    var error: String?
    @Option(help: "Only those with this tag; for all of several: repeat it.")
    var tag: [String] = []
    @Option(
        name: .customLong("where"),
        help: .init(
            "Only those whose payload has this value, JSON or text; for all of several: repeat it.",
            valueName: "field=value"))
    var conditions: [String] = []
    @Flag(help: "Only those whose time to run has come, which wait for nothing but a worker.")
    var due = false
    @Flag(help: "Only those whose time to run is yet to come.") var later = false

    func validate() throws {
        if due, later { throw ValidationError("give --due or --later, not both") }
        do {
            _ = try PayloadCondition.json(conditions)
        } catch let error as TenureError {
            throw ValidationError("--where \(ErrorLine.text(error))")
        }
    }

    var isEmpty: Bool {
        state.isEmpty && kind == nil && queue == nil && key == nil && batch == nil
            && olderThan == nil && error == nil && !due && !later && tag.isEmpty
            && conditions.isEmpty
    }

    var filter: JobFilter {
        var filter = JobFilter()
        filter.tags = tag
        // Reason for `try?`: `validate` has refused what can't be read.
        filter.payload = try? PayloadCondition.json(conditions)
        filter.states = Set(state)
        filter.kind = kind.map { JobKind($0) }
        filter.queue = queue.map { QueueName($0) }
        filter.key = key
        filter.batch = batch
        filter.olderThan = olderThan
        filter.error = error
        filter.isDue = due ? true : later ? false : nil
        return filter
    }
}

/// Which jobs a verb is for: those named by id, or all that have something in common.
struct JobSelection: ParsableArguments {
    @Argument(help: "The jobs' ids.", transform: JobArgument.id) var ids: [JobID] = []
    @Flag(help: "Every job that matches the filters, instead of ids.") var all = false
    @OptionGroup var flags: JobFilterFlags
    @Flag(help: "With --all: count what matches, by state, kind and queue, and do nothing.")
    var dryRun = false

    func validate() throws {
        if ids.isEmpty, !all {
            throw ValidationError(
                flags.isEmpty
                    ? "give ids, or filters with --all"
                    : "filters need --all, to do it to every job that matches; look first with "
                        + "--all --dry-run")
        }
        if !ids.isEmpty, all || !flags.isEmpty {
            throw ValidationError("give ids, or --all with filters, not both")
        }
        if dryRun, !all { throw ValidationError("--dry-run needs --all") }
    }

    /// Bulk verbs that would take every unfinished job there is want to be told which.
    func requireFilter(_ verb: JobVerb) throws {
        if all, flags.isEmpty {
            throw ValidationError(
                "\(verb.rawValue) --all needs a filter: --state, --kind, --queue, --key, "
                    + "--batch, --older-than, --error, --due or --later")
        }
    }

    /// Bulk verbs that can do harm to finished jobs want their states named.
    func requireState(_ verb: JobVerb) throws {
        if all, flags.state.isEmpty {
            throw ValidationError(
                "\(verb.rawValue) --all needs --state, such as --state discarded")
        }
    }
}
