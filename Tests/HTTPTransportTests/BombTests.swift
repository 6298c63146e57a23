import TestSupport
import Testing

@testable import HTTPTransport

extension SocketTests {
    /// Each in a process of its own, whose largest size the kernel tells; under a sanitizer that
    /// size says nothing.
    @Suite(.enabled(if: patience == 1)) struct BombTests {
        private static let mostMiB = 100

        /// Serves a body to whoever asks, and goes on sending what `then` sends.
        private func serve(
            _ headers: String, _ body: [UInt8] = [],
            then: @escaping @Sendable (Peer) -> Void = { _ in }
        ) throws -> TestServer {
            try TestServer { peer in
                _ = peer.readRequest()
                peer.send(headers.hasPrefix("HTTP/") ? headers : "HTTP/1.1 200 OK\r\n" + headers)
                peer.send(body)
                then(peer)
            }
        }

        private func expect(
            _ code: HTTPTransportError.Code, _ run: ProbeRun, within seconds: Int = 5,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(run.code == code.rawValue, "\(run)", sourceLocation: sourceLocation)
            #expect(run.peakMiB < Self.mostMiB, "\(run)", sourceLocation: sourceLocation)
            #expect(run.milliseconds < seconds * 1000, "\(run)", sourceLocation: sourceLocation)
        }

        @Test func `a gigabyte of zeros, in every encoding and in two`() throws {
            let bombs = try Bombs()
            let cases: [(String, [UInt8])] = [
                ("gzip", bombs.gzip), ("deflate", bombs.deflate), ("deflate", bombs.rawDeflate),
                ("br", try Bombs.brotli()), ("zstd", Bombs.zstd),
                ("gzip, gzip", try gzip(bombs.gzip)), ("deflate, gzip", try gzip(bombs.deflate)),
                ("zstd, gzip", try gzip(Bombs.zstd)), ("br, gzip", try gzip(Bombs.brotli())),
            ]
            for (encoding, body) in cases {
                let server = try serve("Content-Encoding: \(encoding)\r\n\r\n", body)
                let run = try ProbeRun(server.url, "collect")
                expect(.bombRatio, run)
                #expect(run.decodedBytes <= 2 << 20, "\(encoding): \(run)")
                print("BOMB|\(encoding)|\(body.count)|\(run)")
            }
        }

        @Test func `one that keeps the ratio stops at the size`() throws {
            let modest = try Bombs().modest
            let server = try serve("Content-Encoding: gzip\r\n\r\n", modest)
            for reading in ["discard", "collect"] {
                let run = try ProbeRun(server.url, reading)
                expect(.bodyTooLarge, run, within: 10)
                #expect(run.decodedBytes <= 64 << 20 + 64 << 10, "\(run)")
                print("BOMB|modest, \(reading)|\(modest.count)|\(run)")
            }
        }

        @Test func `much work for nothing is a bomb too`() throws {
            let busy = try Bombs.busy()
            let server = try serve("Content-Encoding: gzip, br\r\n\r\n", busy)
            let run = try ProbeRun(server.url)
            expect(.bombRatio, run, within: 2)
            print("BOMB|busy|\(busy.count)|\(run)")
        }

        @Test func `a transfer coding that wasn't asked for is not undone`() throws {
            for coding in ["gzip, chunked", "gzip", "br, gzip"] {
                let server = try serve("Transfer-Encoding: \(coding)\r\n\r\n", try Bombs.brotli())
                expect(.badEncoding, try ProbeRun(server.url))
            }
        }

        @Test func `what never ends, ends`() throws {
            let block = [UInt8](repeating: 0x61, count: 64 << 10)
            let line = Array("X-More: \(String(repeating: "a", count: 200))\r\n".utf8)
            let interim = Array("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n".utf8)
            func endless(_ start: String, _ bytes: [UInt8]) throws -> TestServer {
                try serve(start) { peer in while peer.send(bytes) {} }
            }
            let chunked = "Transfer-Encoding: chunked\r\n\r\n"
            for (name, server, code, limit) in [
                ("headers", try endless("", line), .headersTooLarge, ""),
                ("header", try endless("X: ", block), .headersTooLarge, ""),
                ("interim", try endless("HTTP/1.1 103 E\r\n\r\n", interim), .headersTooLarge, ""),
                ("body", try endless("\r\n", block), .bodyTooLarge, "total=20000"),
                ("chunk extension", try endless(chunked + "5;", block), nil, "stall=800"),
                ("trailers", try endless(chunked + "0\r\n", line), .headersTooLarge, "stall=800"),
                ("trailer", try endless(chunked + "0\r\nX: ", block), nil, "stall=800"),
            ] as [(String, TestServer, HTTPTransportError.Code?, String)] {
                let run = try ProbeRun(server.url, "collect", limit.isEmpty ? "total=8000" : limit)
                if let code { expect(code, run, within: 20) }
                #expect(run.code != "ok" && run.peakMiB < Self.mostMiB, "\(run)")
                print("ENDLESS|\(name)|\(run)")
            }
        }

        @Test func `one byte a second is stalled, wherever it drips`() throws {
            let gzipped: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
            for (name, start, body) in [
                ("header", "X: ", []), ("body", "\r\n", []),
                ("encoded", "Content-Encoding: gzip\r\n\r\n", gzipped),
                ("chunks", "Transfer-Encoding: chunked\r\n\r\n1", []),
            ] {
                let server = try serve(start, body) { peer in
                    while peer.send("0") { nap(milliseconds: 1000) }
                }
                let run = try ProbeRun(server.url, "discard", "stall=1500")
                expect(.stalled, run, within: 3)
                print("DRIP|\(name)|\(run)")
            }
        }
    }
}
