import TenureFoundation
import Testing

@testable import Tenure

/// What a type says of its jobs is what they are enqueued with, wherever that is.
@Suite struct JobOptionsTests {
    private struct Charge: Job {
        static let kind: JobKind = "charge"
        static let options = JobOptions<Self>(
            queue: "payments", priority: 2, retry: .constant(maxAttempts: 4, .seconds(1)),
            key: { .keeping("order-\($0.order)") },
            lane: { Lane($0.bank, maxRunning: 3) },
            notAfter: { $0.isUrgent ? .after(.seconds(60)) : nil }, payloadVersion: 2,
            upgrade: { old, _ in
                struct First: Decodable { let number: Int }
                let number = try JSONDecoder().decode(First.self, from: old).number
                return Charge(order: number, bank: "old", isUrgent: false)
            })
        let order: Int
        let bank: String
        let isUrgent: Bool
    }

    @Test func `a value's own key, lane, expiry and attempts go with it`() throws {
        let job = try NewJob(Charge(order: 7, bank: "north", isUrgent: true))
        #expect(job.mode?.key == "order-7")
        #expect(job.mode?.way == .keeping)
        #expect(job.options.lane?.name == "north")
        #expect(job.options.lane?.maxRunning == 3)
        #expect(job.lastDelay == .seconds(60))
        #expect(job.maxAttempts == 4)
        #expect(job.queue == "payments")
        #expect(job.priority == 2)
        #expect(job.payloadVersion == 2)
        let calm = try NewJob(Charge(order: 7, bank: "north", isUrgent: false))
        #expect(calm.options.notAfter == nil)
    }

    @Test func `what an enqueue says goes before`() throws {
        let job = try NewJob(
            Charge(order: 7, bank: "north", isUrgent: true), .superseding("mine"),
            options: EnqueueOptions(
                queue: "slow", priority: 9, notAfter: .after(.seconds(5)), maxAttempts: 1,
                lane: Lane("south")))
        #expect(job.mode?.key == "mine")
        #expect(job.options.lane?.name == "south")
        #expect(job.lastDelay == .seconds(5))
        #expect((job.queue, job.priority, job.maxAttempts) == ("slow", 9, 1))
    }

    @Test func `the same holds for a job whose kind and payload are text`() throws {
        let kinds = JobKinds(Charge.self)
        let text = #"{"order":7,"bank":"north","isUrgent":true}"#
        let job = try kinds.job(kind: "charge", payload: text)
        #expect(job.payload == text)
        #expect(job.mode?.key == "order-7")
        #expect(job.options.lane?.name == "north")
        #expect(job.lastDelay == .seconds(60))
        #expect((job.queue, job.priority, job.maxAttempts) == ("payments", 2, 4))
        #expect(job.payloadVersion == 2)

        let old = try kinds.job(kind: "charge", payload: #"{"number":8}"#, payloadVersion: 1)
        #expect(old.mode?.key == "order-8")
        #expect(old.payloadVersion == 1)
        #expect(old.payload == #"{"number":8}"#)

        let newer = try kinds.job(kind: "charge", payload: "[8]", payloadVersion: 3)
        #expect(newer.mode == nil)
        #expect((newer.queue, newer.maxAttempts) == ("payments", 4))

        let unknown = try kinds.job(kind: "refund", payload: "[8]")
        #expect((unknown.queue, unknown.priority, unknown.maxAttempts) == ("default", 5, 25))
    }

    @Test func `a payload that is none of its kind is refused by its field`() {
        #expect(
            refusal { try JobKinds(Charge.self).job(kind: "charge", payload: #"{"order":7}"#) }
                == "payload.bank is missing")
    }

    private struct Wrong: Job {
        static let kind: JobKind = "wrong"
        static let options = JobOptions<Self>(timeout: .zero)
    }

    @Test func `what can't be used is refused by an enqueue, with the kind and the field`() {
        #expect(
            refusal { try NewJob(Wrong()) }
                == "the options of wrong can't be used: timeout is 0.0 seconds; give more than 0, "
                + "or nil for none")
    }

    private static let wrong: [(JobOptions<Wrong>, String)] = [
        (JobOptions(queue: ""), "queue has 0 bytes; give 1 to 128"),
        (JobOptions(priority: 10), "priority is 10; give 0 to 9"),
        (
            JobOptions(retry: .constant(maxAttempts: 0, .zero)),
            "retry.maxAttempts is 0; give 1 to 10000"
        ),
        (JobOptions(retry: RetryPolicy(jitter: .nan) { _ in .zero }), "retry.jitter is nan"),
        (JobOptions(retry: RetryPolicy(longest: .seconds(-1)) { _ in .zero }), "retry.longest is"),
        (JobOptions(timeout: .seconds(-2)), "timeout is -2.0 seconds; give more than 0"),
        (JobOptions(deadLetter: .to(kind: "wrong")), "deadLetter names the kind itself; give"),
        (JobOptions(deadLetter: .to(kind: "")), "deadLetter.kind has 0 bytes; give 1 to 128"),
        (JobOptions(deadLetter: .to(kind: "l", queue: "")), "deadLetter.queue has 0 bytes; give"),
        (JobOptions(secretFields: ["card."]), "secretFields has \"card.\"; give names as in"),
        (JobOptions(secretFields: [""]), "secretFields has \"\"; give names as in"),
        (JobOptions(payloadVersion: 0), "payloadVersion is 0; give 1 to 32767"),
        (JobOptions(upgrade: { _, _ in Wrong() }), "upgrade would never be called; give a payload"),
    ]

    @Test(arguments: wrong)
    private func `each part has its bounds`(_ options: JobOptions<Wrong>, _ message: String) {
        let said = refusal { try options.check(of: "wrong") } ?? ""
        #expect(said.hasPrefix("the options of wrong can't be used: \(message)"), "\(said)")
    }
}

/// How an error has to read.
private func refusal<Result>(_ body: () throws -> Result) -> String? {
    do {
        _ = try body()
        return nil
    } catch let error as TenureError where error.code == .invalidJob {
        return error.message
    } catch {
        return "\(type(of: error)): \(error)"
    }
}
