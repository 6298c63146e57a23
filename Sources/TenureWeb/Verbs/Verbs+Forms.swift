import HTTPTypes
import Tenure

/// What forms ask for: where it can't be, the form comes back with why.
extension Verbs {
    func enqueue() async throws -> VerbResult {
        let page = EnqueuePage(form)
        return try await refusing(page) {
            let job = try JobForm(form: form).job(look.settings.makeJob)
            if form["force"] == nil { try await requireKnown(job.kind, page) }
            if let room = try await look.client.room(in: job.queue),
                room.pending >= room.capacity
            {
                let most = CountText.of(room.capacity, "pending job")
                throw RefusedForm(page, "Queue \(job.queue) is full: it takes \(most).", .conflict)
            }
            let made = try await doer.enqueue(job)
            let isSentAgain = made.result == .kept && job.isGiven && made.id == job.id
            let words =
                switch made.result {
                case .enqueued: "Enqueued."
                case .updated: "The key’s pending job has this payload now."
                case .kept where isSentAgain:
                    "This form was sent before, and made this job: no second one."
                case .kept: "The key has this unfinished job: nothing was added."
                }
            return VerbResult(
                result: words, path: ["jobs", "\(made.id)"],
                isGood: made.result != .kept || isSentAgain)
        }
    }

    func edit(_ id: JobID) async throws -> VerbResult {
        let page = EditPage(id, form)
        return try await refusing(page) {
            let edit = try JobForm(form: form).edit()
            if let payload = form["payload"],
                let kind = try await look.inspector.job(id)?.summary.kind
            {
                try look.settings.checkPayload(kind, payload)
            }
            let result = try await doer.edit(id, edit)
            switch result {
            case .edited: return VerbResult(result: "Edited.", path: ["jobs", "\(id)"])
            case .unknown:
                throw NotThere(description: "There is no job \(id), or history has dropped it.")
            default: throw RefusedForm(page, "It stays as it is: \(result.words).", .conflict)
            }
        }
    }

    private func requireKnown(_ kind: JobKind, _ page: EnqueuePage) async throws {
        guard try await !look.inspector.kinds().contains(where: { $0.kind == kind }) else { return }
        throw RefusedForm(
            page,
            "No job and no live worker names the kind \"\(kind)\": check it, or enqueue it "
                + "although nobody knows it.")
    }

    /// What the library, its types or the database refuse of a job.
    private func refusing(
        _ page: any Page, _ body: () async throws -> VerbResult
    ) async throws -> VerbResult {
        do {
            return try await body()
        } catch let error as BadRequest {
            throw RefusedForm(page, error.description)
        } catch let error as TenureError where error.code == .invalidJob {
            throw RefusedForm(page, "\(error)")
        } catch let error as PostgresError where error.sqlState == "TN003" {
            throw RefusedForm(page, error.message + (error.hint.map { "; \($0)" } ?? ""))
        }
    }
}
