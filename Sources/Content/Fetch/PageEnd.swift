import Tenure
import TenureFoundation
import TenureWorker
import Web

/// How a page's fetch is to end with its item. Those that are ready are written together.
///
/// A class: it holds all that is known of a page, and goes through many hands.
final class PageEnd: Sendable {
    enum Way: Sendable {
        case store(ItemStoring)
        /// It is as it was, by this answer.
        case confirm(Visit)
        case skip(String)
        case fail
    }
    let ending: FetchEnding
    let way: Way

    init(_ ending: FetchEnding, _ way: Way) {
        self.ending = ending
        self.way = way
    }

    /// Two fetches of one URL go one after the other: what is decided rests on what is there.
    /// - Throws: `ItemDeleted` or `TargetsGone` where that holds for one of them.
    static func write(_ ends: [PageEnd], in transaction: PostgresTransaction) async throws {
        var rest = ends
        while !rest.isEmpty {
            var seen: Set<String> = []
            var turn: [PageEnd] = []
            var later: [PageEnd] = []
            for end in rest {
                if seen.insert(end.ending.url.href).inserted {
                    turn.append(end)
                } else {
                    later.append(end)
                }
            }
            var changes = PageChanges()
            let pages = try await LockedPage.lock(turn.map(\.ending), in: transaction)
            for (end, page) in zip(turn, pages) {
                try await end.add(page, to: &changes, in: transaction)
            }
            try await changes.write(in: transaction)
            rest = later
        }
    }

    private func add(
        _ page: LockedPage, to changes: inout PageChanges, in transaction: PostgresTransaction
    ) async throws {
        switch way {
        case .store(let storing): try await storing.add(page, to: &changes, in: transaction)
        case .confirm(let answer):
            try await ending.confirm(answer, page, to: &changes, in: transaction)
        case .skip(let code):
            let note = ItemNote(ending.result(.skipped, code: code), page.item)
            try await ending.add(note, page, to: &changes, in: transaction)
        case .fail: try await ending.noteFailure(page, to: &changes, in: transaction)
        }
    }
}
