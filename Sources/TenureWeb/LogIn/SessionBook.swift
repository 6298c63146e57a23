import Hummingbird
import Synchronization

/// Who is logged in, by their cookies.
final class SessionBook: Sendable {
    struct Entry: Sendable {
        let session: ConsoleSession
        /// By which it came in; nil for the console's own user.
        let role: HeldRole?
        fileprivate(set) var usedAt: ContinuousClock.Instant
    }
    let cookie: SessionCookie
    private let unused: Duration
    private let entries = Mutex<[String: Entry]>([:])
    private static let most = 100

    /// - Parameter unused: how long a session lives of which nobody makes use.
    init(_ cookie: SessionCookie, endedWhenUnusedFor unused: Duration) {
        (self.cookie, self.unused) = (cookie, unused)
    }

    /// - Returns: what the browser is given to bring back, as `Set-Cookie`.
    func add(
        _ session: ConsoleSession, as role: HeldRole? = nil,
        at now: ContinuousClock.Instant = .now
    ) -> String {
        let secret = Secret.make()
        let left = entries.withLock { entries -> Entry? in
            let oldest = entries.min { $0.value.usedAt < $1.value.usedAt }
            let isFull = entries.count >= Self.most
            if isFull, let oldest { entries[oldest.key] = nil }
            entries[secret] = Entry(session: session, role: role, usedAt: now)
            return isFull ? oldest?.value : nil
        }
        left?.session.end()
        return cookie.setting(secret)
    }

    /// Whose browser asks. What a page asks for by itself makes no use of a session.
    func entry(
        of request: Request, at now: ContinuousClock.Instant = .now
    ) -> Entry? {
        let isUse = Wanted(request) != .events
        return entries.withLock { entries in
            for secret in cookie.values(in: request) {
                guard let entry = entries[secret], isAlive(entry, now) else { continue }
                if isUse { entries[secret]?.usedAt = now }
                return entry
            }
            return nil
        }
    }

    func end(_ session: ConsoleSession) { end { $0.session === session } }

    /// All that came in by a role.
    func end(_ role: HeldRole) { end { $0.role === role } }

    /// Those that nobody has used for long.
    func endUnused(at now: ContinuousClock.Instant = .now) { end { !isAlive($0, now) } }

    /// Of all that came in by a role.
    func set(mayAct: Bool, of role: HeldRole) {
        let entries = entries.withLock { $0.values.filter { $0.role === role } }
        for entry in entries { entry.session.set(mayAct: mayAct) }
    }

    func hasAny(by role: HeldRole) -> Bool {
        entries.withLock { $0.values.contains { $0.role === role } }
    }

    private func isAlive(_ entry: Entry, _ now: ContinuousClock.Instant) -> Bool {
        entry.usedAt.duration(to: now) < unused
    }

    private func end(_ isMeant: (Entry) -> Bool) {
        let ended = entries.withLock { entries in
            let ended = entries.filter { isMeant($0.value) }
            for secret in ended.keys { entries[secret] = nil }
            return ended.values
        }
        for entry in ended { entry.session.end() }
    }
}
