import FaultSupport
import Logging

/// Reads the library's log as an error tracker would, and writes down what it finds there.
struct RecordingLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.debug
    let log: LineFile

    init(log: LineFile) { self.log = log }

    static func logger(_ log: LineFile) -> Logger {
        Logger(label: "rig") { _ in RecordingLogHandler(log: log) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let message = "\(event.message)"
        if message.contains("answer was lost and its outcome found out") {
            CallTrace.current?.noteResolved()
        } else if message == "job failed" {
            note("errorReport", all, ["error"])
        } else if message.hasPrefix("late result discarded") {
            note("late", all)
        } else if message.hasPrefix("job ignores its cancellation") {
            note("stuck", all)
        } else if message.hasPrefix("lease expired") {
            let session = all["session.id"].flatMap { Int64("\($0)") }
            log.write([
                ("event", "leaseExpired"), ("session", session.map { .integer($0) }),
            ])
        } else if let error = all["error"] {
            databaseError(message, "\(error)")
        }
    }

    private func note(_ event: String, _ all: Logger.Metadata, _ more: [String] = []) {
        log.write(
            [
                ("event", .string(event)),
                ("job", all["job.id"].map { .string("\($0)") }),
                ("fence", all["lease.fence"].flatMap { Int64("\($0)") }.map { .integer($0) }),
                ("since", all["duration"].flatMap { Self.seconds("\($0)") }.map { .number($0) }),
            ] + more.map { key in (key, all[key].map { .string("\($0)") }) })
    }

    private func databaseError(_ message: String, _ error: String) {
        let prefix = "the database could not be reached during "
        let during = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
        log.write([
            ("event", "databaseError"), ("during", .string(during)), ("error", .string(error)),
            ("sqlstate", Self.sqlState(in: error).map { .string($0) }),
        ])
    }

    /// `Duration` prints itself as `1.5 seconds`.
    private static func seconds(_ text: String) -> Double? {
        Double(text.prefix { $0.isNumber || $0 == "." })
    }

    /// `PostgresError` prints its SQLSTATE in square brackets.
    private static func sqlState(in text: String) -> String? {
        text.firstMatch(of: #/\[([0-9A-Z]{5})\]/#).map { String($0.1) }
    }
}
