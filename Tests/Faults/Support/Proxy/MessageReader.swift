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

    /// A client's COMMIT, as a simple query or in the extended protocol, where it is parsed anew.
    var isCommit: Bool {
        switch type {
        case UInt8(ascii: "Q"): Self.isCommit(body.prefix { $0 != 0 })
        case UInt8(ascii: "P"):
            Self.isCommit(body.drop { $0 != 0 }.dropFirst().prefix { $0 != 0 })
        default: false
        }
    }

    /// After it a client waits for ReadyForQuery.
    var endsRequest: Bool { type == UInt8(ascii: "Q") || type == UInt8(ascii: "S") }

    var isReadyForQuery: Bool { type == UInt8(ascii: "Z") }
    var isNotification: Bool { type == UInt8(ascii: "A") }
    var isCommitted: Bool {
        type == UInt8(ascii: "C") && body.prefix { $0 != 0 }.elementsEqual("COMMIT".utf8)
    }

    private static func isCommit(_ text: some Collection<UInt8>) -> Bool {
        text.elementsEqual("COMMIT".utf8)
    }
}
