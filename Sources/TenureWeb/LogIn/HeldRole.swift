import Synchronization
import Tenure

/// A role of the database's by which somebody is logged in: its own connections, and a console on
/// them. Its password is kept for as long as any browser is in by it, for connections come and go.
final class HeldRole: Sendable {
    let name: String
    let console: Console
    private let password: String
    private let configuration: PostgresConfiguration
    private struct State {
        var provenAt: ContinuousClock.Instant
        var usedAt: ContinuousClock.Instant
        var lends = 0
        /// Log-ins that are about to have a session.
        var pins = 0
    }
    private let state: Mutex<State>
    /// For so long a password that was right is taken to be right still.
    private static let trusted: Duration = .seconds(60)

    init(
        name: String, password: String, configuration: PostgresConfiguration, console: Console,
        at now: ContinuousClock.Instant = .now
    ) {
        (self.name, self.password, self.configuration) = (name, password, configuration)
        self.console = console
        state = Mutex(State(provenAt: now, usedAt: now))
    }

    var usedAt: ContinuousClock.Instant { state.withLock { $0.usedAt } }

    /// Nobody lets it go until it is unpinned.
    func pin() { state.withLock { $0.pins += 1 } }

    func unpin() { state.withLock { $0.pins -= 1 } }

    var isPinned: Bool { state.withLock { $0.pins > 0 } }

    /// The same role, by the same password.
    func isSame(_ name: String, _ password: String) -> Bool {
        name == self.name && Secret.isSame(password, self.password)
    }

    /// Whether it is time to ask again; the first that hears so has to.
    func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            state.usedAt = now
            guard state.provenAt.duration(to: now) >= Self.trusted else { return false }
            state.provenAt = now
            return true
        }
    }

    /// Asks the database anew, by a connection of its own.
    func prove() async -> RoleProof { await RoleProof.of(name, configuration) }

    /// Closes its connections when nobody has used them since the last call.
    func closeIdle() {
        let lends = console.pool.closeIdle(unlessLentSince: state.withLock { $0.lends })
        state.withLock { $0.lends = lends }
    }

    func close() async { await console.pool.close() }
}

/// What the database says of a name and a password.
enum RoleProof: Sendable {
    case good(mayAct: Bool)
    /// It doesn't let them in.
    case refused
    /// It lets them in without a password, or as somebody else: that proves nothing.
    case nothing(String)
    /// It is the role's, and Tenure isn't: it may not look at anything here.
    case stranger
    /// It couldn't be asked.
    case unknown(any Error)

    static func of(_ name: String, _ configuration: PostgresConfiguration) async -> RoleProof {
        do {
            // By itself, and not by a pool, which would try a wrong password again.
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            guard connection.usedPassword else {
                return .nothing("the server asks for no password (pg_hba.conf): nobody can log in")
            }
            let rights = try await connection.execute(AskOwnRights())[0]
            guard rights.name == name else {
                return .nothing("the server, or a pooler, took the role for another one")
            }
            return .good(mayAct: rights.mayAct)
        } catch let error as PostgresError where error.code == .connectFailed {
            let isRefusal = ["28", "3D"].contains { error.sqlState?.hasPrefix($0) ?? false }
            return isRefusal ? .refused : .unknown(error)
        } catch let error as PostgresError where lacksTenure.contains(error.sqlState ?? "") {
            return .stranger
        } catch {
            return .unknown(error)
        }
    }

    /// No right on the schema, or none that it could see.
    private static let lacksTenure: Set = ["42501", "42883", "3F000", "42704"]
}
