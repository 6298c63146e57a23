import Simulation
import Tenure
import TenureFoundation
import TenurePostgres
import TenureWorker

/// Claims, and how runs end.
extension Pair {
    private func anySession(_ random: inout SeededRandom) -> SessionID {
        let alive = store.sessions.filter { !$0.isOver }
        let some = random.percent(90) && !alive.isEmpty ? alive : store.sessions
        return SessionID(random.pick(some).id)
    }

    /// Two of three read all that there is.
    func readable(_ kinds: [JobKind]) -> [ReadableKind] {
        kinds.map { ReadableKind($0, upTo: jobs % 3 == 0 ? 1 : 2) }
    }

    func claim(_ random: inout SeededRandom) async throws {
        let session = anySession(&random)
        let queue = random.pick(Self.queues)
        var request = ClaimRequest(
            session: session, queue: queue,
            kinds: readable(
                random.percent(80) ? Self.kinds : [random.pick(Self.kinds)]),
            wanted: random.within(1...5))
        if random.percent(40) { request.ahead = random.within(0...request.wanted) }
        let usesPosition = random.percent(30)
        if usesPosition { request.position = positions[queue]?.simulated }
        var theirs = request
        theirs.session = SessionID(sessionIDs.real(of: session.rawValue))
        if usesPosition { theirs.position = positions[queue]?.real }
        let real = try await answer { try await runs.claim(theirs) { _ in } }
        let simulated = try await answer { try store.claim(request) }
        try compare(real, simulated, "claim") { real, simulated in
            let a = real.sorted { $0.run.job < $1.run.job }
            let b = simulated.sorted { $0.run.job < $1.run.job }
            let areSame =
                a.map(\.run.job) == b.map(\.run.job)
                && zip(a, b).allSatisfy { a, b in isSame(a, b) }
            try expect(areSame, "claim: \(a.map(\.brief)) and \(b.map(\.brief))")
            given += simulated.map(\.ref)
            places += real.compactMap(\.place)
            var position = positions[queue] ?? (ClaimPosition(), ClaimPosition())
            position.real.pass(ClaimGlance(real.filter { $0.lane == nil }))
            position.simulated.pass(ClaimGlance(simulated.filter { $0.lane == nil }))
            positions[queue] = position
        }
    }

    private func isSame(_ a: ClaimedJob, _ b: ClaimedJob) -> Bool {
        fences.same(b.run.fence.rawValue, a.run.fence.rawValue)
            && generations.same(b.run.generation?.rawValue, a.run.generation?.rawValue)
            && a.run.attempt == b.run.attempt && a.runs == b.runs && a.payload == b.payload
            && a.payloadVersion == b.payloadVersion && a.priority == b.priority
            && a.maxAttempts == b.maxAttempts && a.lane == b.lane && a.run.key == b.run.key
    }

    func nextDue(_ random: inout SeededRandom) async throws {
        let queue = random.pick(Self.queues)
        let kinds = readable([random.pick(Self.kinds)])
        let position = random.percent(30) ? positions[queue] : nil
        let release = random.pick(["1", "2"])
        let real = try await runs.nextDue(
            in: queue, kinds: kinds, from: position?.real, release: release)
        let simulated = store.nextDue(
            in: queue, kinds: kinds, from: position?.simulated, release: release)
        // Who has lanes in the line may hear of a turn that comes to nothing, and finds out by a
        // claim which of those whose turn has come wait for a later job.
        if store.lanes.contains(where: { $0.key.queue == queue }) {
            return try expect(
                real.isGuarded || !simulated.isGuarded || position != nil,
                "next_due: \(real) and \(simulated)")
        }
        let apart = (real.dueIn ?? .zero) - (simulated.dueIn ?? .zero)
        try expect(
            real.isGuarded == simulated.isGuarded
                && (real.dueIn == nil) == (simulated.dueIn == nil)
                && apart < .seconds(5) && apart > .seconds(-5),
            "next_due: \(real) and \(simulated)")
    }

    // MARK: Ends

    /// A run that was given once: mostly one that still is.
    private func anyRun(_ random: inout SeededRandom) -> RunRef? {
        let current = store.jobs.compactMap { job in
            job.fence.map { RunRef(job: job.id, fence: Fence($0)) }
        }
        let some = random.percent(85) && !current.isEmpty ? current : given
        return some.isEmpty ? nil : random.pick(some)
    }

