// docs/decisions/isolation.md

import TenureLibpq

extension Wire {
    /// Starts a request.
    ///
    /// - Returns: false when the connection is lost.
    mutating func send(_ request: PostgresRequest) -> Bool {
        let isQueued =
            switch request.work {
            case .statements(let calls): send(calls, of: request)
            case .script(let sql), .copy(let sql, _): sendScript(sql)
            }
        return isQueued && flush()
    }

    private mutating func sendScript(_ sql: String) -> Bool {
        progress = .plain
        return PQsendQuery(connection, prepared.map(sql)) == 1
    }

    /// Whether it is a transaction of its own that would run at a default of the server's.
    private func mustSet(_ request: PostgresRequest) -> Bool {
        setsIsolation && !request.begins && PQtransactionStatus(connection) == PQTRANS_IDLE
    }

    private mutating func send(_ calls: [StatementCall], of request: PostgresRequest) -> Bool {
        let settingIsolation = mustSet(request)
        let answersEarly = request.answersEarly
        if calls.count == 1, !settingIsolation, !answersEarly {
            switch prepared.form(of: calls[0]) {
            case .prepared(let entry):
                progress = .plain
                return execute(entry.name, calls[0].parameters)
            case .unnamed(let sql):
                progress = .plain
                return execute(sql: sql, calls[0].parameters)
            case .mustPrepare: break
            }
        }
        return sendPipeline(calls, settingIsolation: settingIsolation, answersEarly: answersEarly)
    }

    /// All in one go, with one end: they stand or fall together.
    ///
    /// - Parameter answersEarly: what they answer is sent before the commit.
    private mutating func sendPipeline(
        _ calls: [StatementCall], settingIsolation: Bool, answersEarly: Bool
    ) -> Bool {
        guard PQenterPipelineMode(connection) == 1 else { return false }
        var steps: [Step] = []
        steps.reserveCapacity(calls.count + 1)
        if settingIsolation {
            guard execute(sql: Self.isolation, PostgresParameters()) else { return false }
            steps.append(.setIsolation)
        }
        var underWay: Set<String> = []
        for call in calls {
            switch prepared.form(of: call) {
            case .unnamed(let sql):
                guard execute(sql: sql, call.parameters) else { return false }
            case .prepared(let entry):
                guard execute(entry.name, call.parameters) else { return false }
            case .mustPrepare(let entry):
                if underWay.insert(entry.name).inserted {
                    guard prepare(entry) else { return false }
                    steps.append(.prepare(call))
                }
                guard execute(entry.name, call.parameters) else { return false }
            }
            steps.append(.execute(call))
        }
        progress = .pipeline(steps, next: 0)
        if answersEarly, PQsendFlushRequest(connection) != 1 { return false }
        return PQpipelineSync(connection) == 1
    }

    /// Of the transaction that it begins: the next one has the session's default again.
    private static let isolation = "SET transaction_isolation = 'read committed'"

    private func prepare(_ entry: PreparedStatements.Entry) -> Bool {
        PQsendPrepare(
            connection, entry.name, entry.sql, Int32(entry.types.count), entry.types) == 1
    }

    private func execute(_ name: String, _ parameters: PostgresParameters) -> Bool {
        withBinaryFormats(parameters.count) { formats in
            parameters.withPointers { values, lengths in
                PQsendQueryPrepared(
                    connection, name, Int32(parameters.count), values, lengths, formats, 1)
            }
        } == 1
    }

    private func execute(sql: String, _ parameters: PostgresParameters) -> Bool {
        withBinaryFormats(parameters.count) { formats in
            parameters.withPointers { values, lengths in
                PQsendQueryParams(
                    connection, sql, Int32(parameters.count), parameters.types, values, lengths,
                    formats, 1)
            }
        } == 1
    }

    private func withBinaryFormats(
        _ count: Int, _ body: (UnsafePointer<Int32>?) -> Int32
    ) -> Int32 {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { formats in
            formats.initialize(repeating: 1)
            return body(formats.baseAddress)
        }
    }
}
