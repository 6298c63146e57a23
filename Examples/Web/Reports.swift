import HTTPTypes
import Hummingbird
import Tenure

/// The application's own pages.
struct Reports: Sendable {
    let pool: PostgresPool
    let client: TenureClient

    static func makeTables(_ pool: PostgresPool) async throws {
        try await pool.simple(
            """
            CREATE TABLE IF NOT EXISTS report (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL,
                job uuid NOT NULL, body text);
            """)
    }

    struct NewReport: Decodable {
        let title: String
        let pages: Int
    }

    struct Placed: ResponseEncodable {
        let id: Int
        let job: String
    }

    struct View: ResponseEncodable {
        let title: String
        let body: String?
    }

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.post("reports") { request, context in
            let wanted = try await request.decode(as: NewReport.self, context: context)
            guard (1...1000).contains(wanted.pages) else { throw HTTPError(.badRequest) }
            return try await place(wanted)
        }
        router.get("reports/:id") { _, context in
            let id = try context.parameters.require("id", as: Int.self)
            let found = try await pool.query(
                "SELECT title, body FROM report WHERE id = $1", [id]
            ) { View(title: try $0.decode(0), body: try $0.decode(1, as: String?.self)) }
            guard let report = found.first else { throw HTTPError(.notFound) }
            return report
        }
        router.get("reports/:id/events") { _, context in
            let id = try context.parameters.require("id", as: Int.self)
            let found = try await pool.query("SELECT job FROM report WHERE id = $1", [id]) {
                JobID(try $0.decode(0))
            }
            guard let job = found.first else { throw HTTPError(.notFound) }
            return ProgressEvents(job: job, inspector: Inspector(pool: pool)).response
        }
    }

    /// The row and its job are one commit. The row knows the job, whose id is made here.
    private func place(_ wanted: NewReport) async throws -> Placed {
        let job = JobID()
        return try await pool.transaction { transaction in
            let ids = try await transaction.query(
                "INSERT INTO report (title, job) VALUES ($1, $2) RETURNING id",
                [wanted.title, job.uuid]
            ) { try $0.decode(0, as: Int.self) }
            let render = try NewJob(RenderReport(report: ids[0], pages: wanted.pages), id: job)
            try client.enqueue([render], in: transaction)
            return Placed(id: ids[0], job: "\(job)")
        }
    }
}
