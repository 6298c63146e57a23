import Tenure
package import TenureFoundation

/// From addresses to the queue's pages.
package enum Route {
    /// - Returns: nil for an address that is none of these.
    /// - Throws: `NotThere` for one that names nothing, `BadRequest` for a query.
    static func page(at path: [String], _ query: Query) throws -> (any Page)? {
        switch (path.first, path.count) {
        case (nil, _): return OverviewPage()
        case ("jobs", 1): return try JobsPage(query)
        case ("jobs", 2):
            if path == EnqueuePage.path { return EnqueuePage(query) }
            if path == JobsPage.path {
                return JobPage(id: JobID(try id(query["id"] ?? "", "job")))
            }
            if let verb = JobVerb(rawValue: path[1]) { return try BulkPage(verb, query) }
            return JobPage(id: JobID(try id(path[1], "job")))
        case ("jobs", 3) where path[2] == "edit":
            return EditPage(JobID(try id(path[1], "job")), query)
        case ("queues", 1): return try QueuesPage(query)
        case ("queues", 2): return try QueuePage(name: path[1], query)
        case ("kinds", 1): return try KindsPage(query)
        case ("workers", 1): return try WorkersPage(query)
        case ("workers", 2): return try WorkerPage(session(path[1]), query)
        case ("keys", 1): return try KeysPage(query)
        case ("batches", 1): return try BatchesPage(query)
        case ("batches", 2): return BatchPage(id: try id(path[1], "batch"))
        case ("schedules", 1): return try SchedulesPage(query)
        case ("lanes", 1): return try LanesPage(query)
        case ("actions", 1): return try ActionsPage(query)
        case ("statistics", 1): return try StatisticsPage(query)
        default: return nil
        }
    }

    package static func id(_ text: String, _ what: String) throws -> UUID {
        guard let id = UUID(uuidString: text) else {
            throw NotThere(
                description: "There is no \(what) \(text.prefix(100)): ids have 32 hex digits.")
        }
        return id
    }

    static func session(_ text: String) throws -> SessionID {
        guard let number = Int64(text) else {
            throw NotThere(description: "There is no session \(text.prefix(100)): ids are numbers.")
        }
        return SessionID(number)
    }
}

extension Tab {
    static let overview = Tab("Overview")
    static let jobs = Tab("Jobs", "jobs")
    static let queues = Tab("Queues", "queues")
    static let kinds = Tab("Kinds", "kinds")
    static let workers = Tab("Workers", "workers")
    static let keys = Tab("Keys", "keys")
    static let batches = Tab("Batches", "batches")
    static let schedules = Tab("Schedules", "schedules")
    static let lanes = Tab("Lanes", "lanes")
    static let statistics = Tab("Statistics", "statistics")
    static let actions = Tab("Actions", "actions")

    /// Those of the queue.
    static let queue = [
        overview, jobs, queues, kinds, workers, keys, batches, schedules, lanes, statistics,
        actions,
    ]
}
