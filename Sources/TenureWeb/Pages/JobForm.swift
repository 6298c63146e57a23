import Tenure
import TenureFoundation

/// What a form says of a job, to be enqueued or edited.
struct JobForm {
    let form: Query
    /// In the order in which they are offered.
    static let modes = KeyMode.Way.allCases.map(\.rawValue)

    /// - Throws: `BadRequest`, and `TenureError` with `.invalidJob`.
    func job(_ make: ConsoleSettings.MakeJob) throws -> NewJob {
        guard let kind = form["kind"] else { throw BadRequest("there is no kind; give one") }
        let mode = try mode()
        var options = EnqueueOptions()
        options.queue = form["queue"].map { QueueName($0) }
        options.priority = try number("priority", Int16.self).map { JobPriority($0) }
        options.tags = tags() ?? []
        if mode?.way != .debounced, let time = try runTime() { options.runTime = time }
        return try make(JobKind(kind), form["payload"] ?? "{}", mode, options, id())
    }

    /// The form's own, so that sending it again makes no second job; nil: it has none.
    private func id() throws -> JobID? {
        guard let text = form["id"] else { return nil }
        guard let id = UUID(uuidString: text) else {
            throw BadRequest("id is \"\(text.prefix(100))\"; give a UUID, or leave it out")
        }
        return JobID(id)
    }

    /// - Throws: the same.
    func edit() throws -> JobEdit {
        try JobEdit(
            runTime: runTime(), priority: number("priority", Int16.self).map { JobPriority($0) },
            queue: form["queue"].map { QueueName($0) },
            maxAttempts: number("max-attempts", Int.self), payload: form["payload"],
            payloadVersion: number("payload-version", Int16.self), tags: tags())
    }

    /// Words with commas between; nil where nothing is given, none for a lone hyphen.
    private func tags() -> [String]? {
        guard let text = form["tags"] else { return nil }
        if text == "-" { return [] }
        return text.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }
            .map { String($0.reversed().trimmingPrefix(while: \.isWhitespace).reversed()) }
            .filter { !$0.isEmpty }
    }

    private func mode() throws -> KeyMode? {
        guard let key = form["key"] else {
            if let mode = form["mode"] { throw BadRequest("\(mode) wants a key; give one") }
            return nil
        }
        guard let mode = form["mode"] else { return .superseding(key) }
        guard let way = KeyMode.Way(rawValue: mode) else {
            throw BadRequest("mode is none of \(Self.modes.joined(separator: ", "))")
        }
        switch way {
        case .superseding: return .superseding(key)
        case .coalescing: return .coalescing(key)
        case .keeping: return .keeping(key)
        case .debounced:
            guard let pause = try duration("after") else {
                throw BadRequest("debounced wants a pause; give one after which it runs")
            }
            return .debounced(key, interval: pause)
        }
    }

    private func runTime() throws -> RunTime? {
        let (pause, date) = (try duration("after"), try date("at"))
        if pause != nil, date != nil { throw BadRequest("give a pause or a time, not both") }
        return date.map { .at($0) } ?? pause.map { .after($0) }
    }

    private func duration(_ name: String) throws -> Duration? {
        guard let text = form[name] else { return nil }
        guard let pause = DurationText.parse(text) else {
            throw BadRequest("\(name) is \"\(text.prefix(100))\"; give a length such as 30s or 2h")
        }
        return pause
    }

    /// As browsers send it, which name no zone and may leave the seconds out; or with a zone.
    private func date(_ name: String) throws -> Date? {
        guard let text = form[name] else { return nil }
        for text in [text, "\(text)Z", "\(text):00Z"] {
            // Reason for `try?`: the other forms are tried next.
            if let date = try? Date(text, strategy: .iso8601) { return date }
        }
        throw BadRequest(
            "\(name) is \"\(text.prefix(100))\"; give a time such as 2030-01-31T08:00:00Z")
    }

    private func number<Number: FixedWidthInteger>(
        _ name: String, _ type: Number.Type
    ) throws -> Number? {
        guard let text = form[name] else { return nil }
        guard let number = Number(text) else {
            throw BadRequest("\(name) is \"\(text.prefix(100))\"; give a whole number")
        }
        return number
    }
}
