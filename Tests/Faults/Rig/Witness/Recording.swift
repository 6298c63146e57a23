import FaultSupport
import Synchronization

/// The folder that a run is recorded in; its format is Tests/History/FORMAT.md.
final class Recording: Sendable {
    struct Count: Sendable {
        var happened = 0
        var reached = 0
    }

    let folder: String
    private let faults: LineFile
    private let counted = Mutex<[FaultKind: Count]>([:])

    init(_ folder: String) throws {
        self.folder = folder
        try Files.makeFolder(folder)
        guard Files.names(in: folder).allSatisfy({ $0.hasPrefix(".") }) else {
            throw ProcessFailure(what: "\(folder) is not empty: give another --out")
        }
        faults = try LineFile("\(folder)/faults.jsonl")
    }

    func log(of process: String) -> String { "\(folder)/process-\(process).jsonl" }

    var counts: [FaultKind: Count] { counted.withLock { $0 } }

    /// A fault, when it is over.
    func fault(
        _ kind: FaultKind, from boot: Double, until: Double? = nil,
        _ victim: ProcessSlot.Incarnation? = nil, detail: String? = nil, reached: Bool = false
    ) {
        counted.withLock {
            $0[kind, default: Count()].happened += 1
            if reached { $0[kind, default: Count()].reached += 1 }
        }
        faults.write(
            line: JSONValue.object([
                ("boot", .number(boot)), ("until", until.map { .number($0) }),
                ("fault", .string(kind.rawValue)), ("process", victim.map { .string($0.name) }),
                ("pid", victim.map { JSONValue(Int($0.pid)) }),
                ("detail", detail.map { .string($0) }), ("reached", reached ? true : nil),
            ]).text)
    }

    func mark(_ word: String) { faults.write([("fault", .string(word))]) }

    func settings(_ fields: [(String, JSONValue?)]) throws {
        let text = JSONValue.object(fields).text + "\n"
        try Files.write(Array(text.utf8), to: "\(folder)/settings.json")
    }
}
