import TenureFoundation

/// Writes jobs as the one jsonb array that `tenure.enqueue_jobs` takes, so that any transaction
/// of any driver can hand them in.
struct JobsJSON {
    private var text = "["

    static func encode(_ jobs: some Collection<NewJob>) -> String {
        var json = JobsJSON()
        json.text.reserveCapacity(jobs.count * 256)
        for job in jobs { json.append(job) }
        return json.text + "]"
    }

    private mutating func append(_ job: NewJob) {
        text += text.utf8.count > 1 ? ",{" : "{"
        text += job.isGiven ? "\"id\":" : "\"new_id\":"
        text += "\"\(job.id)\""
        field("kind", job.kind.rawValue)
        field("queue", job.queue.rawValue)
        raw("payload", job.payload)
        if job.payloadVersion != 1 { raw("payload_version", String(job.payloadVersion)) }
        if job.priority != JobPriority.normal.rawValue { raw("priority", String(job.priority)) }
        if job.maxAttempts != 25 { raw("max_attempts", String(job.maxAttempts)) }
        if let mode = job.mode { append(mode, job.options.runTime) }
        append(job.options, debounce: job.mode?.interval)
        text += "}"
    }

    private mutating func append(_ mode: KeyMode, _ runTime: RunTime) {
        field("key", mode.key)
        field("mode", mode.way.rawValue)
        if !mode.overlap { raw("overlap", "false") }
        if let within = mode.within { field("within", within.postgresInterval) }
        if let longest = mode.maxWait { field("max_wait", longest.postgresInterval) }
    }

    private mutating func append(_ options: EnqueueOptions, debounce: Duration?) {
        switch options.runTime.moment {
        case .now: if let debounce { field("after", debounce.postgresInterval) }
        case .after(let delay): field("after", max(delay, debounce ?? .zero).postgresInterval)
        case .at(let date): field("run_at", Self.time(date))
        }
        switch options.notAfter?.moment {
        case .after(let delay): field("expires_in", delay.postgresInterval)
        case .at(let date): field("not_after", Self.time(date))
        case nil: break
        }
        if let lane = options.lane {
            field("lane", lane.name)
            raw("lane_max_running", String(lane.maxRunning))
            field("lane_min_interval", lane.minInterval.postgresInterval)
            if lane.burst != 1 { raw("lane_burst", String(lane.burst)) }
            if lane.weight != 1 { raw("lane_weight", String(lane.weight)) }
            if lane.order == .strict { raw("lane_strict", "true") }
        }
        if let waits = options.after.waitsJSON { raw("waits", waits) }
        if let batch = options.batch { field("batch_id", batch.uuidString) }
        if let parent = options.parent { field("parent_id", parent.description) }
        if let tags = Self.tags(options.tags) { raw("tags", tags) }
        if let trace = options.trace { field("trace", trace) }
    }

    /// As an array of JSON; nil where there is none.
    static func tags(_ tags: [String]) -> String? {
        tags.isEmpty ? nil : "[" + tags.map(quoted).joined(separator: ",") + "]"
    }

    private mutating func raw(_ name: StaticString, _ json: String) {
        text += ",\"\(name)\":"
        text += json
    }

    private mutating func field(_ name: StaticString, _ value: String) {
        text += ",\"\(name)\":"
        Self.append(value, to: &text)
    }

    /// A text as JSON has it.
    static func quoted(_ value: String) -> String {
        var text = ""
        append(value, to: &text)
        return text
    }

    private static func append(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..."\u{1F}":
                let code = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func time(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    }
}

extension NewJob {
    /// Jobs as `tenure.enqueue_jobs` takes them.
    package static func json(of jobs: [NewJob]) -> String { JobsJSON.encode(jobs) }
}

extension Duration {
    /// As PostgreSQL reads an interval, to the microsecond.
    package var postgresInterval: String {
        let (seconds, attoseconds) = components
        return "\(seconds) seconds \(attoseconds / 1_000_000_000_000) microseconds"
    }
}
