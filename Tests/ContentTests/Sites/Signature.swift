import Foundation
import TestSupport
import Testing

/// A receiver's look at a signature, as docs/notices.md has it; OpenSSL makes the digest.
enum Signature {
    static func expect(
        on request: LocalWeb.Request, secret: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let fields = try #require(request["Tenure-Signature"], sourceLocation: location)
            .split(separator: ",").map { $0.split(separator: "=").map(String.init) }
        let values = Dictionary(uniqueKeysWithValues: fields.map { ($0[0], $0[1]) })
        let time = try #require(values["t"].flatMap { Double($0) }, sourceLocation: location)
        #expect(abs(Date().timeIntervalSince1970 - time) < 300, sourceLocation: location)
        let signed = Array("\(values["t"] ?? "").".utf8) + request.body
        let digest = try openSSL(signed, secret)
        #expect(values["v1"] == digest, sourceLocation: location)
    }

    /// Another program's HMAC: ours is not judged by itself.
    private static func openSSL(_ message: [UInt8], _ key: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl", "dgst", "-sha256", "-hmac", key, "-r"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(message))
        try input.fileHandleForWriting.close()
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitForEnd()
        return String(text.prefix { $0 != " " })
    }
}
