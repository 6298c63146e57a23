import Synchronization
import TenureSystem

/// Stands between clients, by TCP, and PostgreSQL's unix socket, and does to what passes what its
/// rules say: holds it, delays it, cuts it, drops a part of it.
///
/// Held bytes wait and no one is told, as with a cable that is pulled; they pass when it is back.
package final class DatabaseProxy: Sendable {
    private struct State {
        var rules = ProxyRules()
        var connections: [ObjectIdentifier: ProxyConnection] = [:]
        /// Boot time at which the armed cut met a commit.
        var cutAt: Double?
        var lostNotifications = 0
    }

    package let port: Int
    private let target: String
    private let listener: Int32
    private let state = Mutex(State())

    /// - Parameter target: the server's socket file.
    package init(to target: String) throws {
        self.target = target
        (listener, port) = try Sockets.listenOnLoopback()
        runThread { [self] in accept() }
    }

    /// A connection string over this proxy, made of one that leads to the server itself.
    package func conninfo(_ direct: String) -> String {
        "\(direct) host=127.0.0.1 port=\(port) sslmode=disable gssencmode=disable"
    }

    package var rules: ProxyRules { state.withLock { $0.rules } }

    package func change(_ change: (inout ProxyRules) -> Void) {
        state.withLock { change(&$0.rules) }
    }

    /// Silence both ways.
    package func cut() {
        change {
            $0.holdsUp = true
            $0.holdsDown = true
        }
    }

    /// Everything passes again.
    package func mend() { change { $0 = ProxyRules() } }

    /// Closes all connections of the moment; how many of them were waiting for an answer.
    @discardableResult
    package func hangUp() -> Int {
        let connections = state.withLock { Array($0.connections.values) }
        return connections.filter { $0.hangUp() }.count
    }

    /// The next commit is cut there, once.
    package func arm(_ cut: ProxyRules.CommitCut) {
        state.withLock {
            $0.rules.commitCut = cut
            $0.cutAt = nil
        }
    }

    /// Of the statements that come from now on, of all connections together, that one is the last
    /// to arrive, or the first that does not; then nothing passes until all is mended. `cutAt`
    /// says when it came.
    package func arm(_ cut: ProxyRules.CommitCut, atStatement number: Int) {
        state.withLock {
            $0.rules.statementCut = (number, cut)
            $0.cutAt = nil
        }
    }

    /// When the armed cut met its commit or statement; nil when it has not.
    package var cutAt: Double? { state.withLock { $0.cutAt } }

    /// How many notifications were dropped so far.
    package var lostNotifications: Int { state.withLock { $0.lostNotifications } }

    package func disarm() { change { $0.commitCut = nil } }

    // MARK: For its connections

    /// Hands the armed cut to the commit that asks first.
    func takeCommitCut() -> ProxyRules.CommitCut? {
        state.withLock { state in
            defer { state.rules.commitCut = nil }
            return state.rules.commitCut
        }
    }

    /// Counts a statement towards the armed cut; whether it has to wait.
    func countStatement() -> Bool {
        state.withLock { state in
            guard let armed = state.rules.statementCut else { return false }
            state.rules.statementCut = armed.left > 1 ? (armed.left - 1, armed.cut) : nil
            guard armed.left == 1 else { return false }
            state.rules.holdsUp = armed.cut == .before
            state.rules.holdsDown = true
            state.cutAt = bootTime()
            return state.rules.holdsUp
        }
    }

    func noteCut() { state.withLock { $0.cutAt = bootTime() } }

    func noteLostNotification() { state.withLock { $0.lostNotifications += 1 } }

    func forget(_ connection: ProxyConnection) {
        state.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
    }

    private func accept() {
        while true {
            let client = TenureSystem.accept(listener, nil, nil)
            guard client >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            if rules.refuses {
                close(client)
                continue
            }
            guard let server = Sockets.connect(to: target) else {
                close(client)
                continue
            }
            let connection = ProxyConnection(client: client, server: server, proxy: self)
            state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
            connection.start()
        }
    }
}
