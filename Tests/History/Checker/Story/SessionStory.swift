/// One session: its row's changes, and its own process's log.
final class SessionStory {
    let id: Int
    var changes: [Change<SessionRow>] = []
    var process: ProcessStory?
    var opened: Event?
    /// Its beats and expiries.
    var events: [Event] = []
    private(set) var lease: LocalLease?

    init(id: Int) { self.id = id }

    func reckon(_ settings: Settings) {
        guard let opened, let process else { return }
        lease = LocalLease(
            opened: opened, events: events, process: process,
            length: settings.lease - settings.margin, tick: settings.tick)
    }

    /// The change by which it ended: nobody may reclaim before.
    var ended: Change<SessionRow>? {
        changes.first { $0.new?.hasEnded == true && $0.old?.hasEnded != true }
    }

    /// The change by which it was declared dead.
    var death: Change<SessionRow>? {
        changes.first { $0.new?.died == true && $0.old?.died != true }
    }

    /// The change that counted a beat.
    func counted(_ beat: Int) -> Change<SessionRow>? {
        changes.first { $0.new?.beat == beat }
    }
}
