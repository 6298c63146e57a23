import Tenure
import TenureWorker

struct Charge: Job {
    static let kind: JobKind = "charge"
    static let options = JobOptions<Self>(deadLetter: .to(ChargeFailed.self))
    let invoice: Int
}

/// The letter is its payload.
struct ChargeFailed: LetterJob {
    static let kind: JobKind = "charge-failed"
    static let options = JobOptions<Self>(queue: "support")
    let letter: DeadLetter
}

func registerCharges(_ jobs: inout JobRegistry, _ payments: any Payments) {
    jobs.handle(Charge.self) { job, context in
        let receipt = try await payments.charge(
            job.invoice, idempotencyKey: "\(context.jobID) charge")
        return try .completed(result: receipt)
    }
    jobs.handle(ChargeFailed.self) { job, _ in
        let charge = try job.letter.payload(as: Charge.self)
        try await payments.ask(charge.invoice)
        return .completed
    }
}
