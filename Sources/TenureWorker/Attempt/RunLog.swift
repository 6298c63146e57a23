import Logging
import Tenure
import TenureFoundation

/// The last lines that a run has logged, for its job: `JobOptions.keepsLog`.
package final class RunLog: Sendable {
    package static let mostLines = 200
    /// In bytes: a longer message is cut.
    private static let longestMessage = 2000
    /// In bytes, of all lines as JSON: the oldest give way. `tenure.check_log` takes a little more.
    private static let longest = 200 << 10

    private struct Line: Encodable {
        let at: String
        let level: String
        let message: String
    }

    /// A ring: once it is full, `next` is where the oldest line is.
    private struct Ring {
        var lines: [(at: Date, level: Logger.Level, message: String)] = []
        var next = 0
    }
    private let ring = Lock(Ring())

    package init() {}

    func add(_ level: Logger.Level, _ message: String) {
        // What a mask would have to find at the cut is cut off later.
        let message =
            message.utf8.count > 4 * Self.longestMessage
            ? String(decoding: message.utf8.prefix(4 * Self.longestMessage), as: UTF8.self)
            : message
        let line = (at: Date(), level: level, message: message)
        ring.withLock { ring in
            guard ring.lines.count == Self.mostLines else { return ring.lines.append(line) }
            ring.lines[ring.next] = line
            ring.next = (ring.next + 1) % Self.mostLines
        }
    }

    /// The lines as `tenure.ending` takes them, the oldest first; nil where there is none.
    func json(_ veil: Veil) -> String? {
        let lines = ring.withLock { $0.lines[$0.next...] + $0.lines[..<$0.next] }
        let encoder = JSONEncoder()
        var texts: [String] = []
        var length = 0
        for (at, level, message) in lines.reversed() {
            let line = Line(
                at: TimeText.exact(at), level: level.rawValue,
                message: Self.cut(veil.text(message).storable))
            // Reason for `try?`: texts always encode.
            guard let json = try? encoder.encode(line) else { continue }
            length += json.count
            if length > Self.longest { break }
            texts.append(String(decoding: json, as: UTF8.self))
        }
        return texts.isEmpty ? nil : "[\(texts.reversed().joined(separator: ","))]"
    }

    private static func cut(_ message: String) -> String {
        guard message.utf8.count > longestMessage else { return message }
        return String(decoding: message.utf8.prefix(longestMessage), as: UTF8.self) + " …"
    }

    /// A logger whose lines are kept here, too.
    func joined(to logger: Logger) -> Logger {
        var logger = logger
        logger.handler = KeptLogHandler(handler: logger.handler, log: self)
        return logger
    }
}

/// Hands on what the process's log shows, and keeps that, and from info on what it doesn't.
private struct KeptLogHandler: LogHandler {
    var handler: any LogHandler
    let log: RunLog
    private var level: Logger.Level

    init(handler: any LogHandler, log: RunLog) {
        self.handler = handler
        self.log = log
        level = min(handler.logLevel, .info)
    }

    var logLevel: Logger.Level {
        get { level }
        set {
            level = newValue
            handler.logLevel = newValue
        }
    }
    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }
    var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        if event.level >= handler.logLevel { handler.log(event: event) }
        let words = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0)=\($1)" }
        let error = event.error.map { " error=\($0)" } ?? ""
        log.add(event.level, "\(event.message)\(words.joined())\(error)")
    }
}
