import TenureLibpq

extension Wire {
    /// Takes in what has arrived.
    ///
    /// - Returns: false when the connection is lost; what it said before can still be read.
    mutating func consume() -> Bool {
        guard PQconsumeInput(connection) == 1 else { return false }
        // OpenSSL may hold back the rest of a record that epoll knows nothing of.
        if PQsslInUse(connection) == 1, PQisBusy(connection) == 1 {
            for _ in 0..<4 where PQconsumeInput(connection) == 0 { return false }
        }
        return hasUnsent ? flush() : true
    }

    /// Reads as much of the reply as is there.
    ///
    /// - Returns: true when it is complete.
    mutating func read(_ exchange: Exchange) -> Bool {
        while true {
            if case .copying = progress, !isLost, !sendRows(exchange) { return false }
            if PQisBusy(connection) != 0 { return false }
            guard let result = PQgetResult(connection) else {
                if endStep() { return true }
                continue
            }
            if take(result, exchange) { return true }
        }
    }

    /// - Returns: true when nothing more comes.
    private mutating func endStep() -> Bool {
        guard case .pipeline(let steps, let next) = progress else { return true }
        progress = .pipeline(steps, next: next + 1)
        // The end of a pipeline is a result of its own, unless the connection went first.
        return next > steps.count || isLost
    }

    /// - Returns: true when nothing more comes.
    private mutating func take(_ result: OpaquePointer, _ exchange: Exchange) -> Bool {
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
            PQclear(result)
            if PQexitPipelineMode(connection) != 1 { progress = .stuck }
            return true
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            succeed(result, exchange)
        case PGRES_COPY_IN:
            PQclear(result)
            startCopy(exchange)
        case PGRES_COPY_OUT, PGRES_COPY_BOTH:
            PQclear(result)
            exchange.failure = PostgresError(.misuse, "COPY TO isn't supported here")
            progress = .stuck
            return true
        case PGRES_PIPELINE_ABORTED:
            PQclear(result)
        default:
            fail(result, exchange)
        }
        return false
    }

    private mutating func succeed(_ result: OpaquePointer, _ exchange: Exchange) {
        exchange.reply.note(result)
        if case .pipeline(let steps, let next) = progress, next < steps.count,
            case .prepare(let call) = steps[next]
        {
            prepared.didPrepare(call)
            PQclear(result)
        } else if case .pipeline(let steps, let next) = progress, next < steps.count,
            case .setIsolation = steps[next]
        {
            PQclear(result)
        } else if case .script = exchange.request.work {
            PQclear(result)
        } else {
            exchange.append(result)
        }
    }

    private mutating func fail(_ result: OpaquePointer, _ exchange: Exchange) {
        defer { PQclear(result) }
        let call = currentCall(exchange)
        let error = PostgresError(result: result, statement: call?.name)
        // The plan no longer fits the tables, or the server has forgotten the statement.
        if let call, let state = error.sqlState, state == "0A000" || state == "26000" {
            prepared.forget(call)
        }
        exchange.failure = exchange.failure ?? error
    }

    private func currentCall(_ exchange: Exchange) -> StatementCall? {
        guard case .statements(let calls) = exchange.request.work else { return nil }
        guard case .pipeline(let steps, let next) = progress else { return calls.first }
        guard next < steps.count else { return nil }
        switch steps[next] {
        case .prepare(let call), .execute(let call): return call
        case .setIsolation: return nil
        }
    }
}

// MARK: - COPY

extension Wire {
    private static let slice = 65_536

    private mutating func startCopy(_ exchange: Exchange) {
        if case .copy = exchange.request.work {
            progress = .copying(offset: 0)
        } else {
            PQputCopyEnd(connection, "rows for COPY are sent with copyIn")
        }
    }

    /// Hands rows on for as long as the socket takes them.
    ///
    /// - Returns: true when the last one is handed on, or none can be any more.
    private mutating func sendRows(_ exchange: Exchange) -> Bool {
        guard case .copy(_, let data) = exchange.request.work,
            case .copying(var offset) = progress
        else { return true }
        while offset < data.count {
            let size = min(Self.slice, data.count - offset)
            let status = data.withUnsafeBytes { bytes in
                PQputCopyData(
                    connection,
                    bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) },
                    Int32(size))
            }
            if status < 0 { break }
            if status == 1 { offset += size }
            progress = .copying(offset: offset)
            guard flush() else { break }
            if hasUnsent { return false }
        }
        progress = .plain
        _ = PQputCopyEnd(connection, offset < data.count ? "the connection failed" : nil)
        _ = flush()
        return true
    }

    /// Notifications that have arrived.
    mutating func takeNotifications() -> [PostgresNotification] {
        var notifications: [PostgresNotification] = []
        while let notify = PQnotifies(connection) {
            notifications.append(
                PostgresNotification(
                    channel: String(cString: notify.pointee.relname),
                    payload: String(cString: notify.pointee.extra)))
            PQfreemem(notify)
        }
        return notifications
    }
}
