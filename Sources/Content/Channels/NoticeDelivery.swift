import Tenure
import TenureFoundation
import TenureWorker

/// Sends a notice. What a receiver says with a status is all that counts: what it writes isn't
/// read.
struct NoticeDelivery: Sendable {
    let parts: ContentParts
    let context: JobContext

    func run(_ job: NoticeSend) async throws -> JobOutcome {
        let read = ReadDelivery(notice: job.notice, channel: job.channel)
        guard let delivery = try await parts.pool.execute(read).first else {
            return .discard(reason: "the channel was removed, or there is no such notice")
        }
        if delivery.isSent { return .completed }
        if delivery.isPaused { return try await rest(job) }
        let parcel: NoticeParcel
        do {
            parcel = try NoticeParcel(delivery, of: job, parts.configuration)
        } catch let error as ContentError {
            throw try await failure("\(error)", of: job)
        }
        try context.checkRight()
        switch try await parcel.send(parts) {
        case .arrived:
            return try await context.commit { transaction in
                _ = try await transaction.execute(
                    NoteSent(notice: job.notice, channel: job.channel))
            }
        case .gone(let why): return try await giveUp(job, why, pausing: true)
        case .refused(let why): return try await giveUp(job, why, pausing: false)
        case .failed(let why): throw try await failure(why, of: job)
        }
    }

    /// What is asked again in vain: it waits for whoever resumes the channel.
    private func giveUp(_ job: NoticeSend, _ why: String, pausing: Bool) async throws -> JobOutcome
    {
        try await context.commit(.discard(reason: why)) { transaction in
            if pausing {
                _ = try await transaction.execute(PauseChannel(name: job.channel, why: why))
            }
            _ = try await transaction.execute(
                NoteUnsent(notice: job.notice, channel: job.channel, error: why))
        }
    }

    /// Whoever resumes the channel sends what waits. Who has done so meanwhile may not have seen
    /// this one.
    private func rest(_ job: NoticeSend) async throws -> JobOutcome {
        struct Resumed: Error {}
        do {
            return try await context.commit { transaction in
                let isPaused = try await transaction.execute(HoldPause(channel: job.channel)).first
                if isPaused == false { throw Resumed() }
            }
        } catch is Resumed {
            return .snooze(for: .seconds(1))
        }
    }

    /// Written down before the attempt ends: whoever waits for a test reads it.
    private func failure(_ why: String, of job: NoticeSend) async throws -> ContentError {
        try context.checkRight()
        let note = NoteUnsent(notice: job.notice, channel: job.channel, error: why)
        _ = try await parts.pool.execute(note)
        return ContentError(.notSent, "to \(job.channel): \(why)")
    }
}
