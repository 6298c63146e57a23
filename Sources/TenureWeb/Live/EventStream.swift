import Hummingbird
import NIOCore

/// Server-sent events of one view, for one browser. It ends by itself before the server would end
/// it; the browser asks again.
struct EventStream: Sendable {
    let view: LiveView
    /// Who logs out elsewhere hears nothing more.
    var isWanted: @Sendable () -> Bool = { true }

    private static let longest: Duration = .seconds(45)
    /// Nothing is heard for no longer than this: a browser that has gone is found out by it.
    private static let silence: Duration = .seconds(15)

    var response: Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
            ],
            body: ResponseBody { writer in
                let (id, signals) = await view.join()
                do {
                    try await write(signals, for: id, to: &writer)
                } catch {
                    // It has hung up, or the server ends.
                    await view.leave(id)
                    throw error
                }
                await view.leave(id)
                try await writer.finish(nil)
            })
    }

    private enum Turn { case changed, quiet, over }

    @concurrent private func write(
        _ signals: AsyncStream<Void>, for id: Int, to writer: inout any ResponseBodyWriter
    ) async throws {
        var version = 0
        var isWell = false
        for await turn in Self.turns(signals) {
            switch isWanted() ? turn : .over {
            case .over:
                return try await writer.write(ByteBuffer(string: "event: over\ndata: \n\n"))
            // An event, for a comment would not be heard by the page.
            case .quiet:
                try await writer.write(ByteBuffer(string: "event: alive\ndata: \n\n"))
            case .changed:
                let news = await view.news(since: version, for: id)
                version = news.version
                var events = news.events
                if let trouble = news.trouble {
                    events.writeString(EventText.of("trouble", trouble))
                } else if !isWell, news.version > 0 {
                    events.writeString(EventText.of("well", ""))
                }
                isWell = news.trouble == nil && news.version > 0
                if events.readableBytes > 0 { try await writer.write(events) }
            }
        }
    }

    /// Changes, with a word where none come, and an end.
    private static func turns(_ signals: AsyncStream<Void>) -> AsyncStream<Turn> {
        AsyncStream(bufferingPolicy: .bufferingNewest(4)) { turns in
            let work = Task {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await _ in signals { turns.yield(.changed) }
                        turns.finish()
                    }
                    group.addTask {
                        let end = ContinuousClock.now + longest
                        while ContinuousClock.now < end, !Task.isCancelled {
                            // Reason for `try?`: a cancellation ends the loop.
                            try? await Task.sleep(for: silence)
                            turns.yield(.quiet)
                        }
                        turns.yield(.over)
                        turns.finish()
                    }
                    await group.next()
                    group.cancelAll()
                }
            }
            turns.onTermination = { _ in work.cancel() }
        }
    }
}
