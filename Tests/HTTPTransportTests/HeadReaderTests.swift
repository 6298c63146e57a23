import Testing

@testable import HTTPTransport

@Suite struct HeadReaderTests {
    private func read(_ lines: [String], max: Int = 1000) -> (HeadReader, [HeadReader.Event]) {
        var reader = HeadReader(maxBytes: max)
        let events = lines.map { line in
            Array(line.utf8).withUnsafeBytes { reader.read($0) }
        }
        return (reader, events)
    }

    @Test func `a head is complete at its empty line`() {
        let (reader, events) = read([
            "HTTP/2 404 \r\n", "A: b\r\n", "A:  c \r\n", "\r\n", "T: x\r\n",
        ])
        #expect(events == [.more, .more, .more, .complete, .more])
        #expect(reader.head?.status == 404)
        #expect(reader.head?.version == .http2)
        #expect(reader.head?.headers.values(of: "a") == ["b", "c"])
        #expect(reader.head?.headers["T"] == nil)
    }

    @Test func `all lines count, over interim responses and trailers`() {
        let lines = ["HTTP/1.1 100 C\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "\r\n", "T: x\r\n"]
        let bytes = lines.reduce(0) { $0 + $1.utf8.count }
        #expect(read(lines, max: bytes).1.last == .more)
        #expect(read(lines, max: bytes - 1).1.last == .tooLarge)
    }

    @Test func `what isn't a head is malformed`() {
        #expect(read(["SSH-2.0\r\n"]).1 == [.malformed])
        #expect(read(["HTTP/1.1 xx\r\n"]).1 == [.malformed])
        #expect(read(["HTTP/1.1 99\r\n"]).1 == [.malformed])
    }

    @Test func `encodings are gathered over all headers`() {
        let lines = [
            "HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip, br\r\n",
            "content-encoding: identity\r\n",
            "Transfer-Encoding: gzip, chunked\r\n", "\r\n",
        ]
        #expect(read(lines).0.head?.codings == ["gzip", "br"])
        #expect(read(lines).0.head?.transferCodings == ["gzip"])
    }
}
