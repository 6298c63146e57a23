import Testing

@testable import HTTPTransport

@Suite struct DecodingChainTests {
    private let hello = Array("hello".utf8)

    /// Decodes a body that comes in pieces of that size.
    private func decode(
        _ codings: [String], _ body: [UInt8], pieces: Int = .max
    ) throws -> [UInt8] {
        var chain = try DecodingChain(codings, limits: .article, url: "http://a.test/")
        var output: [UInt8] = []
        var rest = body[...]
        while true {
            switch try chain.step() {
            case .output(let bytes): output += bytes
            case .working: break
            case .needsInput:
                guard !rest.isEmpty else {
                    try chain.finish()
                    return output
                }
                chain.feed(Array(rest.prefix(pieces)))
                rest = rest.dropFirst(pieces)
            }
        }
    }

    private func code(_ body: () throws -> [UInt8]) -> HTTPTransportError.Code? {
        do {
            _ = try body()
            return nil
        } catch let failure as DecodingFailure {
            return failure.code
        } catch {
            return (error as? HTTPTransportError)?.code
        }
    }

    @Test func `a stream may come byte by byte`() throws {
        let text = (0..<50_000).flatMap { Array("\($0 % 977) ".utf8) }
        let packed = try gzip(text)
        for pieces in [1, 7, 4096, .max] {
            #expect(try decode(["gzip"], packed, pieces: pieces) == text)
            #expect(try decode(["X-GZip"], packed, pieces: pieces) == text)
            #expect(try decode(["gzip", "gzip"], gzip(packed), pieces: pieces) == text)
        }
    }

    @Test func `gzip may have several members, and padding after the last`() throws {
        let members = try gzip(hello) + gzip(hello)
        for pieces in [1, .max] {
            #expect(try decode(["gzip"], members, pieces: pieces) == hello + hello)
            #expect(try decode(["gzip"], members + [0, 0, 0], pieces: pieces) == hello + hello)
        }
    }

    @Test func `deflate is zlib's format, or the bare stream`() throws {
        let packed = try gzip(hello)
        let bare = Array(packed.dropFirst(10).dropLast(8))
        let wrapped = [0x78, 0xDA] + bare + [0x06, 0x2C, 0x02, 0x15]
        for pieces in [1, .max] {
            #expect(try decode(["deflate"], bare, pieces: pieces) == hello)
            #expect(try decode(["deflate"], wrapped, pieces: pieces) == hello)
        }
        #expect(code { try decode(["deflate"], wrapped.dropLast() + [0]) } == .badEncoding)
    }

    @Test func `a body without bytes has no encoding to undo`() throws {
        for coding in ["gzip", "deflate", "br", "zstd"] {
            #expect(try decode([coding], []).isEmpty)
        }
    }

    @Test func `a stream that breaks off is truncated, in every layer`() throws {
        let packed = try gzip(hello)
        let twice = try gzip(Array(packed.dropLast(3)))
        for (codings, body) in [
            (["gzip"], Array(packed.dropLast())), (["gzip"], Array(packed.prefix(5))),
            (["gzip", "gzip"], twice),
            (["br"], [0x0B, 0x02, 0x80, 0x68]), (["zstd"], [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5]),
        ] as [([String], [UInt8])] {
            #expect(code { try decode(codings, body) } == .truncated, "\(codings)")
        }
    }

    @Test func `what is something else than it says is refused`() throws {
        let packed = try gzip(hello)
        var corrupt = packed
        corrupt[packed.count - 6] ^= 1  // its checksum
        for (coding, body) in [
            ("gzip", hello), ("gzip", Array("<html>".utf8)), ("br", Array("<html>".utf8)),
            ("zstd", packed), ("gzip", corrupt), ("compress", hello), ("utf-8", hello),
        ] {
            #expect(code { try decode([coding], body) } == .badEncoding, "\(coding)")
        }
    }

    @Test func `zstd may ask for a window of 8 MiB and not more`() {
        func frame(windowLog: UInt8) -> [UInt8] {
            [0x28, 0xB5, 0x2F, 0xFD, 0x00, (windowLog - 10) << 3, 0x29, 0, 0] + hello
        }
        #expect(code { try decode(["zstd"], frame(windowLog: 23)) } == nil)
        #expect(code { try decode(["zstd"], frame(windowLog: 24)) } == .badEncoding)
    }
}
