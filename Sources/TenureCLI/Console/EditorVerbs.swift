import Content
import Tenure
import TenureFoundation
import TenureWeb

/// What editors do with a POST. The database decides whether they may.
struct EditorVerbs: Sendable {
    let look: Look
    let whom: String
    let settings: Settings

    /// - Returns: nil for an address at which nothing is done.
    func run(_ path: [String], _ form: Query) async throws -> VerbResult? {
        switch (path.first, path.count) {
        case ("sites", 3):
            return try await change(site: Route.id(path[1], "site"), path[2])
        case ("items", 3) where path[2] == "edit":
            return try await edit(Route.id(path[1], "item"), form)
        case ("items", 3) where path[2] == "take":
            return try await take(Route.id(path[1], "item"), form)
        case ("items", 3) where path[2] == "refuse":
            return try await refuse(Route.id(path[1], "item"), form)
        case ("links", 2) where path == IgnorePage.path: return try await ignore(form)
        case ("links", 2) where path[1] == "unignore": return try await unignore(form)
        case ("impact", 2) where path[1] == "delete": return try await delete(form, .safe)
        case ("impact", 2) where path[1] == "delete-all": return try await delete(form, .all)
        default: return nil
        }
    }

    private func change(site id: UUID, _ verb: String) async throws -> VerbResult? {
        let sites = Sites(client: look.client, pool: look.pool, as: whom)
        let name = SiteName.id(id)
        let page = ["sites", id.uuidString.lowercased()]
        return try await ContentPart.asking {
            switch verb {
            case "check":
                let check = try await sites.check(name)
                return VerbResult(
                    result: "The check has begun.",
                    path: ["checks", check.uuidString.lowercased()])
            case "pause":
                try await sites.pause(name)
                return VerbResult(result: "Paused: a check that runs goes on.", path: page)
            case "resume":
                let was = try await sites.resume(name)
                return VerbResult(
                    result: was ? "Resumed." : "It was not paused.", path: page, isGood: was)
            default: return nil
            }
        }
    }

    private func edit(_ id: UUID, _ form: Query) async throws -> VerbResult {
        let page = ItemEditPage(id, form)
        let items = Items(pool: look.pool).acting(from: .console)
        let path = ["items", id.uuidString.lowercased()]
        let none = NotThere(description: "There is no item \(path[1]).")
        return try await refusing(page) {
            guard let item = try await items.item(.id(id)) else { throw none }
            let edit = page.edit(of: item, by: whom)
            if edit.values.isEmpty, edit.cleared.isEmpty, page.hasFields {
                return VerbResult(
                    result: "Nothing was changed: all of it is so already.", path: path,
                    isGood: false)
            }
            guard let edited = try await items.edit(.id(id), edit) else { throw none }
            return VerbResult(
                result: "Saved: it has version \(edited.keptVersion ?? 0) now.", path: path)
        }
    }

    /// Of what was doubted only a part is kept: it is fetched once more, whatever it looks like.
    private func take(_ id: UUID, _ form: Query) async throws -> VerbResult {
        let (path, item, candidate) = try await doubted(id, form)
        let fetch = ContentFetch(
            url: item.url, mode: item.hasBody ? .article : .metadata, force: true, merge: .replace)
        let job = try NewJob(
            fetch, .superseding(fetch.key),
            options: fetch.options(try ContentConfiguration(settings.product)))
        if candidate.isChallenge {
            return VerbResult(
                result: "Its server asked whether a person asks: that is no content.", path: path,
                isGood: false)
        }
        if let room = try await look.client.room(in: job.queue), room.pending >= room.capacity {
            return VerbResult(
                result: "The queue \(job.queue) is full: nothing was enqueued.", path: path,
                isGood: false)
        }
        _ = try await Operator(client: look.client, as: whom).enqueue(job)
        return VerbResult(
            result: "It is fetched once more, and what comes is taken, whatever it looks like.",
            path: path)
    }

    private func refuse(_ id: UUID, _ form: Query) async throws -> VerbResult {
        let (path, item, candidate) = try await doubted(id, form)
        if let other = candidate.refusedBy {
            return VerbResult(result: "\(other) has refused it already.", path: path, isGood: false)
        }
        let items = Items(pool: look.pool).acting(from: .console)
        return try await ContentPart.asking {
            _ = try await items.refuseCandidate(
                of: .id(item.id), fetch: candidate.fetch, by: whom)
            return VerbResult(result: "Refused: it is asked about no more.", path: path)
        }
    }

    /// An item's page, the item, and what lies beside it: what was seen, if that is said.
    private func doubted(
        _ id: UUID, _ form: Query
    ) async throws -> (path: [String], item: Item, candidate: Item.Candidate) {
        let path = ["items", id.uuidString.lowercased()]
        guard let item = try await Items(pool: look.pool).item(.id(id)) else {
            throw NotThere(description: "There is no item \(path[1]).")
        }
        let seen = try form["fetch"].map { try Route.id($0, "fetch") }
        return (path, item, try await ContentPart.asking { try item.candidate(seen) })
    }

    private func ignore(_ form: Query) async throws -> VerbResult {
        try await refusing(IgnorePage(form: form)) {
            for (name, text) in [("targets", form["target"]), ("because", form["reason"])]
            where text?.allSatisfy(\.isWhitespace) ?? true {
                throw ContentError(.badOption, "\(name) is empty; give a text")
            }
            let rule = try await rules.add(
                target: form["target"] ?? "", code: form["code"], page: form["page"],
                reason: form["reason"] ?? "", by: whom, until: form["until"])
            return VerbResult(result: "Ignored: \(rule.words).", path: IgnorePage.path)
        }
    }

    private func unignore(_ form: Query) async throws -> VerbResult {
        guard let text = form["rule"], let id = Int64(text) else {
            throw BadRequest("rule is \"\(form["rule"] ?? "")\"; give the number of one")
        }
        let removed = try await rules.remove(id, by: whom)
        return VerbResult(
            result: removed == nil ? "There is no such rule any more." : "It counts again.",
            path: IgnorePage.path, isGood: removed != nil)
    }

    private var rules: IgnoreRules { IgnoreRules(pool: look.pool).acting(from: .console) }

    private func delete(
        _ form: Query, _ permit: ItemDeletion.Permit
    ) async throws -> VerbResult {
        let page = ImpactPage(form)
        return try await refusing(page) {
            guard !page.names.isEmpty else {
                throw ContentError(.badOption, "nothing is named; give URLs, or ids of items")
            }
            try page.checkCount()
            let result = try await ItemDeletion(
                client: look.client, pool: look.pool, as: whom
            ).delete(
                page.names.map { ItemName($0) },
                permit: permit, ImpactOptions())
            let count = CountText.of(result.impacts.count, "item")
            let again = [("urls", String?.some(page.names.joined(separator: "\n")))]
            return result.isDone
                ? VerbResult(result: "Deleted \(count).", path: ["items"])
                : VerbResult(
                    result: "Nothing was deleted: something depends on them now.",
                    path: ["impact"], isGood: false, query: again)
        }
    }

    /// What can't be done is told beside the form.
    private func refusing(
        _ page: any Page, _ body: () async throws -> VerbResult
    ) async throws -> VerbResult {
        do { return try await body() } catch let error as ContentError {
            throw RefusedForm(page, "\(error)")
        }
    }
}
