public import TenureFoundation
import TenurePostgres

extension TenureClient {
    /// Waits until a batch has ended: it hears of the end where LISTEN works, and looks now and
    /// then.
    /// - Parameter watch: called with the batch's live numbers after each look; what has ended
    ///   isn't counted in them.
    /// - Returns: how it ended, with all its numbers.
    /// - Throws: `TenureError` with `.notFound`; `CancellationError`, and the batch goes on.
    @discardableResult
    public func end(
        ofBatch batch: UUID, lookEvery pause: Duration = .milliseconds(500),
        _ watch: @escaping @Sendable (BatchProgress) async throws -> Void = { _ in }
    ) async throws -> BatchProgress {
        let news = Signal()
        let listener = PostgresListener(
            configuration: pool.configuration, channels: [Wakeup.endings])
        return try await withThrowingTaskGroup(of: BatchProgress?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await listener.run()
                return nil
            }
            group.addTask {
                for await event in listener.events where event.concerns(batch) { news.notify() }
                return nil
            }
            group.addTask { try await look(for: batch, every: pause, news, watch) }
            for try await step in group { if let step { return step } }
            throw CancellationError()
        }
    }

    private func look(
        for batch: UUID, every pause: Duration, _ news: Signal,
        _ watch: @Sendable (BatchProgress) async throws -> Void
    ) async throws -> BatchProgress {
        let time = ReactorTime(.shared)
        let inspector = Inspector(pool: pool)
        while true {
            guard let live = try await inspector.liveProgress(ofBatch: batch) else {
                throw TenureError(
                    .notFound,
                    "there is no batch \(batch.uuidString.lowercased()), or it ended long ago and "
                        + "is forgotten; see tenure batch list --all")
            }
            if live.endedAt != nil {
                return try await inspector.progress(ofBatch: batch) ?? live
            }
            try await watch(live)
            await news.wait(until: time.now + pause, on: time)
            try Task.checkCancellation()
        }
    }
}

extension PostgresListenerEvent {
    /// Something about the batch was said, or may have been missed.
    fileprivate func concerns(_ batch: UUID) -> Bool {
        switch self {
        case .listening: true
        case .lost, .deaf: false
        case .notification(let notification):
            notification.payload == Wakeup.ofBatch(batch).payload
        }
    }
}
