import ArgumentParser
import Content
import Tenure

/// How a site that is watched is checked: as `tenure check` would, and by whom.
struct SiteCheckFlags: ParsableArguments {
    @OptionGroup var flags: CheckFlags
    @Option(help: "The queue of its jobs.") var queue = "default"

    func options(_ product: ProductSettings) throws -> SiteCheckOptions {
        var options = try flags.options(product)
        options.kind = .site
        options.queue = QueueName(queue)
        return options
    }
}
