import FaultSupport
import Tenure
import TenureSystem
import TestSupport
import Testing

/// No coordinator runs in any of these.
@Suite(.serialized) struct LeaseTests {
    @Test func `a frozen worker's job is finished by another, and its own commit is refused`()
        async throws
    {
        let fixture = try await FaultFixture()
        let frozen = try WorkerProcess(conninfo: fixture.conninfo)
        defer { frozen.send(SIGKILL) }
        let job = try await fixture.enqueue(60_000, 500, ignoring: true)
        let start = try await frozen.wait(for: "handlerStarted", job: job)
        frozen.send(SIGSTOP)
        let other = try WorkerProcess(conninfo: fixture.conninfo)
        defer { other.send(SIGKILL) }
        let second = try await other.wait(for: "handlerStarted", job: job, within: .seconds(15))
        #expect(second.fence ?? 0 > start.fence ?? 0)
        _ = try await other.wait(
            for: "commitAnswered", job: job, answer: "committed", within: .seconds(20))
        frozen.send(SIGCONT)
        let cancelled = try await frozen.wait(for: "cancelDelivered", job: job)
        let late = try await frozen.wait(for: "commitAnswered", job: job, answer: "late")
        #expect(late.fence == start.fence)
        #expect(try await fixture.number("SELECT count(*) FROM effect") == 1)
        #expect(try await fixture.expectOneCommitEach() == 0)
        print(
            "frozen worker: other started \(seconds(start.boot, second.boot)) s after the first,",
            "cancelled with \"\(cancelled.reason ?? "")\", its commit refused")
    }

    @Test func `a worker cut off from the database cancels before any other may reclaim`()
        async throws
    {
        let fixture = try await FaultFixture()
        let proxy = try DatabaseProxy(to: fixture.postgres.socketFile)
        let cutOff = try WorkerProcess(
            conninfo: proxy.conninfo(fixture.conninfo))
        defer { cutOff.send(SIGKILL) }
        let job = try await fixture.enqueue(60_000, 500)
        let start = try await cutOff.wait(for: "handlerStarted", job: job)
        let other = try WorkerProcess(conninfo: fixture.conninfo)
        defer { other.send(SIGKILL) }
        try await Task.sleep(for: .seconds(1))
        proxy.cut()
        let cancelled = try await cutOff.wait(for: "cancelDelivered", job: job)
        let second = try await other.wait(for: "handlerStarted", job: job, within: .seconds(15))
        #expect(cancelled.reason == "leaseExpired")
        #expect(cancelled.boot < second.boot)
        #expect(second.fence ?? 0 > start.fence ?? 0)
        _ = try await other.wait(
            for: "commitAnswered", job: job, answer: "committed", within: .seconds(20))
        proxy.mend()
        try await Task.sleep(for: .seconds(1))
        #expect(try await fixture.expectOneCommitEach() == 0)
        print(
            "cut-off worker: cancelled \(seconds(cancelled.boot, second.boot)) s before the other "
                + "started")
    }

    @Test func `a killed worker's jobs run again within lease and sweep`() async throws {
        let fixture = try await FaultFixture()
        let killed = try WorkerProcess(conninfo: fixture.conninfo)
        let job = try await fixture.enqueue(60_000, 500)
        let start = try await killed.wait(for: "handlerStarted", job: job)
        let other = try WorkerProcess(conninfo: fixture.conninfo)
        defer { other.send(SIGKILL) }
        try await Task.sleep(for: .seconds(1))
        killed.send(SIGKILL)
        let second = try await other.wait(for: "handlerStarted", job: job, within: .seconds(15))
        _ = try await other.wait(
            for: "commitAnswered", job: job, answer: "committed", within: .seconds(20))
        print(
            "killed worker: its job started again after \(seconds(start.boot, second.boot) - 1) s")
        #expect(try await fixture.number("SELECT attempt FROM tenure.job_history") == 2)
    }

    @Test func `SIGTERM gives running jobs their grace, hands them back and exits 0`() async throws
    {
        let fixture = try await FaultFixture()
        let worker = try WorkerProcess(conninfo: fixture.conninfo, slots: 2, grace: 2)
        let short = try await fixture.enqueue(1500)
        let long = try await fixture.enqueue(60_000)
        let waiting = try await fixture.enqueue(10)
        _ = try await worker.wait(for: "handlerStarted", job: long)
        worker.send(SIGTERM)
        #expect(try await worker.end() == 0)
        #expect(worker.seen("commitAnswered", answer: "committed").map(\.job) == [short])
        #expect(worker.seen("cancelDelivered").map(\.reason) == ["shutdown"])
        #expect(
            try await fixture.number(
                """
                SELECT count(*) FROM tenure.job
                WHERE state = 'available' AND attempt = 0 AND id IN ('\(long)', '\(waiting)')
                """) == 2)
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.session WHERE ended_at IS NULL")
                == 0)
    }

    private func seconds(_ from: Double, _ to: Double) -> Double {
        ((to - from) * 1000).rounded() / 1000
    }
}
