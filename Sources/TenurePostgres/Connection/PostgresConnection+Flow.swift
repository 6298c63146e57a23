import TenureLibpq
import TenureSystem

// How a request moves: submitted, sent, given up, answered. Each entry point changes the state
// under the lock, gathers what follows from it, and does that outside.
extension PostgresConnection: ReactorHandler {
    struct Effects {
        /// Told that a request was sent, or what its first result says.
        var told: [@Sendable () -> Void] = []
        var finished: [Exchange] = []
        var cancellation: OpaquePointer?
        var notifications: [PostgresNotification] = []
        var onNotification: (@Sendable (PostgresNotification) -> Void)?
        var closed: [@Sendable () -> Void] = []
    }

    func transact(_ body: (inout State, inout Effects) -> Void) {
        var effects = Effects()
        state.withLock { body(&$0, &effects) }
        for body in effects.told { body() }
        if let cancellation = effects.cancellation { tellServer(cancellation) }
        for exchange in effects.finished { exchange.tell() }
        for notification in effects.notifications { effects.onNotification?(notification) }
        for body in effects.closed { body() }
    }

    func submit(_ exchange: Exchange, _ continuation: UnsafeContinuation<Void, Never>? = nil) {
        transact { state, effects in
            exchange.continuation = continuation
            if exchange.ending == nil, exchange.deadline <= .now { exchange.ending = .deadline }
            if exchange.ending != nil {
                Self.finish(exchange, exchange.endingError(wasSent: false), &effects)
            } else if state.queue.submit(exchange) {
                startNext(&state, &effects)
                setAlarm(&state, at: exchange.deadline)
            } else {
                var error = state.end ?? PostgresError(.closed, "the connection is closed")
                error.wasSent = false
                Self.finish(exchange, error, &effects)
            }
        }
    }

    /// Gives a request up: its task was cancelled, or its time is over.
    func abandon(_ exchange: Exchange, _ ending: Exchange.Ending) {
        transact { state, effects in
            guard exchange.ending == nil else { return }
            exchange.ending = ending
            cancel(exchange, &state, &effects)
        }
    }

    /// The reactor found something to read, or room to write.
    func ready() {
        transact { state, effects in
            guard state.wire.isOpen else { return }
            let isAlive = state.wire.consume()
            while let exchange = state.queue.running {
                let isComplete = state.wire.read(exchange)
                if let news = exchange.takeNews() { effects.told.append(news) }
                guard isComplete, !state.wire.isLost else { break }
                end(exchange, &state, &effects)
            }
            guard state.wire.isOpen else { return }
            effects.notifications = state.wire.takeNotifications()
            effects.onNotification = state.onNotification
            if !isAlive || state.wire.isLost { Self.lose(&state, &effects) }
        }
    }

    private func end(
        _ exchange: Exchange, _ state: inout State, _ effects: inout Effects
    ) {
        _ = state.queue.replyEnded()
        // Whoever sent it, alone or as a COMMIT, must not take it for an acknowledged commit.
        let warning = state.wire.notices.take().first(where: \.saysNotReplicated)
        if exchange.failure == nil, let warning {
            exchange.failure = PostgresError(
                .notReplicated, "the commit may not have been replicated: \(warning.message)",
                sqlState: warning.sqlState, statement: exchange.name)
        }
        Self.finish(exchange, exchange.failure, &effects)
        if case .stuck = state.wire.progress {
            Self.lose(&state, &effects)
        } else {
            settle(&state, &effects)
        }
    }

    private func startNext(_ state: inout State, _ effects: inout Effects) {
        guard let next = state.queue.startNext() else { return }
        next.start()
        guard state.wire.send(next.request) else { return Self.lose(&state, &effects) }
        if let onSent = next.request.onSent { effects.told.append(onSent) }
    }
}

// MARK: - Cancelling

extension PostgresConnection {
    private func cancel(
        _ exchange: Exchange, _ state: inout State, _ effects: inout Effects
    ) {
        switch state.queue.cancel(exchange.id) {
        case .nothing: break
        case .drop(let exchange):
            Self.finish(exchange, exchange.endingError(wasSent: false), &effects)
        case .tellServer:
            effects.cancellation = PQgetCancel(state.wire.connection)
            let settleBy = Instant.now + Self.settling
            state.settleBy = settleBy
            setAlarm(&state, at: settleBy)
        }
    }

