import ArgumentParser
import Tenure
import TenureCoordinator

struct ScheduleTrigger: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger", abstract: "Enqueue a schedule's job now.",
        discussion: """
            Beside its ticks: the next one comes when it would, and a schedule that is paused \
            stays so. While a job of its key is unfinished, that one is kept and nothing is added, \
            unless the schedule was added with another --key and --mode.

            Example:
              tenure schedule trigger nightly
            """)

    @Argument(help: "The schedule's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> EnqueuedJob {
        let schedules = Schedules(pool: database.pool, as: Whom.name).acting(from: .cli)
        do {
            guard let job = try await schedules.trigger(name) else {
                throw Failure.noSchedule(name)
            }
            return job
        } catch let error as PostgresError where error.sqlState == "TN003" {
            throw Failure(
                "the schedule \(name) can't enqueue its job: \(error.message); set it anew with: "
                    + "tenure schedule add \(name) --replace")
        }
    }
}
