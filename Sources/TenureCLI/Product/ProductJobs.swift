import Content
import Tenure
import TenureCoordinator
import TenureWorker

/// What this product is made of, apart from the queue: kinds of job, tables of its own, schedules.
/// The one place where a kind is added: the worker, `enqueue`, `migrate` and the coordinator all
/// read it here.
enum ProductJobs {
    /// The types of all kinds: what a job says of itself where it is enqueued by its kind's name.
    static var types: JobKinds {
        var types = ContentJobs.types
        if DemoJobs.areWanted { types.add(DemoJobs.types) }
        return types
    }

    /// Registers the handlers of all kinds. Called by workers; `enqueue` calls it to learn the
    /// kinds, so it must neither connect nor start anything.
    static func register(into jobs: inout JobRegistry, _ parts: ProductParts) throws {
        let content = try ContentConfiguration(parts.settings)
        ContentJobs(pool: parts.pool, configuration: content).register(in: &jobs)
        if DemoJobs.areWanted { DemoJobs.register(into: &jobs) }
    }

    /// The schemas of the product's own tables, in the order they are made, after the queue's.
    static var migrations: [MigrationSet] { [.content] }

    /// What coordinators enqueue at intervals.
    static func schedules(_ parts: ProductParts) throws -> [Schedule] {
        [
            try Schedule("content-sweep", every: ContentSweep.interval, ContentSweep()),
            try Schedule("content-refetch", every: ContentRefetch.interval, ContentRefetch()),
        ]
    }
}
