import Logging

extension PostgresPool {
    /// - Throws: `.poolTimedOut`, whose cause is the last failed connect; `.closed`;
    ///   `CancellationError` at once.
    func acquire(until deadline: Instant) async throws -> PostgresConnection {
        try Task.checkCancellation()
        let waiter = Waiter()
        let (idle, connects, isClosed) = state.withLock { state in
            if state.pool.isClosed { return (PostgresConnection?.none, 0, true) }
            if let idle = state.pool.takeIdle() { return (idle, 0, false) }
            state.pool.wait(waiter)
            return (nil, state.pool.connectsToStart(), false)
        }
        if isClosed { throw whenClosed }
        if let idle { return idle }
        startConnects(connects)
        return try await wait(waiter, until: min(deadline, .now + acquireDeadline))
    }

    private func wait(_ waiter: Waiter, until deadline: Instant) async throws -> PostgresConnection
    {
        let limit = max(.zero, deadline - .now)
        let timer = configuration.reactor.schedule(at: deadline) { [self] in
            waiter.decide(.failure(timedOut(after: limit)))
        }
        defer { configuration.reactor.cancel(timer) }
        do {
            return try await waiter.value()
        } catch {
            state.withLock { $0.pool.forget(waiter) }
            throw error
        }
    }

    /// Where it never had a connection, it isn't the pool's size that is wrong.
    private func timedOut(after limit: Duration) -> PostgresError {
        let (error, hasConnected, size) = state.withLock { state in
            (state.pool.failures > 0 ? state.lastError : nil, state.hasConnected, state.pool.size)
        }
        if let error, !hasConnected { return error }
        return PostgresError(
            .poolTimedOut, "no connection became free within \(limit)",
            hint: "The pool has \(size): give it more, or wait longer; a transaction inside "
                + "another one takes a second",
            cause: error)
    }

    func release(_ connection: PostgresConnection) {
        if connection.isReusable {
            place(connection)
        } else {
            connection.close()
            discard(connection)
        }
    }

    /// Gives it to the first who still wants it.
    private func place(_ connection: PostgresConnection) {
        while true {
            let (waiter, isClosed) = state.withLock { state in
                let isClosed = state.pool.isClosed
                return (isClosed ? nil : state.pool.place(connection), isClosed)
            }
            if isClosed {
                connection.close()
                discard(connection)
            }
            guard let waiter, !waiter.decide(.success(connection)) else { return }
        }
    }

    /// It is gone; whoever waits may need another.
    private func discard(_ connection: PostgresConnection) {
        let (connects, closing) = state.withLock { state in
            state.pool.remove(connection)
            return (state.pool.connectsToStart(), Self.takeClosing(&state))
        }
        for waiter in closing { waiter.decide(.success(())) }
        startConnects(connects)
    }

    private static func takeClosing(_ state: inout State) -> [OneShot<Void>] {
        guard state.pool.isClosed, state.pool.isEmpty else { return [] }
        defer { state.closing = [] }
        return state.closing
    }
}

// MARK: - Connecting

extension PostgresPool {
    private func startConnects(_ count: Int) {
        for _ in 0..<count {
            PostgresConnection.open(configuration) { [self] result in
                switch result {
                case .success(let connection): didConnect(connection)
                case .failure(let error): didFail(error)
                }
            }
        }
    }

    private func didConnect(_ connection: PostgresConnection) {
        absence.succeeded()
        state.withLock { state in
            state.hasConnected = true
            state.pool.connected(connection)
        }
        place(connection)
        // After that, so that a connection lost meanwhile is found and taken out again.
        connection.onClose { [weak self, weak connection] in
            if let self, let connection { discard(connection) }
        }
        startConnects(state.withLock { $0.pool.connectsToStart() })
    }

    private func didFail(_ error: any Error) {
        let error = (error as? PostgresError) ?? PostgresError(.connectFailed, "\(error)")
        absence.failed(error)
        let (told, pause, closing) = state.withLock { state in
            state.lastError = error
            let told = state.pool.connectFailed(isFinal: !error.isTransient)
            var generator = SystemRandomNumberGenerator()
            let pause = Backoff.pause(after: state.pool.failures, using: &generator)
            return (told, pause, Self.takeClosing(&state))
        }
        for waiter in told { waiter.decide(.failure(error)) }
        for waiter in closing { waiter.decide(.success(())) }
        _ = configuration.reactor.schedule(at: .now + pause) { [self] in
            let connects = state.withLock { state in
                state.pool.pauseEnded()
                return state.pool.connectsToStart()
            }
            startConnects(connects)
        }
    }
}
