import Synchronization
import TenureSystem

/// One client's connection through a proxy: a thread for each direction.
final class ProxyConnection: Sendable {
    private struct State {
        /// Requests that ReadyForQuery has not answered.
        var unanswered = 0
        /// The answer to COMMIT is to be lost.
        var losesCommit = false
        /// As the last ReadyForQuery said.
        var isInTransaction = false
        var isHungUp = false
        var directions = 2
    }

    private let client: Int32
    private let server: Int32
    private let proxy: DatabaseProxy
    private let state = Mutex(State())

    init(client: Int32, server: Int32, proxy: DatabaseProxy) {
        self.client = client
        self.server = server
        self.proxy = proxy
    }

    func start() {
        runThread { [self] in
            passUp()
            endDirection()
        }
        runThread { [self] in
            passDown()
            endDirection()
        }
    }

    /// Closes it for both sides; whether the client was waiting for an answer.
    @discardableResult
    func hangUp() -> Bool {
        state.withLock { state in
            if state.isHungUp { return false }
            state.isHungUp = true
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
            return state.unanswered > 0
        }
    }

    /// The armed cut.
    private func cutOff() {
        proxy.noteCut()
        guard proxy.rules.strandsServer else {
            hangUp()
            return
        }
        shutdown(client, Int32(SHUT_RDWR))
        while receive(from: server) != nil {}
        hangUp()
    }

    // MARK: The two directions

    private func passUp() {
        var reader = MessageReader(ofClient: true)
        var spotter = CommitSpotter()
        while let chunk = receive(from: client) {
            reader.feed(chunk)
            guard hold(while: \.holdsUp) else { return }
            var passing: [UInt8] = []
            while let message = reader.next() {
                if message.asksForEncryption {
                    guard deliver([UInt8(ascii: "N")], to: client) else { return }
                    continue
                }
                let isInTransaction = state.withLock { $0.isInTransaction }
                if spotter.isCommit(message, isInTransaction: isInTransaction),
                    let cut = proxy.takeCommitCut()
                {
                    if cut == .before {
                        cutOff()
                        return
                    }
                    state.withLock { $0.losesCommit = true }
                }
                if message.endsRequest { state.withLock { $0.unanswered += 1 } }
                if message.runsStatement, proxy.countStatement() {
                    // What was before it in the same piece arrives.
                    guard deliver(passing, to: server), hold(while: \.holdsUp) else { return }
                    passing = []
                }
                passing += message.bytes
            }
            guard deliver(passing, to: server) else { return }
        }
    }

    private func passDown() {
        var reader = MessageReader(ofClient: false)
        while let chunk = receive(from: server) {
            reader.feed(chunk)
            guard hold(while: \.holdsDown) else { return }
            let dropsNotifications = proxy.rules.dropsNotifications
            var passing: [UInt8] = []
            while let message = reader.next() {
                if message.isCommitted, state.withLock({ $0.losesCommit }) {
                    cutOff()
                    return
                }
                if message.isNotification, dropsNotifications {
                    proxy.noteLostNotification()
                    continue
                }
                if message.isReadyForQuery {
                    let isInTransaction = message.body.first != UInt8(ascii: "I")
                    state.withLock {
                        $0.unanswered = max(0, $0.unanswered - 1)
                        $0.isInTransaction = isInTransaction
                    }
                }
                passing += message.bytes
            }
            guard deliver(passing, to: client) else { return }
        }
    }

    private func receive(from descriptor: Int32) -> [UInt8]? {
        let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress!, buffer.count))
        }
        return chunk.isEmpty ? nil : chunk
    }

    /// Waits while the rule holds, and then for the delay; false when the connection is hung up.
    private func hold(while rule: KeyPath<ProxyRules, Bool>) -> Bool {
        while proxy.rules[keyPath: rule] {
            if state.withLock({ $0.isHungUp }) { return false }
            usleep(2000)
        }
        let delay = proxy.rules.delay
        if delay > .zero { usleep(UInt32(delay / .microseconds(1))) }
        return true
    }

    private func deliver(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            // A peer that is gone is no reason to die of SIGPIPE.
            let count = bytes.withUnsafeBytes {
                System.send(descriptor, $0.baseAddress! + sent, bytes.count - sent)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func endDirection() {
        hangUp()
        let isLast = state.withLock { state in
            state.directions -= 1
            return state.directions == 0
        }
        guard isLast else { return }
        close(client)
        close(server)
        proxy.forget(self)
    }
}
