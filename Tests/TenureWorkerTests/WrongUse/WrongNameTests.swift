import Tenure
import TenureCoordinator
import TenureWorker
import Testing

/// Names that nobody could show or find again are refused where a program starts.
@Suite struct WrongNameTests {
    private func refusal(_ body: () throws -> Void) -> String {
        let error = #expect(throws: TenureError.self) { try body() }
        #expect(error?.code == .invalidConfiguration)
        return error?.message ?? ""
    }

    @Test func `a worker, its release and its queues have names`() async throws {
        let fixture = try await WorkerFixture("wrong_names")
        func refused(_ change: (inout WorkerConfiguration) -> Void) -> String {
            var configuration = WorkerConfiguration()
            change(&configuration)
            return refusal {
                _ = try Worker(
                    pool: fixture.pool, jobs: JobRegistry(), configuration: configuration)
            }
        }
        #expect(refused { $0.name = "" }.hasPrefix("name has 0 bytes; give 1 to"))
        #expect(refused { $0.release = "a\nb" }.hasPrefix("release has the control character"))
        #expect(refused { $0.queues = ["": 1] }.hasPrefix("the name of a queue has 0 bytes"))
        #expect(refused { $0.queues = [:] }.hasPrefix("queues is empty"))
    }

    @Test func `a coordinator, its release and its schedules have names`() async throws {
        let fixture = try await WorkerFixture("wrong_names")
        func refused(_ change: (inout CoordinatorConfiguration) -> Void) -> String {
            var configuration = CoordinatorConfiguration()
            change(&configuration)
            return refusal {
                _ = try Coordinator(
                    pool: fixture.pool, schedules: [], configuration: configuration)
            }
        }
        #expect(refused { $0.name = "\u{202E}" }.hasPrefix("name has the control character"))
        #expect(refused { $0.release = "" }.hasPrefix("release has 0 bytes"))
        #expect(
            refused { $0.breaker = KindBreaker(deaths: 1) }.hasPrefix("breaker.deaths is 1; give"))
        #expect(
            refused { $0.breaker = KindBreaker(within: .zero) }.hasPrefix("breaker.window is 0.0"))
        #expect(
            refusal {
                _ = try Schedule("", .every(.seconds(60)), try NewJob(kind: "k", payload: "{}"))
            }.hasPrefix("a schedule's name has 0 bytes"))
    }
}
