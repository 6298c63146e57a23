import Synchronization
import Tenure

/// Whether a notification comes through: a pooler in transaction mode takes LISTEN, and delivers
/// nothing.
struct ListenCheck: Sendable {
    private let database: Database
    /// For the notification once somebody listens, and for all of it.
    private static let patience: Duration = .seconds(3)
    private static let longest: Duration = .seconds(10)

    init(_ database: Database) { self.database = database }

    func run() async -> Finding {
        let channel = "tenure_doctor_\(UInt64.random(in: 0 ... .max))"
        let listener: PostgresListener
        do {
            listener = try listens(on: channel)
        } catch {
            return .fail("LISTEN", ErrorLine.text(error), "Correct listenURL")
        }
        let end = HearingEnd(at: .now + Self.longest)
        let came = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                // Only a cancellation ends it.
                do { try await listener.run() } catch {}
                return false
            }
            group.addTask { await hear(listener, channel, end) }
            group.addTask { await end.wait() }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
        return came
            ? .ok("LISTEN", "a notification came through")
            : .warn(
                "LISTEN", "no notification came within \(DurationText.format(Self.patience))",
                "Is a pooler in between? Set listenURL to a way past it, or connect directly; "
                    + "workers find jobs by polling until then")
    }

    private func listens(on channel: String) throws -> PostgresListener {
        let own = try database.settings.listenURL.map { try PostgresConfiguration($0) }
        return PostgresListener(
            configuration: own ?? database.pool.configuration, channels: [channel],
            triesPooler: own != nil, logger: database.logger)
    }

    private func hear(
        _ listener: PostgresListener, _ channel: String, _ end: HearingEnd
    ) async -> Bool {
        for await event in listener.events {
            switch event {
            case .listening:
                end.move(to: .now + Self.patience)
                do {
                    _ = try await database.pool.execute(NotifyDoctor(channel: channel))
                } catch {
                    return false
                }
            case .notification: return true
            case .lost: continue
            case .deaf: return false
            }
        }
        return false
    }
}

/// When nothing is waited for any more: known better once somebody listens.
private final class HearingEnd: Sendable {
    private let at: Mutex<ContinuousClock.Instant>

    init(at: ContinuousClock.Instant) { self.at = Mutex(at) }

    func move(to moment: ContinuousClock.Instant) { at.withLock { $0 = moment } }

    func wait() async -> Bool {
        while at.withLock({ $0 }) > .now {
            // Only a cancellation ends it early: then nobody asks.
            do { try await Task.sleep(for: .milliseconds(100)) } catch { break }
        }
        return false
    }
}

/// Sends the notification that the doctor listens for.
struct NotifyDoctor: PostgresStatement {
    static let sql = "SELECT pg_notify($1, 'doctor')"
    let channel: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(channel)
    }
}
