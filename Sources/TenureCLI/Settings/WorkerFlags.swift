import ArgumentParser

/// The flags of whatever runs workers.
package struct WorkerFlags: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            "A queue and how many of its jobs at a time; repeatable. (default: default)",
            valueName: "name[:slots]"))
    var queue: [String] = []

    @Option(help: "Jobs at a time of a queue that doesn't say. (default: 10)")
    var concurrency: String?

    @Option(help: "How long a worker may be silent before its jobs go on elsewhere. (default: 30s)")
    var lease: String?

    @Option(help: "How long running jobs may go on after a shutdown began. (default: 30s)")
    var grace: String?

    @Option(help: "How often to look for jobs when nothing wakes the worker. (default: 1s)")
    var poll: String?

    @Flag(inversion: .prefixedNo, help: "Be woken by the database's notifications.")
    var listen: Bool?

    @Option(help: "Where to listen, past a pooler; as --database-url.")
    var listenURL: String?

    @Option(help: "The worker's name, for people. (default: host and process number)")
    var name: String?

    @Option(help: "End the process when a handler ignores its cancellation for this long.")
    var exitWhenStuck: String?

    @OptionGroup var metrics: MetricsFlags

    package var values: [Setting: String] {
        var values = metrics.values
        if !queue.isEmpty { values[.queues] = queue.joined(separator: ",") }
        values[.concurrency] = concurrency
        values[.lease] = lease
        values[.grace] = grace
        values[.poll] = poll
        values[.listen] = listen.map(String.init)
        values[.listenURL] = listenURL
        values[.name] = name
        values[.exitWhenStuck] = exitWhenStuck
        return values
    }
}
