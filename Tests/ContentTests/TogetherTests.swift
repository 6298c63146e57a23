import Content
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// Pages that are committed together become what they would have become one by one.
@Suite(.serialized) struct TogetherTests {
    private static let paths = (0..<12).map { "/\($0)" }

    @Test func `what many pages become in one commit is what each becomes in its own`()
        async throws
    {
        let alone = try await walk(slots: 1, "one by one")
        let together = try await walk(slots: 16, "together")
        #expect(together.rounds == alone.rounds)
        // Else nothing was tried.
        #expect(alone.most == 1 && together.most > 3)
    }

    /// Three rounds: new pages; the same, most of them others now; and again, unchanged.
    private func walk(slots: Int, _ label: String) async throws -> (rounds: [[String]], most: Int) {
        let bench = try await FetchBench(label)
        var content = ContentConfiguration()
        (content.hostInterval, content.requestsPerHost) = (.zero, 64)
        content.changePause = .seconds(600)
        try content.allow(["127.0.0.1"])
        return try await bench.fixture.withWorkers(slots: slots, configuration: content) {
            [content] in
            var rounds: [[String]] = []
            for round in 0..<3 {
                try await fetch(round, by: bench, content)
                if round == 0 {
                    _ = try await bench.items.edit(
                        .url(bench.web.url + "/2"), ItemEdit([.title: "A person's"], by: "ann"))
                }
                rounds.append(try await tables(of: bench))
            }
            let most = try await bench.pool.query(
                """
                SELECT max(n) FROM (
                    SELECT count(*) AS n FROM content.fetch_run f GROUP BY f.xmin::text) AS n
                """
            ) { Int(try $0.decode(0, as: Int64.self)) }
            return (rounds, most[0])
        }
    }

    private func fetch(
        _ round: Int, by bench: FetchBench, _ content: ContentConfiguration
    ) async throws {
        let gate = Gate()
        for (number, path) in Self.paths.enumerated() {
            var answer = Self.answer(number, round)
            answer.gate = gate
            bench.web.answer(path, answer)
        }
        let before = bench.web.requests.count
        var jobs: [NewJob] = []
        for path in Self.paths {
            let fetch = bench.fetch(path)
            var options = fetch.options(content)
            options.maxAttempts = 1
            jobs.append(try NewJob(fetch, .keeping(fetch.key), options: options))
        }
        let ids = try await bench.fixture.client.enqueue(jobs).map(\.id)
        // All are asked for before one of them can be answered, where that can be.
        let end = ContinuousClock.now + .seconds(3)
        while bench.web.requests.count < before + Self.paths.count, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        gate.open()
        for id in ids { _ = try await bench.ended(id) }
    }

    /// Pages that share targets and bodies, are changed, lose anchors, shrink, and are missing.
    private static func answer(_ number: Int, _ round: Int) -> LocalWeb.Answer {
        let isOther = round > 0 && number % 3 != 0
        if number == 7, round > 0 { return .status(404) }
        if number == 8, round > 0 { return .page(page("Shrunk", words: 5)) }
        if number == 9 || number == 10 { return .page(page("Twins", words: 80)) }
        let links = (0..<5).map { "<a href=/\($0)\(isOther ? "#new" : "#old")>link \($0)</a>" }
        let places = (0..<4).map { "<p id=\(isOther ? "new" : "old")\($0)>place</p>" }
        let title = isOther ? "Page \(number), edited" : "Page \(number)"
        let extra = (links + places + ["<img src=/image-\(number).png>"]).joined()
        return .page(page(title, words: 60 + number) + extra)
    }

    /// All that is kept, without times, ids of runs, and the port. The count of changes goes by the
    /// time between two looks, too, in its last digits.
    private func tables(of bench: FetchBench) async throws -> [String] {
        try await bench.pool.query(Self.kept) {
            try $0.decode(0, as: String.self).replacing(bench.web.url, with: "")
        }.sorted()
    }

    private static let kept = """
        SELECT concat_ws(' ', 'item', i.url, i.outcome, i.code, i.status, i.version, i.words,
                   i.suspicion, i.title, encode(i.hash, 'hex'), i.reference_count,
                   i.anchor_count, i.missing_since IS NULL, i.fresh_until IS NULL,
                   i.due_at IS NULL, round(i.change_count::numeric, 6))
        FROM content.item i
        UNION ALL
        SELECT concat_ws(' ', 'field', i.url, f.name, f.value, f.source, f.set_by)
        FROM content.item_field f JOIN content.item i ON i.id = f.item
        UNION ALL
        SELECT concat_ws(' ', 'version', i.url, v.number, v.changed, v.words,
                   encode(v.hash, 'hex'), encode(v.body, 'hex'), v.media_type, v.fields)
        FROM content.version v JOIN content.item i ON i.id = v.item
        UNION ALL
        SELECT concat_ws(' ', 'reference', i.url, r.ordinal, t.href, r.line, r."column", r.kind,
                   r.raw, r.fragment, r.words)
        FROM content.reference r JOIN content.item i ON i.id = r.item
        LEFT JOIN content.target t ON t.id = r.target
        UNION ALL
        SELECT concat_ws(' ', 'anchor', i.url, a.line, a.name)
        FROM content.anchor a JOIN content.item i ON i.id = a.item
        UNION ALL
        SELECT concat_ws(' ', 'target', t.href, t.state, t.code, t.failures,
                   t.last_ok_at IS NULL)
        FROM content.target t
        UNION ALL
        SELECT concat_ws(' ', 'event', t.href, e.before, e.after, e.code, e.fragment)
        FROM content.target_event e JOIN content.target t ON t.id = e.target
        UNION ALL
        SELECT concat_ws(' ', 'lost', t.href, f.fragment, f.state)
        FROM content.target_fragment f JOIN content.target t ON t.id = f.target
        UNION ALL
        SELECT concat_ws(' ', 'dropped', i.url, t.href) FROM content.dropped_edge d
        JOIN content.item i ON i.id = d.item JOIN content.target t ON t.id = d.target
        UNION ALL
        SELECT concat_ws(' ', 'candidate', i.url, c.reason, c.words)
        FROM content.candidate c JOIN content.item i ON i.id = c.item
        UNION ALL
        SELECT concat_ws(' ', 'changed', i.url) FROM content.changed_item c
        JOIN content.item i ON i.id = c.item
        UNION ALL
        SELECT concat_ws(' ', 'run', i.url, f.outcome, f.code, f.class, f.status, f.bytes)
        FROM content.fetch_run f JOIN content.item i ON i.id = f.item
        UNION ALL
        SELECT concat_ws(' ', 'body', encode(b.hash, 'hex'), length(b.bytes))
        FROM content.body b
        """
}
