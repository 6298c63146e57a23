public import FoundationEssentials
import TenurePostgres

extension TenureClient {
    /// Waits until a run has ended: it hears of the end where LISTEN works, and looks now and then.
    /// - Parameter watch: called with the run's live numbers after each look; what has ended isn't
    ///   counted in them.
    /// - Returns: how it ended, with all its numbers.
    /// - Throws: `TenureError` with `.notFound`; `CancellationError`, and the run goes on.
    @discardableResult
    public func end(
        ofRun run: UUID, lookEvery pause: Duration = .milliseconds(500),
        _ watch: @escaping @Sendable (RunProgress) async throws -> Void = { _ in }
    ) async throws -> RunProgress {
        let news = Signal()
        let listener = PostgresListener(
            configuration: pool.configuration, channels: [Wakeup.endings])
        return try await withThrowingTaskGroup(of: RunProgress?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await listener.run()
                return nil
            }
            group.addTask {
                for await event in listener.events where event.concerns(run) { news.notify() }
                return nil
            }
            group.addTask { try await look(for: run, every: pause, news, watch) }
            for try await step in group { if let step { return step } }
            throw CancellationError()
        }
    }

    private func look(
        for run: UUID, every pause: Duration, _ news: Signal,
        _ watch: @Sendable (RunProgress) async throws -> Void
    ) async throws -> RunProgress {
        let time = ReactorTime(.shared)
        let inspector = Inspector(pool: pool)
        while true {
            guard let live = try await inspector.liveProgress(ofRun: run) else {
                throw TenureError(
                    .notFound,
                    "there is no run \(run.uuidString.lowercased()), or it ended long ago and is "
                        + "forgotten: look at its id")
            }
            if live.endedAt != nil {
                return try await inspector.progress(ofRun: run) ?? live
            }
            try await watch(live)
            await news.wait(until: time.now + pause, on: time)
            try Task.checkCancellation()
        }
    }
}

extension PostgresListenerEvent {
    /// Something about the run was said, or may have been missed.
    fileprivate func concerns(_ run: UUID) -> Bool {
        switch self {
        case .listening: true
        case .lost, .deaf: false
        case .notification(let notification):
            notification.payload == Wakeup.ofRun(run).payload
        }
    }
}
