import Tenure
import TenureTestDatabase
import TenureWorker

struct Greet: Job {
    static let kind: JobKind = "greet"  // stable: it is stored with each job
    static let options = JobOptions<Self>()
    let name: String
}

@main
struct First {
    static func main() async throws {
        var jobs = JobRegistry()
        jobs.handle(Greet.self) { job, _ in
            print("Hello, \(job.name)!")
            return .completed
        }
        // A private PostgreSQL, and a database in it with Tenure's tables: gone with the program.
        try await TestDatabase.with { database in
            try await database.withWorker(jobs) {
                let job = try await database.client.enqueue(Greet(name: "Ada"))
                _ = try await database.client.end(of: job.id)
            }
        }
    }
}
