import TenureFoundation

/// What a run has reported and no beat has carried yet.
package struct ProgressNews: Sendable, Hashable {
    package let run: RunRef
    package let progress: JobProgress

    package init(run: RunRef, progress: JobProgress) {
        self.run = run
        self.progress = progress
    }

    /// As `tenure.note_progress` takes it; nil when there is none.
    static func json(of news: [ProgressNews]) throws -> String? {
        guard !news.isEmpty else { return nil }
        let entries = news.map { news in
            Entry(
                job: news.run.job, fence: news.run.fence.rawValue, done: news.progress.done,
                total: news.progress.total, rate: news.progress.rate, note: news.progress.note)
        }
        return String(decoding: try JSONEncoder().encode(entries), as: UTF8.self)
    }

    private struct Entry: Encodable {
        let job: JobID
        let fence: Int64
        let done: Int64
        let total: Int64?
        let rate: Double?
        let note: String?
    }
}
