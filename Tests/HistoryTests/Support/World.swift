import Foundation
import History

/// A made-up run of the whole system, which writes its own recording. Its verbs do what a right
/// system does; a test lets one of them do something else, or changes what was written.
struct World {
    var boot = 1_000.0
    var settings: Row = [
        "seed": 1, "leaseSeconds": 5, "marginSeconds": 2, "stopDelaySeconds": 0.5,
        "sweepSeconds": 1, "pollSeconds": 1, "longestWorkSeconds": 3, "clockRateError": 0.01,
        "tickSeconds": 0.1, "cancellation": "on",
        "lanes": .list([["queue": "default", "lane": "host", "maxRunning": 1].value]),
        "queues": .list([["queue": "default", "maxRunning": 4].value]),
    ]
    var audit: [Row] = []
    var logs: [String: [Row]] = [:]
    var sink: [Row] = []
    var faults: [Row] = []
    var errors: [Row] = []
    /// Changes to `final.jsonl` that nothing else knows of.
    var finalEdit: ([Row]) -> [Row] = { $0 }

    /// The tables as they are now, by their keys.
    private(set) var tables: [String: [String: Row]] = [:]
    private var seq = 0
    private(set) var xid = 100
    var lastFence = 0
    private var lastGeneration = 0
    private var calls = 0
    private var beats: [Int: Int] = [:]

    /// The process of each session.
    static let processes = [1: "w1", 2: "w2"]

    init() {
        for process in ["w1", "w2"] { log(process, "start", ["role": "worker", "pid": 1]) }
        log("p1", "start", ["role": "producer", "pid": 1])
        for session in [1, 2] { open(session) }
    }

    // MARK: Tables

    mutating func transaction(_ body: (inout World) -> Void) {
        xid += 1
        body(&self)
    }

    mutating func insert(_ table: String, _ key: String, _ row: Row) {
        tables[table, default: [:]][key] = row
        write(table, "insert", nil, row)
    }

    mutating func update(_ table: String, _ key: String, _ changes: Row) {
        guard let old = tables[table]?[key] else { return }
        let new = old.with(changes)
        tables[table]?[key] = new
        write(table, "update", old, new)
    }

    mutating func delete(_ table: String, _ key: String) {
        guard let old = tables[table]?.removeValue(forKey: key) else { return }
        write(table, "delete", old, nil)
    }

    private mutating func write(_ table: String, _ operation: String, _ old: Row?, _ new: Row?) {
        seq += 1
        var line: Row = [
            "seq": .integer(seq), "boot": .boot((boot * 100).rounded(.down) / 100),
            "xid": .integer(xid), "table": .text(table), "op": .text(operation),
        ]
        line["old"] = old.map(Value.object)
        line["new"] = new.map(Value.object)
        audit.append(line)
    }

    func row(_ table: String, _ key: String) -> Row { tables[table]?[key] ?? [:] }

    // MARK: Processes

    mutating func pass(_ seconds: Double) { boot += seconds }

    mutating func log(_ process: String, _ event: String, _ fields: Row = [:]) {
        let name: Row = event == "start" ? ["name": .text(process)] : [:]
        logs[process, default: []].append(
            ["boot": .boot(boot), "event": .text(event)].with(name).with(fields))
    }

    mutating func fault(_ name: String, _ fields: Row = [:]) {
        faults.append(["boot": .boot(boot), "fault": .text(name)].with(fields))
    }

    private mutating func open(_ session: Int) {
        transaction { world in
            world.insert(
                "session", "\(session)",
                [
                    "id": .integer(session), "beat": 0, "beaten_at": world.databaseTime,
                    "ended_at": nil, "died": nil, "ended_by": nil, "role": "worker",
                ])
        }
        log(
            Self.processes[session] ?? "", "sessionOpened",
            ["session": .integer(session), "sent": .boot(boot)])
    }

    /// The database's clock: minutes and seconds of one hour.
    var databaseTime: Value { databaseTime(after: 0) }

    func databaseTime(after seconds: Double) -> Value {
        let time = boot + seconds
        let minute = Int(time / 60)
        let second = time - Double(minute) * 60
        let padded = "\(second < 10 ? "0" : "")\((second * 1000).rounded() / 1000)"
        let digits = "\(minute < 10 ? "0" : "")\(minute)"
        return "2026-01-31T12:\(digits):\(padded)+00:00"
    }

    mutating func beat(_ session: Int = 1, counted: Bool = true, answered: Bool = true) {
        let process = Self.processes[session] ?? ""
        let number = (beats[session] ?? 0) + 1
        beats[session] = number
        let fields: Row = ["session": .integer(session), "number": .integer(number)]
        log(process, "beatSent", fields)
        pass(0.01)
        let beat = (row("session", "\(session)")["beat"]?.integer ?? 0) + 1
        if counted {
            transaction { world in
                world.update(
                    "session", "\(session)",
                    ["beat": .integer(beat), "beaten_at": world.databaseTime])
            }
        }
        pass(0.01)
        if answered {
            log(process, "beatAnswered", fields.with(["beat": .integer(beat)]))
        } else {
            log(process, "beatFailed", fields.with(["error": "timed out"]))
        }
    }

    /// One session declares another dead.
    mutating func declareDead(_ session: Int = 1, by watcher: Int = 2) {
        let beat = row("session", "\(session)")["beat"] ?? 0
        log(
            Self.processes[watcher] ?? "", "declaring",
            ["session": .integer(session), "beat": beat, "watcher": .integer(watcher)])
        transaction { world in
            world.update(
                "session", "\(session)",
                [
                    "ended_at": world.databaseTime, "died": true, "ended_by": .integer(watcher),
                ])
        }
    }

    mutating func nextCall() -> Int {
        calls += 1
        return calls
    }

    mutating func nextGeneration() -> Int {
        lastGeneration += 1
        return lastGeneration
    }

    // MARK: Files

    /// What the rig writes after the last fault.
    mutating func end(drainedAfter seconds: Double? = 1) {
        fault("end")
        guard let seconds else { return }
        faults.append(["boot": .boot(boot + seconds), "fault": "drained"])
    }

    private var final: [Row] {
        let found = ["job", "job_history", "subject", "effect"].flatMap { table in
            (tables[table] ?? [:]).sorted { $0.key < $1.key }
                .map { row -> Row in ["table": .text(table), "row": .object(row.value)] }
        }
        let failed = errors.map { row -> Row in ["table": "attempt_error", "row": row.value] }
        return finalEdit(found + failed)
    }

    var files: [String: Data] {
        var world = self
        if !faults.contains(where: { $0["fault"] == "end" }) { world.end() }
        var files = [
            "settings.json": Data(settings.json.utf8),
            "audit.jsonl": Self.lines(world.audit), "final.jsonl": Self.lines(world.final),
            "sink.jsonl": Self.lines(world.sink), "faults.jsonl": Self.lines(world.faults),
        ]
        for (name, log) in logs { files["process-\(name).jsonl"] = Self.lines(log) }
        return files
    }

    private static func lines(_ rows: [Row]) -> Data {
        Data(rows.map { $0.json + "\n" }.joined().utf8)
    }

    func verdict() async throws -> Verdict { Verdict(try await Recording(files: files)) }
}

extension Row {
    var value: Value { .object(self) }
}
