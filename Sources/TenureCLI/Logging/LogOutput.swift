import Logging
import Synchronization
import Tenure
import TenureFoundation

/// Sets up logging: to standard error, one line each, as text or as JSON.
enum LogOutput {
    private static let isStarted = Mutex(false)

    static func start(_ level: Logger.Level, _ format: LogFormat) {
        let isFirst = isStarted.withLock { started in
            defer { started = true }
            return !started
        }
        guard isFirst else { return }
        switch format {
        case .text:
            LoggingSystem.bootstrap { _ in LineLogHandler(logLevel: level, line: TextLine.make) }
        case .json:
            LoggingSystem.bootstrap { _ in LineLogHandler(logLevel: level, line: JSONLine.make) }
        }
    }
}

enum LogFormat: String, CaseIterable, Sendable { case text, json }

/// One event of a log, with everything that was attached to it.
struct LogEntry {
    let time: Date
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
}

/// Writes a line for each event.
struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level
    let line: @Sendable (LogEntry) -> String

    init(logLevel: Logger.Level, line: @escaping @Sendable (LogEntry) -> String) {
        self.logLevel = logLevel
        self.line = line
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        all.merge(metadataProvider?.get() ?? [:]) { _, new in new }
        all.merge(event.metadata ?? [:]) { _, new in new }
        let entry = LogEntry(
            time: Date(), level: event.level, message: "\(event.message)", metadata: all)
        Terminal.error(line(entry))
    }
}

/// `2026-11-21T10:46:36.123Z info job starts job.id=… job.kind=…`
enum TextLine {
    static func make(_ entry: LogEntry) -> String {
        var line = "\(TimeText.exact(entry.time)) \(entry.level) \(plain(entry.message))"
        for (key, value) in entry.metadata.sorted(by: { $0.key < $1.key }) {
            line += " \(key)=\(quoted("\(value)"))"
        }
        return line
    }

    private static func plain(_ text: String) -> String {
        PlainText.line(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    /// By scalars: a mark that combines with a quote makes another character of it.
    private static func quoted(_ text: String) -> String {
        let needsQuotes =
            text.isEmpty
            || text.unicodeScalars.contains {
                $0.properties.isWhitespace || $0 == "\"" || $0 == "="
            }
        guard needsQuotes else { return plain(text) }
        var inside = ""
        for scalar in plain(text).unicodeScalars {
            if scalar == "\"" { inside += "\\" }
            inside.unicodeScalars.append(scalar)
        }
        return "\"\(inside)\""
    }
}

/// `{"job.id":"…","level":"info","message":"job starts","time":"…"}`
enum JSONLine {
    static func make(_ entry: LogEntry) -> String {
        var fields = entry.metadata.mapValues { "\($0)" }
        fields["time"] = TimeText.exact(entry.time)
        fields["level"] = entry.level.rawValue
        fields["message"] = entry.message
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(fields), as: UTF8.self)
        } catch {
            return TextLine.make(entry)  // texts always encode; a line is never lost
        }
    }
}
