import Tenure

/// What a handler's return means, given why (if at all) its right had ended. A pure rule:
/// "How a run ends" in docs/architecture.md, as code.
enum EndDecision {
    /// Done, with nothing else to say: the way of most, many in one statement.
    case completed
    /// Report this to the database.
    case report(RunEnding)
    /// A commit came late: report what the run's reason says, if it still has a row.
    case late(RunEnding)

    static func decide(
        _ result: Result<JobOutcome, any Error>, reason: EndReason?, run: RunInfo,
        veil: @autoclosure () -> Veil, retryDelay: @autoclosure () -> Duration
    ) -> EndDecision {
        // Says nothing that could repeat a secret.
        if run.key == nil, case .success(let outcome) = result, outcome.isPlain {
            return .completed
        }
        let (ref, veil) = (RunRef(job: run.job, fence: run.fence), veil())
        switch result {
        case .success(let outcome):
            if let wrong = outcome.wrongPause {
                return .report(
                    .failed(
                        ref, code: "invalid_pause", message: "\(wrong)", delay: retryDelay()))
            }
            return returned(veil.outcome(outcome), run: run)
        case .failure(let error as LateResult):
            return .late(reason.map { stopped($0, run: ref) } ?? lateEnding(error, run: ref))
        case .failure(let error):
            var ending = thrown(
                error, saying: veil.text(error), reason: reason, run: ref, retryDelay: retryDelay())
            if ending.wanted == .failed, !Cancellation.isCancellation(error) {
                ending.error = veil.error(error)
            }
            return .report(ending)
        }
    }

    private static func returned(
        _ outcome: JobOutcome, run info: RunInfo
    ) -> EndDecision {
        let run = RunRef(job: info.job, fence: info.fence)
        switch outcome.way {
        case .committed(let became, let writer): return committed(became, by: writer, of: run)
        case .completed(let json):
            var ending = RunEnding(run, .completed)
            ending.result = json
            return .report(ending)
        case .snoozed(let pause):
            var ending = RunEnding(run, .snoozed)
            ending.delay = RunEnding.bounded(pause)
            return report(ending, outcome, info)
        case .moved: return report(RunEnding(run, .snoozed), outcome, info)
        case .discarded(let reason):
            var ending = RunEnding(run, .discarded)
            ending.reason = reason.storable
            return .report(ending)
        case .retried(let pause, let reason):
            return .report(
                .failed(run, code: RunEnding.retryAsked, message: reason, delay: pause))
        }
    }

    /// What a transaction of the program's own is said to have written (the handler's own commit is
    /// known otherwise). If it has, the fence is gone, and this report comes late. A job that is
    /// still the run's was not ended by anybody: an attempt has failed.
    private static func committed(
        _ became: RunOutcome, by writer: RunRef, of run: RunRef
    ) -> EndDecision {
        guard writer == run else {
            return .report(
                .failed(
                    run, code: RunEnding.notCommitted,
                    message: "the handler returned the value of another run's commit (of job "
                        + "\(writer.job)); return what its own commit gave",
                    delay: .zero))
        }
        var ending = RunEnding.failed(
            run, code: RunEnding.notCommitted,
            message: "the handler returned what context.finish gave, and the job had not ended; "
                + "return it after its transaction has committed", delay: .zero)
        ending.saidToBe = became
        return .report(ending)
    }

    /// With what it does to lanes. A lane whose name can't be is a failure like any other.
    private static func report(
        _ ending: RunEnding, _ outcome: JobOutcome, _ run: RunInfo
    ) -> EndDecision {
        var ending = ending
        do {
            if let lane = try LaneChange.field(of: outcome, queue: run.queue) {
                ending.also.append(lane)
            }
            return .report(ending)
        } catch {
            return .report(
                .failed(
                    ending.run, code: "invalid_lane", message: "\(error)",
                    delay: ending.delay ?? .zero))
        }
    }

    /// An error that is a cancellation, in a run that was asked to stop, is that reason's. One
    /// that nobody asked for is a failure like any other.
    private static func thrown(
        _ error: any Error, saying text: String, reason: EndReason?, run: RunRef,
        retryDelay: Duration
    ) -> RunEnding {
        if reason == .timedOut {
            return .failed(
                run, code: RunEnding.timedOut, message: "the run took longer than its timeout",
                delay: retryDelay)
        }
        if let reason, Cancellation.isCancellation(error) { return stopped(reason, run: run) }
        let isUnasked = Cancellation.isCancellation(error)
        return .failed(
            run, code: isUnasked ? "unasked_cancellation" : String(describing: type(of: error)),
            message: isUnasked
                ? "the handler threw a cancellation that nobody had asked for: \(text)" : text,
            delay: retryDelay)
    }

    private static func stopped(_ reason: EndReason, run: RunRef) -> RunEnding {
        var ending = RunEnding(run, .handedBack)
        switch reason {
        case .superseded: ending.wanted = .superseded
        case .cancelled(let who):
            ending.wanted = .cancelled
            ending.reason = who
        case .timedOut, .shutdown, .leaseExpired, .lost, .waiting: break
        }
        return ending
    }

    private static func lateEnding(_ late: LateResult, run: RunRef) -> RunEnding {
        var ending = RunEnding(run, .handedBack)
        switch late.became {
        case .superseded: ending.wanted = .superseded
        case .cancelled: ending.wanted = .cancelled
        case .lost: break
        }
        return ending
    }
}
