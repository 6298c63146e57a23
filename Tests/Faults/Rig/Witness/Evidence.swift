/// Whether faults were felt: by what the processes wrote while they lasted.
struct Evidence {
    private struct Moment {
        let boot: Double
        let event: Substring
        let fence: Int64?
        /// A call failed, or its outcome had to be found out.
        let isPain: Bool
    }

    private static let calls: Set<Substring> = [
        "beatSent", "enqueueSent", "cancelSent", "retrySent", "commitStarting",
    ]

    private let lease: Double
    /// In the order of time.
    private var moments: [String: [Moment]] = [:]
    private let pains: [Double]
    /// Of cancellations, or, where those are off, of refusals.
    private let deliveries: [Double]

    init(_ folder: String, lease: Double) {
        self.lease = lease
        var moments: [String: [Moment]] = [:]
        for name in Files.names(in: folder)
        where name.hasPrefix("process-") && name.hasSuffix(".jsonl") {
            let text = Files.read("\(folder)/\(name)") ?? ""
            let process = String(name.dropFirst("process-".count).dropLast(".jsonl".count))
            moments[process] = text.split(separator: "\n").compactMap(Self.moment)
        }
        self.moments = moments
        pains = moments.values.joined().filter(\.isPain).map(\.boot).sorted()
        deliveries = moments.values.joined()
            .filter { $0.event == "cancelDelivered" || $0.event == "late" }.map(\.boot)
            .sorted()
    }

    func shows(_ fault: Recording.Fault) -> Bool {
        let after = fault.until + lease + 2
        switch fault.kind {
        case .killCoordinator, .freezeCoordinator, .stepDatabaseClock: return true
        case .killWorker, .crashHandler, .freezeWorker: return hasRun(of: fault, at: fault.from)
        case .stepWorkerClock: return has(fault, to: fault.until) { _ in true }
        case .deafHandler:
            let first = deliveries.first(notBefore: fault.from, by: \.self)
            return first.map { deliveries[$0] <= after + lease } ?? false
        case .cutCommitReply, .cutBeforeCommit: return fault.reached
        case .cutProxy, .cutProxyOneWay, .delayProxy:
            return has(fault, to: fault.until) { Self.calls.contains($0.event) || $0.isPain }
        case .killPostgres, .stopPostgres, .fillDisk, .notifyOff:
            return pains.first(notBefore: fault.from, by: \.self).map { pains[$0] <= after }
                ?? false
        case .terminateBackend: return has(fault, to: after) { $0.isPain }
        }
    }

    private func has(
        _ fault: Recording.Fault, to end: Double, _ isIt: (Moment) -> Bool
    ) -> Bool {
        let own = moments[fault.process ?? ""] ?? []
        guard let first = own.first(notBefore: fault.from, by: \.boot) else { return false }
        return own[first...].prefix { $0.boot <= end }.contains(where: isIt)
    }

    /// Whether a handler was at work then.
    private func hasRun(of fault: Recording.Fault, at boot: Double) -> Bool {
        let own = moments[fault.process ?? ""] ?? []
        return Self.leavesWork(own.prefix { $0.boot <= boot })
    }

    /// Whether a handler was at work at the end of this log.
    static func showsWork(_ log: String) -> Bool {
        leavesWork(log.split(separator: "\n").compactMap(moment))
    }

    private static func leavesWork(_ moments: some Sequence<Moment>) -> Bool {
        var open: Set<Int64> = []
        for moment in moments {
            guard let fence = moment.fence else { continue }
            if moment.event == "handlerStarted" { open.insert(fence) }
            if moment.event == "handlerEnded" { open.remove(fence) }
        }
        return !open.isEmpty
    }

    private static func moment(_ line: Substring) -> Moment? {
        guard let boot = value(of: "boot", in: line).flatMap({ Double($0) }),
            let event = value(of: "event", in: line)
        else { return nil }
        let isPain =
            event == "databaseError" || event == "beatFailed"
            || line.contains(#""unknownResolved":true"#)
            || event.hasSuffix("Answered") && line.contains(#""error":"#)
        return Moment(
            boot: boot, event: event, fence: value(of: "fence", in: line).flatMap { Int64($0) },
            isPain: isPain)
    }

    /// A field without blanks or quotes, as the rig itself writes them.
    private static func value(of field: String, in line: Substring) -> Substring? {
        guard let name = line.firstRange(of: "\"\(field)\":") else { return nil }
        return line[name.upperBound...].drop { $0 == "\"" }
            .prefix { $0 != "\"" && $0 != "," && $0 != "}" }
    }
}

extension Array {
    /// The first of a sorted array whose time is not before that one, by halves.
    fileprivate func first(notBefore boot: Double, by time: (Element) -> Double) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if time(self[middle]) < boot { low = middle + 1 } else { high = middle }
        }
        return low < count ? low : nil
    }
}
