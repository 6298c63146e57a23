// docs/decisions/attempts.md

import Tenure

/// Which runs of one queue and session have begun, as the next note is to say it. Pure: the caller
/// sends what comes out.
///
/// A run is named before its handler begins, and until its end is written. Claims start in the
/// order they came, and each in its own order, so what has begun is all of the older claims and the
/// beginning of one: a few ranges of fences, however many runs they are. The fences between those
/// of one claim are other sessions' and other queues', which the note doesn't speak of.
struct BegunLog: Sendable {
    private struct Group: Sendable {
        /// In the order of their start.
        var runs: [RunRef]
        /// From its first fence to its last; nil where it has lost some of its runs.
        var all: ClosedRange<Int64>?
        /// So many have been named.
        var named = 0
        /// Those before it are over.
        var firstHeld = 0

        var isNamed: Bool { named == runs.count }

        /// Nil where so few were claimed that no row speaks for them.
        var claim: ClaimNumber? {
            guard let first = runs.first, runs.count >= ClaimRequest.leastFolded else { return nil }
            return ClaimNumber(of: first.fence)
        }

        var ranges: [ClosedRange<Int64>] {
            if isNamed, let all { return [all] }
            var found: [ClosedRange<Int64>] = []
            for run in runs[firstHeld..<max(named, firstHeld)] {
                let fence = run.fence.rawValue
                if let last = found.last, last.upperBound + 1 == fence {
                    found[found.count - 1] = last.lowerBound...fence
                } else {
                    found.append(fence...fence)
                }
            }
            return found
        }
    }

    let session: SessionID
    private var groups: [Group] = []
    private var lastNumber: Int64 = 0
    /// The newest note that the database has answered: older ones are gone.
    private var answered: Int64 = 0
    /// Of which every run's end is written.
    private var over: [ClaimNumber] = []
    /// Claimed and not named.
    private(set) var unnamed = 0

    init(session: SessionID) { self.session = session }

    /// - Parameter runs: those of one claim, in the order of their start.
    mutating func add(_ runs: [RunRef]) {
        let fences = runs.map(\.fence.rawValue)
        guard let low = fences.min(), let high = fences.max() else { return }
        groups.append(Group(runs: runs, all: low...high))
        unnamed += runs.count
    }

    /// Those that nobody has named are given back.
    mutating func dropUnnamed() {
        for index in groups.indices where !groups[index].isNamed {
            groups[index].runs.removeLast(groups[index].runs.count - groups[index].named)
            groups[index].all = nil
        }
        groups.removeAll { $0.runs.isEmpty }
        unnamed = 0
    }

    /// The last that were named don't begin after all, or later: the next note names them no more.
    mutating func takeBack(_ count: Int) {
        var left = count
        for index in groups.indices.reversed() {
            let mine = min(left, groups[index].named - groups[index].firstHeld)
            groups[index].named -= mine
            unnamed += mine
            left -= mine
        }
    }

    /// Names the next runs.
    /// - Parameter isHeld: whether a run's end is still to be written.
    mutating func note(
        next count: Int, in queue: QueueName, isHeld: (RunRef) -> Bool
    ) -> BegunNote {
        findHeld(isHeld)
        var left = min(count, unnamed)
        unnamed -= left
        for index in groups.indices {
            let more = min(left, groups[index].runs.count - groups[index].named)
            groups[index].named += more
            left -= more
        }
        lastNumber += 1
        return BegunNote(
            session: session, queue: queue, number: lastNumber, since: answered,
            fences: groups.flatMap(\.ranges))
    }

    /// Those at the head whose ends are written are past, and so are claims of which all are.
    mutating func findHeld(_ isHeld: (RunRef) -> Bool) {
        for index in groups.indices {
            while groups[index].firstHeld < groups[index].named,
                !isHeld(groups[index].runs[groups[index].firstHeld])
            {
                groups[index].firstHeld += 1
            }
        }
        over += groups.filter { $0.firstHeld == $0.runs.count }.compactMap(\.claim)
        groups.removeAll { $0.firstHeld == $0.runs.count }
    }

    var hasOver: Bool { !over.isEmpty }

    mutating func takeOver() -> [ClaimNumber] {
        defer { over = [] }
        return over
    }

    mutating func wasAnswered(_ note: BegunNote) {
        if note.session == session { answered = max(answered, note.number) }
    }
}
