import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import Tenure

/// How far a job is, as server-sent events: `progress` when there is news, and in the end `end`.
///
///     new EventSource("/reports/1/events").addEventListener("progress", …)
struct ProgressEvents: AsyncSequence, Sendable {
    let job: JobID
    let inspector: Inspector

    /// A look costs one row by its id; the worker tells its news with each heartbeat.
    private static let pause: Duration = .milliseconds(500)

    private struct Progress: Encodable, Equatable {
        var state: JobStatus
        var done: Int64?
        var total: Int64?
        var note: String?
    }

    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // A browser that hangs up makes the next write throw. When the server shuts down
                // the stream ends, and the browser asks again.
                for await text in cancelOnGracefulShutdown() {
                    try await writer.write(ByteBuffer(string: text))
                }
                try await writer.finish(nil)
            })
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// Looks only as fast as what it finds is written.
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: ProgressEvents
        private var last: Progress?
        private var isOver = false

        fileprivate init(events: ProgressEvents) { self.events = events }

        mutating func next() async -> String? {
            guard !isOver else { return nil }
            do {
                if last != nil { try await Task.sleep(for: ProgressEvents.pause) }
                let now = try await events.look()
                isOver = now?.state.isFinished ?? true
                if let now, now == last { return ": nothing new\n\n" }
                last = now
                return try events.text(of: now, isOver ? "end" : "progress")
            } catch {
                return nil  // cancelled, or the database is away: the browser asks again
            }
        }
    }

    private func look() async throws -> Progress? {
        guard let detail = try await inspector.job(job) else { return nil }
        let told = detail.progress?.progress
        return Progress(
            state: detail.summary.status, done: told?.done, total: told?.total, note: told?.note)
    }

    private func text(of progress: Progress?, _ name: String) throws -> String {
        let data = String(decoding: try JSONEncoder().encode(progress), as: UTF8.self)
        return "event: \(name)\ndata: \(data)\n\n"
    }
}
