// docs/decisions/results.md

import TenurePostgres

/// One wait for one job's end: looks, more and more rarely, and at once when something is said.
struct EndWait {
    private static let firstPause = Duration.milliseconds(10)
    private static let longestPause = Duration.seconds(1)
    /// Workers forget who waits, and new ones come.
    private static let sayAgainAfter = Duration.seconds(10)
    /// No look takes longer; and none is cut shorter than the other.
    private static let longestLook = Duration.seconds(5)
    private static let shortestLook = Duration.seconds(1)

    let job: JobID
    let pool: PostgresPool
    let notifier: Notifier
    let watch: EndWatch
    let deadline: Duration
    private let time = ReactorTime(.shared)
    private let news = Signal()

    init(for job: JobID, client: TenureClient, deadline: Duration) {
        self.job = job
        self.deadline = deadline
        pool = client.pool
        notifier = client.notifier
        watch = client.ends
    }

    func run() async throws -> JobEnd {
        let end = time.now + deadline
        var names = [Wakeup.ofEnd(job), Wakeup(channel: Wakeup.endings, payload: "job:\(job)")]
        defer { watch.remove(news, from: names) }
        var pause = Self.firstPause
        var sayAt: ContinuousClock.Instant?
        while true {
            let (standing, trouble) = try await look(until: end)
            switch standing {
            case .ended(let end): return end
            case .unfinished(let keyWakeup) where sayAt == nil:
                names += keyWakeup.map { [$0] } ?? []
                watch.add(news, for: names)
                sayAt = time.now
            case nil where trouble == nil: throw gone(wasThere: sayAt != nil)
            default: break
            }
            if time.now >= end { throw late(trouble) }
            if let at = sayAt, at <= time.now {
                notifier.leave([.ofWait(job)])
                sayAt = at + Self.sayAgainAfter
            }
            await news.wait(
                until: min(time.now + pause * Double.random(in: 0.9...1.1), end), on: time)
            try Task.checkCancellation()
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// - Returns: nil for a job that isn't there, or, with an error, when that can't be said now.
    private func look(
        until end: ContinuousClock.Instant
    ) async throws -> (JobStanding?, PostgresError?) {
        let left = max(Self.shortestLook, min(time.now.duration(to: end), Self.longestLook))
        do {
            return (try await pool.ask(ReadEnd(job: job), deadline: left).first, nil)
        } catch let error as PostgresError
            where error.isTransient || [.deadlineExceeded, .poolTimedOut].contains(error.code)
        {
            return (nil, error)
        }
    }

    private func gone(wasThere: Bool) -> TenureError {
        wasThere
            ? TenureError(
                .notKept,
                "job \(job) has ended and left nothing: its queue keeps no completed jobs; give "
                    + "those that somebody waits for a queue that does")
            : TenureError(
                .notFound,
                "there is no job \(job), or it ended and is kept no longer: look at its id, at "
                    + "what its queue keeps, and whether its transaction was rolled back")
    }

    private func late(_ trouble: PostgresError?) -> TenureError {
        TenureError(
            .deadlineExceeded,
            trouble == nil
                ? "job \(job) had not ended after \(deadline); it goes on: wait again, or cancel it"
                : "the database could not be asked about job \(job) before the deadline of "
                    + "\(deadline): wait again",
            cause: trouble)
    }
}
