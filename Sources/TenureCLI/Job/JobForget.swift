import ArgumentParser
import Tenure

struct JobForget: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Delete what is known of jobs, as if they had never been.",
        discussion: """
            Their payloads, results, errors, progress, steps, waits and signals, their rows in \
            history, their letters, and what others have copied of how they ended. The audit log \
            says how many were forgotten, by whom and why, and not which. Unfinished ones stay \
            unless --cancel cancels them first; what runs stays. A job that was run again is \
            another one: a filter by key or kind finds both. With --all it counts what matches \
            and does nothing until --yes is given; what is done by then stays done when it is \
            interrupted. Ends with 1 when one stays as it was. Of a job that history has dropped, \
            its id finds what is left. Backups know what they know.

            Example:
              tenure job forget --all --where customer=7
              tenure job forget --all --key customer-7 --cancel --yes --reason "art. 17, no. 12"
            """)

    @OptionGroup var selection: JobSelection
    @Flag(help: "Cancel unfinished ones first; without it they stay.") var cancel = false
    @Flag(help: "With --all: do it, not only count.") var yes = false
    @Option(help: "Who forgets, for those who look later. (default: the user's name)")
    var by: String?
    @Option(
        help: "Why, for the audit log; without what is to be forgotten.",
        transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if selection.all, selection.flags.isEmpty {
            throw ValidationError(
                "forget --all needs a filter: --state, --kind, --queue, --key, --batch, --tag, "
                    + "--where, --older-than, --error, --due or --later")
        }
    }

    func execute() async throws {
        var work = JobWork(
            act: .forget(cancelling: cancel), selection: selection, by: by, json: json)
        work.reason = reason
        work.states = Set(JobStatus.allCases)
        work.refusals = [
            .unfinished: "not over yet; give --cancel to cancel what is unfinished",
            .running: "it, or its letter, runs; cancel it, and forget it when it has let go",
            .busy: "somebody's open transaction has to do with it; try again later",
        ]
        work.isAsked = selection.all && !yes && !selection.dryRun
        work.wantsAll = true
        try await work.run(try await common.settings())
    }
}
