import Foundation
import TestSupport
import Testing

/// A type of job that says something in a way that nobody would read is refused by the compiler:
/// each of these is compiled against the built library.
@Suite struct NearMissTests {
    struct NearMiss: Sendable, CustomTestStringConvertible {
        let declaration: String
        /// What the compiler has to say, besides that it is an error.
        let refusal: String
        var options = "static let options = JobOptions<Self>()"
        var kind = "static let kind: JobKind = \"charge\""
        var testDescription: String { declaration }
    }

    static let misses: [NearMiss] = [
        beside("static let queue = \"payments\"", "String"),
        beside("static let queue: QueueName = \"payments\"", "QueueName"),
        beside("static let priority = 0", "Int"),
        beside("static let retry = RetryPolicy.never", "RetryPolicy"),
        beside("static let retry = 3", "Int"),
        beside("static let maxAttempts = 3", "Int"),
        beside("static let timeout = Duration.seconds(2)", "Duration"),
        beside("static let timeout: Duration? = .seconds(2)", "Duration?"),
        beside("static var key: KeyMode? { .keeping(\"a\") }", "KeyMode?"),
        beside("static func key(_ job: Self) -> KeyMode? { .keeping(\"a\") }", "KeyMode?"),
        beside("static func key(_ job: Charge) -> KeyMode { .keeping(\"a\") }", "KeyMode"),
        beside("static func lane(_ job: Self) -> Lane? { nil }", "Lane?"),
        beside("static func notAfter(_ job: Self) -> Expiry? { nil }", "Expiry?"),
        beside("static let lane = Lane(\"a\")", "Lane"),
        beside("static let notAfter = Expiry.after(.seconds(60))", "Expiry"),
        beside("static let deadLetter = LetterAddress.to(kind: \"lost\")", "LetterAddress"),
        beside("static let secretFields = [\"card\"]", "[String]"),
        beside("static let payloadVersion = 2", "Int"),
        beside(
            "static func upgrade(_ old: Data, from version: Int) throws -> Self { Self() }", "Data"
        ),
        NearMiss(
            declaration: "static let options = EnqueueOptions()",
            refusal: "does not conform to protocol 'Job'", options: ""),
        NearMiss(
            declaration: "static let option = JobOptions<Self>()",
            refusal: "does not conform to protocol 'Job'", options: ""),
        NearMiss(
            declaration: "var options: JobOptions<Charge> { JobOptions() }",
            refusal: "does not conform to protocol 'Job'", options: ""),
        NearMiss(
            declaration: "static let options = JobOptions<Other>()",
            refusal: "does not conform to protocol 'Job'", options: ""),
        NearMiss(
            declaration: "static let options = JobOptions<Self>(secretField: [\"card\"])",
            refusal: "secretField", options: ""),
        NearMiss(
            declaration: "static let options = JobOptions<Self>(key: { $0.nothing })",
            refusal: "has no member 'nothing'", options: ""),
        NearMiss(
            declaration: "static let kind = \"charge\"",
            refusal: "does not conform to protocol 'Job'", kind: ""),
    ]

    private static func beside(_ declaration: String, _ type: String) -> NearMiss {
        NearMiss(
            declaration: declaration,
            refusal: "type '\(type)' does not conform to protocol 'BelongsInOptions'")
    }

    @Test(arguments: misses)
    func `a near miss doesn't compile`(_ miss: NearMiss) throws {
        let answer = try Compiler.check(
            """
            struct Charge: Job {
                \(miss.kind)
                \(miss.options)
                \(miss.declaration)
            }
            """)
        #expect(answer.status != 0)
        #expect(answer.output.contains("error: "))
        #expect(answer.output.contains(miss.refusal), "\(answer.output)")
    }

    @Test func `what belongs into the options is taken there, by literals, and payloads may have`()
        throws
    {
        let answer = try Compiler.check(
            """
            public struct Charge: Job {
                public static let kind: JobKind = "charge"
                public static let options = JobOptions<Self>(
                    queue: "payments", priority: 0, retry: .never, timeout: .seconds(2),
                    key: { .keeping($0.key) }, lane: { Lane($0.lane) },
                    notAfter: { _ in .after(.seconds(60)) }, secretFields: ["card"],
                    payloadVersion: 2, upgrade: { old, _ in try Self.read(old) })
                let key: String, lane: String, queue: Int, timeout: Double, priority: Int
                var retry = false
                static func key(of order: Int) -> String { "\\(order)" }
                static func read(_ old: Data) throws -> Self {
                    try JSONDecoder().decode(Self.self, from: old)
                }
            }
            """)
        #expect(answer.status == 0, "\(answer.output)")
    }
}

/// The compiler that built this test, on a file that imports the library that this test has.
private enum Compiler {
    static func check(_ declaration: String) throws -> (status: Int32, output: String) {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "near-miss-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }  // It is a temporary folder's.
        let text = """
            import FoundationEssentials
            import Tenure
            struct Other: Job {
                static let kind: JobKind = "other"
                static let options = JobOptions<Self>()
            }
            \(declaration)
            """
        try text.write(to: file, atomically: true, encoding: .utf8)
        let headers = try run(["pkg-config", "--cflags-only-I", "libpq"]).output
            .split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
        return try run(
            ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library"]
                + ["-I", modules.path, "-I", libpq.path, "-I", libc.path] + headers + [file.path])
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let libpq = root.appending(path: "Sources/TenureLibpq")
    private static let libc = modules.deletingLastPathComponent()
        .appending(path: "TenureLibc.build")
    /// Beside the test's own program.
    private static let modules = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "Modules")

    private static func run(_ command: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return (process.waitForEnd(), String(decoding: output, as: UTF8.self))
    }
}
