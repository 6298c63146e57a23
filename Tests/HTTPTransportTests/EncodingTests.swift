import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

extension SocketTests {
    @Suite struct EncodingTests {
        private let hello = Array("hello".utf8)
        /// "hello" as one stored block.
        private let brotli: [UInt8] = [0x0B, 0x02, 0x80, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x03]
        private let zstd: [UInt8] =
            [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0] + Array("hello".utf8)
        private let deflate: [UInt8] =
            [0x78, 0x01, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8) + [0x06, 0x2C, 0x02, 0x15]

        private func fetch(
            _ encoding: String, _ body: [UInt8], chunked: Bool = false, decodes: Bool = true,
            _ change: (inout HTTPLimits) -> Void = { _ in }
        ) async throws -> HTTPResponse {
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\n"
            let length = chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
            let sent = chunked ? Array("\(String(body.count, radix: 16))\r\n".utf8) + body : body
            let server = try TestServer(
                answer: head + length + "\r\n\r\n",
                body: sent + Array((chunked ? "\r\n0\r\n\r\n" : "").utf8))
            var request = try HTTPRequest.testing(server.url, change)
            request.decodesContent = decodes
            let response = try await CurlTransport.testing().send(request)
            withExtendedLifetime(server) {}
            return response
        }

        @Test func `every encoding that is asked for is decoded`() async throws {
            let encodings = [
                "br": brotli, "zstd": zstd, "deflate": deflate, "gzip": try gzip(hello),
            ]
            for (name, body) in encodings {
                let response = try await fetch(name, body)
                #expect(try await response.body.collect(limit: 10) == hello, "\(name)")
                #expect(response.body.progress.wireBytes == body.count, "\(name)")
                #expect(response.body.progress.decodedBytes == 5, "\(name)")
            }
            let nested = try await fetch("gzip, br", brotliStored(try gzip(hello)))
            #expect(try await nested.body.collect(limit: 10) == hello)
        }

        @Test func `without decoding the bytes come as they are`() async throws {
            let response = try await fetch("zstd", zstd, decodes: false)
            #expect(try await response.body.collect(limit: 100) == zstd)
        }

        @Test(arguments: ["rot13", "utf-8", "none", "identity", "utf-8, gzip"])
        func `a body in what is no encoding comes as it is`(_ name: String) async throws {
            let response = try await fetch(name, hello)
            #expect(try await response.body.collect(limit: 10) == hello)
        }

        @Test func `broken and too many encodings are refused`() async throws {
            for (encoding, body) in [
                ("gzip", hello),
                ("gzip, gzip, gzip", try gzip(try gzip(gzip(hello)))),
            ] {
                let response = try await fetch(encoding, body)
                await expect(.badEncoding) { try await response.body.collect(limit: 100) }
            }
        }

        @Test(arguments: [false, true])
        func `a bomb is recognised by its ratio`(_ isChunked: Bool) async throws {
            let gzipped = try gzip([UInt8](repeating: 0, count: 20 << 20))
            for (encoding, body) in [("gzip", gzipped), ("zstd", zstdZeros(blocks: 160))] {
                let response = try await fetch(encoding, body, chunked: isChunked)
                await expect(.bombRatio) { try await response.body.collect(limit: 64 << 20) }
                #expect(response.body.progress.decodedBytes < 8 << 20)
            }
        }

        @Test func `a small bomb is recognised at its end`() async throws {
            let response = try await fetch("zstd", zstdZeros(blocks: 12), chunked: true)
            await expect(.bombRatio) { try await response.body.collect(limit: 64 << 20) }
        }

        @Test func `a page that packs well is no bomb`() async throws {
            let line = "<tr><td>cell</td></tr>\n"
            let page = (0..<100_000).flatMap { Array("\($0) \(line)".utf8) }
            let response = try await fetch("gzip", try gzip(page), chunked: true)
            #expect(try await response.body.collect(limit: 64 << 20) == page)
        }

        @Test func `decoded bytes have a limit of their own`() async throws {
            let response = try await fetch("zstd", zstdZeros(blocks: 4)) {
                $0.decodedBytes = 500_000
            }
            await expect(.bodyTooLarge) { try await response.body.collect(limit: 64 << 20) }
        }

        /// Blocks of 128 KiB zeros, four bytes each.
        private func zstdZeros(blocks: Int) -> [UInt8] {
            let size = UInt32(128 << 10)
            var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
            for index in 1...blocks {
                let header = size << 3 | 1 << 1 | (index == blocks ? 1 : 0)
                frame += withUnsafeBytes(of: header.littleEndian) { $0.prefix(3) } + [0]
            }
            return frame
        }

        /// One stored brotli block.
        private func brotliStored(_ bytes: [UInt8]) -> [UInt8] {
            let length = UInt32(bytes.count - 1)
            // Window bits 16 (one bit), not last, four nibbles of length, stored.
            let header = length << 4 | 1 << 20
            return withUnsafeBytes(of: header.littleEndian) { Array($0.prefix(3)) } + bytes + [0x03]
        }
    }
}

/// Packs with the `gzip` program.
func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-9cn", file.path]
    process.standardOutput = output
    try process.run()
    defer { process.waitForEnd() }
    return Array(try output.fileHandleForReading.readToEnd() ?? Data())
}
