import Tenure
import Testing

@testable import TenureWorker

/// Whom a worker tells of jobs that it has let go.
@Suite struct OfferedJobsTests {
    private let start = ContinuousClock.now
    private let mail: QueueName = "mail"

    @Test func `nobody is told of what is claimed in time`() {
        let offered = OfferedJobs()
        let jobs = [JobID(), JobID()]
        offered.add(jobs, in: mail, at: start)
        #expect(offered.tellAt == start + OfferedJobs.patience)
        offered.claimed(jobs[..<1])
        #expect(offered.takeLeft(at: start) == [])
        offered.claimed([JobID(), jobs[1]])
        #expect(offered.tellAt == nil)
        #expect(offered.takeLeft(at: start + .seconds(1)) == [])
    }

    @Test func `others are told of what is left, once`() {
        let offered = OfferedJobs()
        let jobs = [JobID(), JobID()]
        offered.add(jobs, in: mail, at: start)
        offered.add([JobID()], in: "other", at: start + .milliseconds(1))
        offered.claimed(jobs[..<1])
        let end = start + OfferedJobs.patience
        #expect(offered.takeLeft(at: end - .nanoseconds(1)) == [])
        #expect(offered.takeLeft(at: end) == [mail, "other"])
        #expect(offered.tellAt == nil && offered.takeLeft(at: end + .seconds(1)) == [])
    }

    @Test func `who ends tells of all`() {
        let offered = OfferedJobs()
        offered.add([JobID()], in: mail, at: start)
        #expect(offered.takeAll() == [mail])
        #expect(offered.takeAll() == [] && offered.tellAt == nil)
    }
}