    /// PQcancel makes a connection of its own and waits for it: on a thread.
    private func tellServer(_ cancellation: OpaquePointer) {
        let address = UInt(bitPattern: cancellation)
        CancelRequests.begin()
        let hasStarted = System.startThread("pg-cancel") { [self] in
            let cancellation = OpaquePointer(bitPattern: address)
            var message: [CChar] = Array(repeating: 0, count: 256)
            // A failure shows: the statement doesn't end, and the connection is thrown away.
            _ = PQcancel(cancellation, &message, Int32(message.count))
            PQfreeCancel(cancellation)
            CancelRequests.end()
            transact { state, effects in
                state.queue.cancellationReturned()
                settle(&state, &effects)
            }
        }
        if !hasStarted {
            PQfreeCancel(cancellation)
            CancelRequests.end()
        }
    }

    private func settle(_ state: inout State, _ effects: inout Effects) {
        if state.queue.running == nil, !state.queue.isCancelling { state.settleBy = nil }
        startNext(&state, &effects)
    }
}

// MARK: - Deadlines

extension PostgresConnection {
    /// One timer, for the earliest deadline: most never come to pass.
    private func setAlarm(_ state: inout State, at instant: Instant) {
        if let alarm = state.alarm {
            if alarm.at <= instant { return }
            configuration.reactor.cancel(alarm.timer)
        }
        let timer = configuration.reactor.schedule(at: instant) { [weak self] in
            self?.lookAtTheClock()
        }
        state.alarm = (instant, timer)
    }

    private func lookAtTheClock() {
        let now = Instant.now
        transact { state, effects in
            state.alarm = nil
            if let settleBy = state.settleBy, settleBy <= now {
                Self.lose(&state, &effects)
                return
            }
            for exchange in state.queue.unfinished where exchange.ending == nil {
                guard exchange.deadline <= now else { continue }
                exchange.ending = .deadline
                cancel(exchange, &state, &effects)
            }
            let pending = state.queue.unfinished.filter { $0.ending == nil }.map(\.deadline)
            let next = (pending + [state.settleBy].compactMap { $0 }).min()
            if let next { setAlarm(&state, at: next) }
        }
    }
}

// MARK: - Ends

extension PostgresConnection {
    static func finish(
        _ exchange: Exchange, _ error: (any Error)?, _ effects: inout Effects
    ) {
        exchange.failure = error
        if let error = error as? PostgresError, exchange.ending != nil {
            // It was given up and that is how it ended; any other error it made itself stands.
            let isCutShort =
                error.sqlState == "57014" || ![.server, .notReplicated].contains(error.code)
            if isCutShort { exchange.failure = exchange.endingError(wasSent: error.wasSent) }
        }
        effects.finished.append(exchange)
    }

    /// The connection is of no more use. What it said last is read first: that has the SQLSTATE.
    static func lose(_ state: inout State, _ effects: inout Effects) {
        if state.queue.isClosed { return }
        if let exchange = state.queue.running { _ = state.wire.read(exchange) }
        let said = state.queue.running?.failure as? PostgresError
        let notice = state.wire.notices.take().last { $0.severity == "FATAL" }
        let error = PostgresError(
            .connectionLost, said?.message ?? notice?.message ?? state.wire.lossMessage,
            sqlState: said?.sqlState ?? notice?.sqlState)
        shut(&state, error, &effects)
    }

    static func shut(
        _ state: inout State, _ error: PostgresError, _ effects: inout Effects
    ) {
        if state.queue.isClosed { return }
        state.end = error
        let (running, waiting) = state.queue.close()
        if let running {
            var error = error
            error.statement = running.name
            finish(running, running.failure ?? error, &effects)
        }
        for exchange in waiting {
            var error = error
            error.wasSent = false
            finish(exchange, error, &effects)
        }
        state.wire.close()
        effects.closed += state.onClose.values
        state.onClose = [:]
        state.onNotification = nil
    }
}
