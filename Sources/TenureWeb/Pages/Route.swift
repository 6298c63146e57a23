import FoundationEssentials
import Tenure

/// From addresses to pages.
enum Route {
    /// - Throws: `NotThere` for an address that leads nowhere, `BadRequest` for a query.
    static func page(at path: [String], _ query: Query) throws -> any Page {
        switch (path.first, path.count) {
        case (nil, _): return OverviewPage()
        case ("jobs", 1): return try JobsPage(query)
        case ("jobs", 2):
            if let verb = JobVerb(rawValue: path[1]) { return try BulkPage(verb, query) }
            return JobPage(id: JobID(try id(path[1], "job")))
        case ("queues", 1): return QueuesPage()
        case ("queues", 2): return QueuePage(name: path[1])
        case ("kinds", 1): return KindsPage()
        case ("workers", 1): return WorkersPage()
        case ("workers", 2): return WorkerPage(id: try session(path[1]))
        case ("keys", 1): return KeysPage(query)
        case ("batches", 1): return BatchesPage()
        case ("batches", 2): return BatchPage(id: try id(path[1], "batch"))
        case ("schedules", 1): return SchedulesPage()
        case ("lanes", 1): return LanesPage(query)
        case ("statistics", 1): return try StatisticsPage(query)
        default: throw NotThere(description: "There is nothing at this address.")
        }
    }

    static func id(_ text: String, _ what: String) throws -> UUID {
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
