/// Takes one direction of PostgreSQL's protocol (version 3) apart into whole messages.
struct MessageReader {
    struct Message {
        /// The type byte; nil for the first message of a client, which has none.
        let type: UInt8?
        let bytes: ArraySlice<UInt8>

        /// What follows the type and the length.
        var body: ArraySlice<UInt8> { bytes.dropFirst(type == nil ? 4 : 5) }
    }

    private var buffer: [UInt8] = []
    private var isStarting: Bool

    init(ofClient: Bool) { isStarting = ofClient }

    mutating func feed(_ bytes: some Sequence<UInt8>) { buffer += bytes }

    /// The next message that has arrived whole.
    mutating func next() -> Message? {
        let header = isStarting ? 0 : 1
        guard buffer.count >= header + 4 else { return nil }
        let length = buffer[header..<(header + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard length >= 4, buffer.count >= header + length else { return nil }
        let message = Message(
            type: isStarting ? nil : buffer[0], bytes: buffer[..<(header + length)])
        if isStarting, !message.asksForEncryption { isStarting = false }
        defer { buffer = Array(buffer[(header + length)...]) }
        return message
    }
}

extension MessageReader.Message {
    /// SSLRequest or GSSENCRequest: answered with one byte, and a first message follows again.
    var asksForEncryption: Bool {
        guard type == nil, bytes.count == 8 else { return false }
        return [80_877_103, 80_877_104].contains(body.reduce(0) { $0 << 8 | Int($1) })
    }

    /// After it a client waits for ReadyForQuery.
    var endsRequest: Bool { type == UInt8(ascii: "Q") || type == UInt8(ascii: "S") }

    /// Execute, or a simple query.
    var runsStatement: Bool { type == UInt8(ascii: "E") || type == UInt8(ascii: "Q") }

    var isReadyForQuery: Bool { type == UInt8(ascii: "Z") }
    var isNotification: Bool { type == UInt8(ascii: "A") }
    /// COMMIT was done, or the statement that was its own transaction: the server sends nothing of
    /// it before it is committed.
    var isCommitted: Bool {
        type == UInt8(ascii: "C")
            && ["COMMIT\0", "INSERT ", "SELECT "].contains { body.starts(with: $0.utf8) }
    }
}

/// Knows a commit by the client's messages: COMMIT, as a simple query or in the extended protocol,
/// where it is parsed anew; or, outside a transaction, a prepared statement that enqueues.
struct CommitSpotter {
    private var enqueues: Set<[UInt8]> = []

    mutating func isCommit(_ message: MessageReader.Message, isInTransaction: Bool) -> Bool {
        let first = Array(message.body.prefix { $0 != 0 })
        let second = Array(message.body.dropFirst(first.count + 1).prefix { $0 != 0 })
        switch message.type {
        case UInt8(ascii: "Q"): return first == Array("COMMIT".utf8)
        case UInt8(ascii: "P"):
            let sql = String(decoding: second, as: UTF8.self)
            let doors = [".add_job(", ".add_jobs(", ".supersede(", ".enqueue_many("]
            if doors.contains(where: sql.contains) {
                enqueues.insert(first)
            }
            return sql == "COMMIT"
        // A portal, then the statement.
        case UInt8(ascii: "B"): return !isInTransaction && enqueues.contains(second)
        default: return false
        }
    }
}