    private func ending(_ run: RunRef, _ random: inout SeededRandom) -> RunEnding {
        let wanted = random.pick(Array(RunEnding.Wanted.allCases))
        var ending = RunEnding(run, wanted)
        if random.percent(40) { ending.delay = .seconds(3600) }
        if wanted == .failed { ending = .failed(run, code: "e", message: "m", delay: .zero) }
        if wanted == .held { ending.holdVersion = "1" }
        if wanted == .completed, random.percent(50) { ending.result = "{}" }
        if random.percent(30) { ending.reason = "because" }
        return ending
    }

    func end(_ random: inout SeededRandom) async throws {
        var seen: Set<JobID> = []
        let endings = (0..<random.within(1...3)).compactMap { _ in anyRun(&random) }
            .filter { seen.insert($0.job).inserted }.map { ending($0, &random) }
        if endings.isEmpty { return }
        let theirs = endings.map { ending in
            var copy = RunEnding(self.real(ending.run), ending.wanted)
            copy.delay = ending.delay
            copy.result = ending.result
            copy.reason = ending.reason
            copy.errorCode = ending.errorCode
            copy.errorMessage = ending.errorMessage
            copy.holdVersion = ending.holdVersion
            return copy
        }
        let real = try await runs.end(theirs)
        let simulated = store.end(endings)
        let a = Dictionary(real.map { ($0.key.job, $0.value) }) { first, _ in first }
        let b = Dictionary(simulated.map { ($0.key.job, $0.value) }) { first, _ in first }
        try expect(a == b, "end_runs \(endings.map(\.wanted)): \(a) and \(b)")
    }

    func complete(_ random: inout SeededRandom) async throws {
        var seen: Set<JobID> = []
        let some = (0..<3).compactMap { _ in anyRun(&random) }
            .filter { seen.insert($0.job).inserted }
        // Its own place, another's or none: only the id and the fence decide.
        let real = try await runs.complete(
            some.map { (self.real($0), random.pick([nil] + places.suffix(3))) })
        let simulated = store.complete(some)
        try expect(Set(real) == Set(simulated), "complete_group: \(real) and \(simulated)")
    }

    func finish(_ random: inout SeededRandom) async throws {
        guard let run = anyRun(&random) else { return }
        let outcome = random.pick([
            JobOutcome.completed, .completed, .snooze(for: .seconds(3600)), .snooze(for: .zero),
            .discard(reason: "because"),
        ])
        var news: [NewJob] = []
        if random.percent(40) { news = [try newJob(&random), try newJob(&random)] }
        let ref = real(run)
        let theirs = RunInfo(
            job: ref.job, kind: Self.kinds[0], queue: Self.queues[0], key: nil, generation: nil,
            fence: ref.fence, attempt: 1)
        let real = try await answer {
            try await commits.transaction(of: [ref]) { [client, news] transaction, _ in
                try client.enqueue(news, in: transaction)
                _ = try await transaction.finish(theirs, outcome)
            }
        }
        let simulated = try await answer { try store.finish(run, outcome, followUps: news) }
        try compare(real, simulated, "finish \(outcome.expected)") { _, _ in ids += news.map(\.id) }
    }

    func finishChunk(_ random: inout SeededRandom) async throws {
        var seen: Set<JobID> = []
        let outcomes: [JobOutcome] = [
            .completed, .completed, .snooze(for: .zero), .discard(reason: "no"),
        ]
        let ends = (0..<random.within(2...4)).compactMap { _ in anyRun(&random) }
            .filter { seen.insert($0.job).inserted }
            .map { RunToEnd(info($0), random.pick(outcomes)) }
        if ends.isEmpty { return }
        var news: [NewJob] = []
        if random.percent(30) { news = [try newJob(&random), try newJob(&random)] }
        let theirs = ends.map { RunToEnd(info(self.real($0.ref)), $0.outcome) }
        let real = try await answer {
            try await commits.transaction(of: theirs.map(\.ref)) { [client, news] transaction, _ in
                try client.enqueue(news, in: transaction)
                _ = try await transaction.finish(theirs)
            }
        }
        let simulated = try await answer { try store.finish(ends, followUps: news) }
        try compare(real, simulated, "finish_chunk") { _, _ in ids += news.map(\.id) }
    }

    private func info(_ run: RunRef) -> RunInfo {
        RunInfo(
            job: run.job, kind: Self.kinds[0], queue: Self.queues[0], key: nil, generation: nil,
            fence: run.fence, attempt: 1)
    }

    func hold(_ random: inout SeededRandom) async throws {
        guard let run = anyRun(&random) else { return }
        let theirs = real(run)
        let real = try await answer {
            try await commits.transaction(of: [theirs]) { transaction, _ in
                _ = try await transaction.hold(theirs, log: nil)
            }
        }
        let simulated = try await answer { try store.checkHold(run) }
        try compare(real, simulated, "hold_run") { _, _ in }
    }

