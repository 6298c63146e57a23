import Foundation
import Testing

/// The public test suites, which live beside the project and not in it.
enum Corpora {
    /// `TENURE_CORPORA`, or `../shared/corpora` from the root of the package.
    static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["TENURE_CORPORA"] {
            return URL(fileURLWithPath: path)
        }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 1...5 { root.deleteLastPathComponent() }
        return root.appendingPathComponent("shared/corpora")
    }()

    /// The contents of one file; when the corpora are missing, a known issue and nil.
    static func data(_ path: String) -> [UInt8]? {
        let url = root.appendingPathComponent(path)
        if let data = try? Data(contentsOf: url) { return Array(data) }
        report(url.path)
        return nil
    }

    static func json(_ path: String) -> JSON? {
        data(path).map { JSON.parse($0) }
    }

    static func files(_ folder: String, suffix: String) -> [String] {
        let path = root.appendingPathComponent(folder).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if names.isEmpty { report(path) }
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }

    private static func report(_ path: String) {
        print("MISSING CORPUS|\(path)|its cases were NOT checked|")
        withKnownIssue("the corpus \(path) is missing") {
            Issue.record("missing corpus")
        }
    }
}

/// Counts cases, prints a row of the table that `bin/test corpora` ends with, and fails with the
/// first few that went wrong.
struct Tally {
    let name: String
    private(set) var passed = 0
    private(set) var failures: [String] = []

    init(_ name: String) {
        self.name = name
    }

    mutating func check(_ isRight: Bool, _ message: @autoclosure () -> String) {
        if isRight { passed += 1 } else { failures.append(message()) }
    }

    func finish() {
        print("CORPUS|\(name)|\(passed + failures.count)|\(passed)")
        for failure in failures.prefix(25) { print("  \(failure)") }
        #expect(failures.isEmpty, "\(name): \(failures.prefix(5))")
    }
}
