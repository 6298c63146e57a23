import Testing

@testable import FaultSupport

@Suite struct ProxyTests {
    /// A message of the protocol: a type, a length, a body.
    private func message(_ type: Character, _ body: String) -> [UInt8] {
        let body = Array(body.utf8)
        let length = UInt32(body.count + 4).bigEndian
        return [type.asciiValue!] + withUnsafeBytes(of: length, Array.init) + body
    }

    private let startup: [UInt8] = [0, 0, 0, 9, 0, 3, 0, 0, 0]

    @Test(arguments: [false, true])
    func `a commit is seen in both protocols, and nothing else is taken for one`(
        isInTransaction: Bool
    ) {
        var reader = MessageReader(ofClient: true)
        reader.feed(startup)
        reader.feed(message("Q", "COMMIT\0"))
        reader.feed(message("P", "\0COMMIT\0\0\0"))
        reader.feed(message("P", "name\0COMMIT AND CHAIN\0\0\0"))
        reader.feed(message("B", "COMMIT\0"))
        reader.feed(message("P", "one\0SELECT * FROM \"tenure\".add_job(\n id)\0\0\0"))
        reader.feed(message("P", "two\0INSERT INTO note (id)\0\0\0"))
        reader.feed(message("B", "\0one\0"))
        reader.feed(message("B", "\0two\0"))
        var spotter = CommitSpotter()
        var seen: [Bool] = []
        while let message = reader.next() {
            seen.append(spotter.isCommit(message, isInTransaction: isInTransaction))
        }
        #expect(
            seen == [false, true, true, false, false, false, false, !isInTransaction, false])
    }

    @Test func `messages come whole, however the bytes are cut`() {
        let stream = message("C", "COMMIT\0") + message("Z", "I") + message("A", "hint\0")
        var reader = MessageReader(ofClient: false)
        var seen: [MessageReader.Message] = []
        for byte in stream {
            reader.feed([byte])
            while let message = reader.next() { seen.append(message) }
        }
        #expect(seen.flatMap(\.bytes) == stream)
        #expect(seen.map(\.isCommitted) == [true, false, false])
        #expect(seen.map(\.isReadyForQuery) == [false, true, false])
        #expect(seen.map(\.isNotification) == [false, false, true])
    }

    @Test func `a client that asks for encryption begins anew`() {
        var reader = MessageReader(ofClient: true)
        reader.feed([0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F])
        reader.feed(startup)
        reader.feed(message("S", ""))
        #expect(reader.next()?.asksForEncryption == true)
        #expect(reader.next()?.asksForEncryption == false)
        #expect(reader.next()?.endsRequest == true)
    }
}
