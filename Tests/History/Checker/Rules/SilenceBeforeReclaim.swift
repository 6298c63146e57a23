/// Rule 5: a session is declared dead only after a whole lease of silence, and only with the beat
/// that it still has.
enum SilenceBeforeReclaim: Rule {
    static let number = 5
    static let title = "a whole lease of silence before a death"

    /// `boot` of the audit is read in steps.
    private static let auditStep = 0.01

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "sessions declared dead")
        var declarations: [Int: [Event]] = [:]
        for process in history.recording.processes {
            for event in process.events where event.name == .declaring {
                declarations[event.session ?? 0, default: []].append(event)
            }
        }
        for session in history.sessions.values {
            guard let death = session.death else { continue }
            findings.judge(0)
            let all = declarations[session.id] ?? []
            let effective = comparedAndSet(session, death, all, &findings)
            for declaring in effective {
                wasSilent(session, death, declaring, history.settings, &findings)
            }
        }
        return findings
    }

    /// The requests that can have declared it: of the watcher that the row names, with its beat.
    private static func comparedAndSet(
        _ session: SessionStory, _ death: Change<SessionRow>, _ declarations: [Event],
        _ findings: inout Findings
    ) -> [Event] {
        guard let old = death.old, let new = death.new else { return [] }
        findings.require(
            old.beat == new.beat, "session \(session.id) was declared dead and beaten at once",
            [death.place])
        let own = declarations.filter { $0.watcher == new.endedBy }
        let right = own.filter { $0.beat == old.beat }
        if own.isEmpty {
            findings.violation(
                "session \(session.id) was declared dead, and no watcher tells of it",
                [death.place])
        } else if right.isEmpty {
            findings.violation(
                "session \(session.id) was declared dead by a beat that it no longer had "
                    + "(\(old.beat))", [death.place] + own.map(\.place))
        }
        return declarations.filter { $0.beat == old.beat }
    }

    private static func wasSilent(
        _ session: SessionStory, _ death: Change<SessionRow>, _ declaring: Event,
        _ settings: Settings, _ findings: inout Findings
    ) {
        let lease = settings.lease * (1 - settings.clockRateError)
        let beat = declaring.beat ?? 0
        let counted = session.counted(beat)
        if let counted {
            let silence = declaring.boot - counted.boot
            findings.require(
                silence >= lease - auditStep,
                "session \(session.id) was declared dead \(silence.brief) after its beat \(beat) "
                    + "was counted", [counted.place, declaring.place, death.place])
        }
        guard session.opened != nil else { return }
        guard let sent = session.earliestSend(ofBeat: beat, countedAt: counted?.boot) else {
            findings.violation(
                "nobody can have sent beat \(beat) of session \(session.id)",
                [counted?.place ?? death.place])
            return
        }
        // The line of an opening is written at its answer, and says when it was sent.
        let silence = declaring.boot - (sent.sent ?? sent.boot)
        findings.require(
            silence >= lease,
            "session \(session.id) was declared dead \(silence.brief) after its last beat was sent",
            [sent.place, declaring.place, death.place])
    }
}

extension SessionStory {
    /// The earliest line that can have sent a beat. The database counts beats in the order in
    /// which they reach it; those whose answers were lost may or may not have reached it.
    fileprivate func earliestSend(ofBeat beat: Int, countedAt counted: Double?) -> Event? {
        guard let lease, let opened else { return nil }
        let first = changes.first?.new?.beat ?? 0
        if beat <= first { return opened }
        let answered = Set(events.filter { $0.name == .beatAnswered }.compactMap(\.number))
        let sends = events.filter { $0.name == .beatSent }
        if let known = lease.acknowledged.last(where: { $0.beat == beat && beat > first }) {
            return sends.first { $0.place == known.sentPlace }
        }
        let before = lease.acknowledged.last { $0.beat < beat }
        let latest = (counted ?? .infinity) + 0.01
        let unanswered = sends.filter { event in
            event.boot <= latest && !answered.contains(event.number ?? 0)
        }
        let since = unanswered.filter { $0.boot >= before?.sent ?? 0 }
        let position = beat - max(before?.beat ?? first, first) - 1
        // One that was held up on its way may be counted after its successors.
        return position < since.count ? since[position] : unanswered.first
    }
}
