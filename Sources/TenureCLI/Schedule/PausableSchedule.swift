import Tenure
import TenureCoordinator

struct PausableSchedule: Pausable {
    static let noun = "schedule"
    static let pausing: Help = (
        "Let a schedule tick no more until it is resumed.",
        """
        Lasts over all restarts.

        Example:
          tenure schedule pause nightly
        """
    )
    static let resuming: Help = (
        "Let a paused schedule go on.",
        """
        With the next tick from now; those missed are not made up for. Ends with 1 when it was not \
        paused.

        Example:
          tenure schedule resume nightly
        """
    )

    static func pause(
        _ name: String, by whom: String, because reason: String?, _ database: Database
    ) async throws -> String {
        let schedules = Schedules(pool: database.pool, as: whom)
            .acting(from: .cli, because: reason)
        guard try await schedules.pause(name) else { throw Failure.noSchedule(name) }
        return ""
    }

    static func resume(
        _ name: String, by whom: String, _ database: Database
    ) async throws -> Bool {
        let schedules = Schedules(pool: database.pool, as: whom).acting(from: .cli)
        guard let was = try await schedules.resume(name) else { throw Failure.noSchedule(name) }
        return was
    }
}
