package import Logging
import TenureFoundation
import TenurePostgres

/// Logs and counts. A cancellation is never more than `debug`; a late result is counted and
/// logged at `info`, because it tells an operator that something ran twice.
package struct LoggingObserver: EventObserver {
    private let logger: Logger
    /// The name that its process's sessions have.
    private let name: String
    private let errors = DatabaseErrors()
    private let meters = Meters()

    package init(logger: Logger, name: String) {
        self.logger = logger
        self.name = name
    }

    package func observe(_ event: Event) {
        meters.observe(event)
        switch event {
        case .sessionOpened(let session): log(.info, "session opened", session)
        case .sessionClosed(let session): log(.info, "session closed", session)
        case .sessionLost(let session):
            log(.warning, "session was declared dead; a new one follows", session)
        case .leaseRenewed: errors.isBack()
        case .leaseExpired(let session):
            log(.warning, "lease expired: the database could not be reached in time", session)
        case .declaredDead(let session, _):
            log(.warning, "declared a session dead: its beat stood still for a lease", session)
        case .databaseAway(let during, let error): databaseAway(during, error)
        case .clockSetBack(let step):
            logger.warning(
                "the database's clock was set back: the times of waiting jobs go back with it",
                metadata: .init([.duration: "\(step)"]))
        default: observeRun(event)
        }
    }

    private func observeRun(_ event: Event) {
        switch event {
        case .started(let run): log(.debug, "job starts", run)
        case .ended(let run, let became, let took, _):
            // Of every job: its texts are made only where they are read.
            guard logger.logLevel <= .debug else { return }
            let duration = took.map { "\($0)" } ?? "not begun"
            log(.debug, "job ended", run, [.jobOutcome: "\(became)", .duration: duration])
        case .failed(let run, let error): log(.error, "job failed", run, [.error: "\(error)"])
        case .threwAfterCommit(let run, let error):
            log(.warning, "a handler threw after its commit", run, [.error: "\(error)"])
        case .returnedAfterCommit(let run, let what):
            log(
                .warning, "what a handler returned is not taken: its commit was the job's end",
                run, [.reason: what])
        case .wentOnInsteadOfWaiting(let run, let what):
            log(
                .warning,
                "a handler went on where its job waits: let the CancellationError through", run,
                [.reason: what])
        case .usedAfterReturn(let run):
            log(
                .warning, "a job's context was used after its handler had returned: await it there",
                run)
        case .runEnding(let run, let reason):
            log(.debug, "job is asked to stop", run, [.reason: "\(reason)"])
        case .lateResult(let run):
            log(.info, "late result discarded: a newer run, or job of its key, has its place", run)
        case .outrun(let run):
            log(.debug, "run is late: another run, or job of its key, has its place", run)
        case .held(let run, let reason): log(.error, "job held", run, [.reason: reason])
        case .stuck(let run, let since, let reason):
            log(
                .error, "job ignores its cancellation and keeps its slot", run,
                [.duration: "\(since)", .reason: "\(reason)"])
        case .longWithoutTimeout(let run, let since):
            log(
                .warning, "job has run for long and its kind has no timeout", run,
                [.duration: "\(since)"])
        case .unknownCommitResolved(let run, let committed):
            log(
                .warning, "a commit's answer was lost and its outcome found out", run,
                [.jobOutcome: committed ? "committed" : "rolled back"])
        case .chunkFailed(let run, let members, let reason):
            log(
                .warning, "a chunk was not committed: its jobs go on in smaller ones, or again",
                run, [.count: "\(members)", .reason: reason])
        default: observeOthers(event)
        }
    }

    private func observeOthers(_ event: Event) {
        switch event {
        case .reclaimed(let job, let became):
            logger.info(
                "job reclaimed from a dead session",
                metadata: .init([.jobID: "\(job)", .jobOutcome: "\(became)"]))
        case .expired(let job, let kind, let queue):
            logger.debug(
                "job expired: it had not begun in time",
                metadata: .init(
                    [.jobID: "\(job)", .jobKind: "\(kind)", .jobQueue: "\(queue)"]))
        case .strandedReleased(let count):
            logger.warning(
                "jobs released that waited for a run that is over",
                metadata: .init([.count: "\(count)"]))
        case .followUpRefused(let batch, let reason):
            logger.error(
                "what the end of a batch was to enqueue was refused: enqueue it by hand",
                metadata: .init([.batch: batch.uuidString.lowercased(), .reason: reason]))
        case .kindPaused(let kind, let reason):
            logger.error(
                "kind paused: let it go on with tenure kind resume",
                metadata: .init([.jobKind: "\(kind)", .reason: reason]))
        case .claimed(let queue, let count, let took):
            logger.trace(
                "jobs claimed",
                metadata: .init([.jobQueue: "\(queue)", .count: "\(count)", .duration: "\(took)"]))
        case .handedBack(let run, let why):
            logger.info(
                "job handed back",
                metadata: .init([.jobID: "\(run.job)", .fence: "\(run.fence)", .reason: why]))
        default: observeProcess(event)
        }
    }

    private func observeProcess(_ event: Event) {
        switch event {
        case .stopAsked(let whom):
            logger.info("asked to stop", metadata: .init([.reason: "by \(whom)"]))
        case .leaving(let stuck, let since):
            logger.error(
                "handlers ignore their cancellation: the process ends when the others have let go",
                metadata: .init([.count: "\(stuck)", .duration: "\(since)"]))
        case .handlersBlocked(let since, let running):
            logger.warning(
                "the handlers' threads are blocked: what computes or waits needs one of its own",
                metadata: .init([.duration: "\(since)", .running: running, .worker: name]))
        case .handlersMove(let after):
            logger.info(
                "the handlers' threads are free again",
                metadata: .init([.duration: "\(after)", .worker: name]))
        case .shutdown(let running):
            logger.info(
                "shutting down: no new claims, waiting for running jobs",
                metadata: .init([.count: "\(running)"]))
        default: break
        }
    }

    /// One line when the database goes away and one a minute after, not one per try.
    private func databaseAway(_ during: String, _ error: any Error) {
        let isNews = errors.isNews(at: .now)
        let answered = (error as? PostgresError).map { $0.code == .server && !$0.isTransient }
        logger.log(
            level: isNews ? .warning : .debug,
            answered == true
                ? "the database refused \(during)"
                : "the database could not be reached during \(during)",
            metadata: .init([.error: "\(error)"]))
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ session: SessionID) {
        logger.log(
            level: level, message, metadata: .init([.session: "\(session)", .worker: name]))
    }

    private func log(
        _ level: Logger.Level, _ message: Logger.Message, _ run: RunInfo,
        _ more: [LogKey: String] = [:]
    ) {
        guard logger.logLevel <= level else { return }
        logger.log(
            level: level, message,
            metadata: run.metadata.merging(.init(more)) { _, new in new })
    }
}

/// When the database was last said to be away.
private final class DatabaseErrors: Sendable {
    private let saidAt = Lock<ContinuousClock.Instant?>(nil)

    func isBack() { saidAt.withLock { $0 = nil } }

    func isNews(at now: ContinuousClock.Instant) -> Bool {
        saidAt.withLock { saidAt in
            if let saidAt, saidAt.duration(to: now) < .seconds(60) { return false }
            saidAt = now
            return true
        }
    }
}

extension Duration {
    package var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
