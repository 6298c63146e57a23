import FaultSupport
import Synchronization

/// The folder that a run is recorded in; its format is Tests/History/FORMAT.md.
final class Recording: Sendable {
    struct Fault: Sendable {
        let kind: FaultKind
        let from: Double
        let until: Double
        let process: String?
        /// Met a call in flight, for certain.
        let reached: Bool
        /// Known when it happened; otherwise the logs tell.
        let felt: Bool?
    }

    let folder: String
    private let faults: LineFile
    private let happened = Mutex<[Fault]>([])

    init(_ folder: String) throws {
        self.folder = folder
        try Files.makeFolder(folder)
        guard Files.names(in: folder).allSatisfy({ $0.hasPrefix(".") }) else {
            throw ProcessFailure(what: "\(folder) is not empty: give another --out")
        }
        faults = try LineFile("\(folder)/faults.jsonl")
    }

    func log(of process: String) -> String { "\(folder)/process-\(process).jsonl" }

    var all: [Fault] { happened.withLock { $0 } }

    /// A fault, when it is over.
    func fault(
        _ kind: FaultKind, from boot: Double, until: Double? = nil,
        _ victim: ProcessSlot.Incarnation? = nil, job: String? = nil, detail: String? = nil,
        reached: Bool = false,
        felt: Bool? = nil
    ) {
        happened.withLock {
            $0.append(
                Fault(
                    kind: kind, from: boot, until: until ?? boot, process: victim?.name,
                    reached: reached, felt: felt))
        }
        faults.write(
            line: JSONValue.object([
                ("boot", .number(boot)), ("until", until.map { .number($0) }),
                ("fault", .string(kind.rawValue)), ("process", victim.map { .string($0.name) }),
                ("job", job.map { .string($0) }), ("pid", victim.map { JSONValue(Int($0.pid)) }),
                ("detail", detail.map { .string($0) }), ("reached", reached ? true : nil),
            ]).text)
    }

    func mark(_ word: String) { faults.write([("fault", .string(word))]) }

    func settings(_ fields: [(String, JSONValue?)]) throws {
        let text = JSONValue.object(fields).text + "\n"
        try Files.write(Array(text.utf8), to: "\(folder)/settings.json")
    }
}
