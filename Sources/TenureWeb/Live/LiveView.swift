import NIOCore
import Tenure

/// One page that somebody looks at: it is looked at once a second, however many browsers show it,
/// and less often where a look takes long.
actor LiveView {
    struct Change: Sendable {
        let id: String
        let html: String

        /// What makes it another one: not how long ago something was.
        var substance: String { Self.withoutAges(html) }

        private static func withoutAges(_ html: String) -> String {
            var rest = html[...]
            var result = ""
            while let start = rest.firstRange(of: "<time class=\"age\"") {
                result += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                guard let text = rest.firstRange(of: ">"), let end = rest.firstRange(of: "</time>")
                else { break }
                result += rest[..<text.upperBound]
                rest = rest[end.lowerBound...]
            }
            return result + rest
        }
    }
    struct News: Sendable {
        var version: Int
        /// What has changed, as events; made once, however many browsers ask.
        var events = ByteBuffer()
        /// Why nothing is known at the moment; nil where all is well.
        var trouble: String?
    }
    private struct Watcher {
        let signal: AsyncStream<Void>.Continuation
        /// The first look that began after it came: an earlier one is older than its page.
        let from: Int
    }
    private let read: @Sendable () async throws -> [Change]
    private let tell: @Sendable (any Error) -> String
    private var sections: [String: (version: Int, html: String, substance: String)] = [:]
    private var trouble: (version: Int, text: String?) = (0, nil)
    private var version = 0
    /// The events of the last look since other versions: most browsers have heard the same so far.
    private var events: [Int: ByteBuffer] = [:]
    private var watchers: [Int: Watcher] = [:]
    private var watched = 0
    /// Looks that have begun, and the last that has ended.
    private var (begun, ended) = (0, 0)
    private var work: Task<Void, Never>?

    private static let pause: Duration = .seconds(1)
    /// A look that takes longer is told of.
    private static let longest: Duration = .seconds(3)
    /// A look takes this part of the time at most.
    private static let share = 10
    /// So many browsers are told something a second: more of them hear of changes less often.
    private static let told = 200

    /// - Parameter tell: what is said of an error.
    init(
        read: @escaping @Sendable () async throws -> [Change],
        tell: @escaping @Sendable (any Error) -> String
    ) {
        (self.read, self.tell) = (read, tell)
    }

    /// Signals when something has changed, until it is left.
    func join() -> (id: Int, signals: AsyncStream<Void>) {
        watched += 1
        let (signals, watcher) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Bounded: a look a second.
        watchers[watched] = Watcher(signal: watcher, from: begun + 1)
        if work == nil { work = Task { await keepLooking() } }
        return (watched, signals)
    }

    func leave(_ id: Int) {
        watchers.removeValue(forKey: id)?.signal.finish()
        guard watchers.isEmpty else { return }
        work?.cancel()
        work = nil
    }

    var isWatched: Bool { !watchers.isEmpty }

    /// What has changed since a version; all of it for the first.
    func news(since version: Int) -> News {
        News(version: self.version, events: events(since: version), trouble: trouble.text)
    }

    private func events(since version: Int) -> ByteBuffer {
        if let known = events[version] { return known }
        let changed = sections.filter { $0.value.version > version }.sorted { $0.key < $1.key }
        let made = ByteBuffer(
            string: changed.map { id, section in
                EventText.of("section", id + "\n" + section.html)
            }.joined())
        events[version] = made
        return made
    }

    /// The same for a watcher, which is told nothing that is older than its page.
    func news(since version: Int, for id: Int) -> News {
        guard let watcher = watchers[id], ended < watcher.from else { return news(since: version) }
        var news = News(version: version)
        news.trouble = trouble.text
        return news
    }

    private func keepLooking() async {
        while !Task.isCancelled {
            let cost = await look()
            let crowd = Self.pause * watchers.count / Self.told
            // Reason for `try?`: a cancellation ends the loop.
            try? await Task.sleep(
                for: max(Self.pause - cost, cost * (Self.share - 1), crowd - cost))
        }
    }

    /// - Returns: what it has cost.
    private func look() async -> Duration {
        // Bounded: as above.
        begun += 1
        let number = begun
        let start = ContinuousClock.now
        let patience = Task {
            try await Task.sleep(for: Self.longest)
            // It may have had its answer since this was due.
            try Task.checkCancellation()
            take([], trouble: "The database doesn’t answer yet; this is as it was before.")
        }
        defer { patience.cancel() }
        do {
            let changes = try await read()
            // One that all had left meanwhile says nothing to those who have come since.
            guard number > ended else { return .zero }
            // One that waited until there was a database again has cost nothing.
            let cost = trouble.text == nil ? start.duration(to: .now) : .zero
            ended = number
            take(changes, trouble: nil)
            return cost
        } catch is CancellationError {
            return .zero
        } catch {
            take([], trouble: tell(error))
            return .zero
        }
    }

    private func take(_ changes: [Change], trouble text: String?) {
        let changed = changes.filter { sections[$0.id]?.substance != $0.substance }
        let isNew = !changed.isEmpty || text != trouble.text
        if isNew { version += 1 }
        events = [:]
        for change in changes {
            // Whoever comes later is told how long ago things are now.
            let known = sections[change.id].flatMap {
                $0.substance == change.substance ? $0.version : nil
            }
            sections[change.id] = (known ?? version, change.html, change.substance)
        }
        if text != trouble.text { trouble = (version, text) }
        for watcher in watchers.values where isNew || watcher.from == ended {
            watcher.signal.yield()
        }
    }
}

extension Page {
    func changes(_ look: Look) async throws -> [LiveView.Change] {
        sections(try await self.look(look), look).map {
            LiveView.Change(id: $0.id, html: look.settings.redact($0.markup.text))
        }
    }
}

/// The pages that are looked at, by their address and by who may see what.
actor LiveViews {
    private var views: [String: LiveView] = [:]

    func view(_ name: String, make: @Sendable () -> LiveView) async -> LiveView {
        if let view = views[name] { return view }
        for (name, view) in views where await !view.isWatched { views[name] = nil }
        let view = views[name] ?? make()
        views[name] = view
        return view
    }
}