    func look(_ random: inout SeededRandom) async throws {
        guard let run = anyRun(&random) else { return }
        let theirs = real(run)
        let verdict = try await commits.verdicts(of: [theirs])[theirs]
        let mine = store.verdict(of: run)?.late
        try expect(verdict == mine, "verdict: \(String(describing: verdict)), not \(run)")
        let rows = try await commits.find(theirs)
        try expect(rows == store.find(run), "find: \(rows) and \(store.find(run))")
    }

    // MARK: Sessions

    func open() async throws {
        if store.sessions.count > 12 { return }
        let rule = try LeaseRule()
        let saysBegun = store.sessions.count % 3 > 0
        let release = store.sessions.count % 2 > 0 ? "1" : "2"
        let profile = SessionProfile(
            role: "worker", name: "w", version: release, lease: rule, saysBegun: saysBegun)
        let real = try await sessions.open(profile)
        let simulated = store.openSession(
            lease: rule.length, release: release, saysBegun: saysBegun)
        try expect(sessionIDs.same(simulated, real.rawValue), "open_session")
    }

    /// Of whatever was given, to whomever: a note decides only on the runs of its own session.
    func note(_ random: inout SeededRandom) async throws {
        let session = anySession(&random)
        let queue = random.pick(Self.queues)
        lastNote += 1
        let fences = (0..<random.below(6)).compactMap { _ in anyRun(&random)?.fence.rawValue }
        let note = BegunNote(
            session: session, queue: queue, number: lastNote, since: 0,
            fences: fences.map { $0...$0 })
        let theirs = BegunNote(
            session: SessionID(sessionIDs.real(of: session.rawValue)), queue: queue,
            number: lastNote, since: 0,
            fences: fences.map { self.fences.real(of: $0)...self.fences.real(of: $0) })
        let real = try await runs.note(theirs) {}
        try expect(real == store.note(note), "note_begun: \(real)")
    }

    func close(_ random: inout SeededRandom) async throws {
        let session = anySession(&random)
        let real = try await sessions.close(SessionID(sessionIDs.real(of: session.rawValue)))
        try expect(real == store.closeSession(session.rawValue), "close_session: \(real)")
    }

    func declareDead(_ random: inout SeededRandom) async throws {
        let session = anySession(&random)
        let beat = store.sessions[Int(session.rawValue) - 1].beat - (random.percent(30) ? 1 : 0)
        let real = try await sessions.declareDead(
            SessionID(sessionIDs.real(of: session.rawValue)), watchedBeat: beat,
            watcher: SessionID(1))
        let simulated = store.declareDead(session.rawValue, watchedBeat: beat)
        try expect(real == simulated, "declare_dead: \(real) and \(simulated)")
    }

    func reclaim() async throws {
        let real = try await sessions.reclaimRuns()
        let simulated = store.reclaimRuns()
        let a = Dictionary(real.map { ($0.job, $0.became) }) { first, _ in first }
        let b = Dictionary(simulated.map { ($0.job, $0.became) }) { first, _ in first }
        try expect(a == b, "reclaim_runs: \(a) and \(b)")
    }

    func beat(_ random: inout SeededRandom) async throws {
        let session = anySession(&random)
        let known = (0..<random.below(4)).compactMap { _ in anyRun(&random) }
        let runs = Array(Set(known.map(\.job))).compactMap { id in known.first { $0.job == id } }
        let asks = random.percent(60)
        let real = try await sessions.beat(
            SessionID(sessionIDs.real(of: session.rawValue)), runs: runs.map { self.real($0) },
            unknownSince: Fence(asks ? 0 : .max), news: progress(of: runs), deadline: .seconds(5))
        let simulated = store.beat(
            session.rawValue, runs: runs, unknownSince: Fence(asks ? 0 : .max))
        let a = real.map { text(of: $0, number: { $0 }) }.sorted()
        let b = simulated.map { line in
            text(of: line) { kind, number in
                switch kind {
                case .fence: self.fences.real(of: number)
                case .generation: self.generations.real(of: number)
                case .session: self.sessionIDs.real(of: number)
                }
            }
        }.sorted()
        try expect(a == b, "beat: \(a) and \(b)")
    }

    /// What runs report changes no answer, and nothing that decides one.
    private func progress(of runs: [RunRef]) -> [ProgressNews] {
        runs.dropFirst().map { run in
            ProgressNews(
                run: real(run), progress: JobProgress(done: run.fence.rawValue, note: "so far"))
        }
    }
}

extension ClaimedJob {
    fileprivate var brief: String { "\(run.job) attempt \(run.attempt)" }
}
