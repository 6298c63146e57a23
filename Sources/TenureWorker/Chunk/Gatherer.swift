// docs/decisions/chunks.md

import Tenure
import TenurePostgres

/// Gathers commits: those that become ready while others are on their way go together next.
///
/// There is no task of its own. Each run waits in its handler's task, and the first one of a chunk
/// carries out the commit for all of it; so what ends a run, and what a run may do, stays the same.
/// A chunk of one is a commit like any other.
package final class Gatherer<Store: CommitStore, Value: Sendable>: Sendable {
    package typealias Write = @Sendable ([Value], Store.Transaction) async throws -> Void

    private struct State {
        /// Ready, and in no chunk; in the order in which they came.
        var line: [WaitingCommit<Value>] = []
        /// Of the line, those that have waited long enough for others.
        var due: Set<ObjectIdentifier> = []
        /// Those that are in a chunk, and those that have to leave.
        var chunks: [ObjectIdentifier: Chunk<Value>] = [:]
        var leaving: Set<ObjectIdentifier> = []
        /// Chunks on their way that keep the line waiting, and how many have to be ready to go
        /// beside each.
        var underWay: [ObjectIdentifier: Int] = [:]
    }

    private let bounds: GathererBounds
    private let store: Store
    private let observer: any EventObserver
    private let executor: any TaskExecutor
    private let time: any Timekeeper
    private let write: Write
    private let state = Lock(State())
    /// While one waits for the disk another is written, if it is as large: where commits are quick,
    /// few large chunks cost less than many small ones.
    private static var mostUnderWay: Int { 2 }
    /// Then whatever is ready goes beside it.
    private static var shortTurn: Duration { .milliseconds(20) }
    /// Whoever takes longer keeps nobody waiting: he may wait for somebody's lock himself.
    private static var longestTurn: Duration { .milliseconds(500) }

    init(
        _ bounds: GathererBounds, on store: Store, observer: any EventObserver,
        executor: any TaskExecutor, time: any Timekeeper, _ write: @escaping Write
    ) {
        self.bounds = bounds
        self.store = store
        self.observer = observer
        self.executor = executor
        self.time = time
        self.write = write
    }

    /// Ends a run in one commit with others.
    /// - Returns: what became of its job.
    /// - Throws: as a commit of its own would.
    func commit(_ run: Run, _ outcome: JobOutcome, _ value: Value) async throws -> RunOutcome {
        let member = WaitingCommit(run, outcome, value)
        defer { state.withLock { _ = $0.leaving.remove(member.name) } }
        return try await withTaskCancellationHandler {
            join(member)
            if bounds.within > .zero {
                await member.isCalled.wait(until: time.now + bounds.within, on: time)
                isDue(member)
            }
            while true {
                switch await member.next() {
                case .lead(let chunk): await lead(chunk)
                case .answer(let result): return try result.get()
                }
            }
        } onCancel: {
            leave(member)
        }
    }

    // MARK: The line

    private func join(_ member: WaitingCommit<Value>) {
        let isGone = state.withLock { state in
            if state.leaving.contains(member.name) { return true }
            state.line.append(member)
            if bounds.within <= .zero { state.due.insert(member.name) }
            return false
        }
        if isGone { member.fail(CancellationError()) } else { dispatch() }
    }

    private func isDue(_ member: WaitingCommit<Value>) {
        state.withLock { state in
            if state.line.contains(where: { $0 === member }) { state.due.insert(member.name) }
        }
        dispatch()
    }

    /// Its right has ended: it waits no longer, and what it is part of is taken back, if it can be.
    private func leave(_ member: WaitingCommit<Value>) {
        let (waited, chunk) = state.withLock { state in
            if let place = state.line.firstIndex(where: { $0 === member }) {
                state.line.remove(at: place)
                state.due.remove(member.name)
                return (true, Chunk<Value>?.none)
            }
            state.leaving.insert(member.name)
            return (false, state.chunks[member.name])
        }
        if waited { member.fail(CancellationError()) }
        chunk?.withdrawal.notify()
    }

    /// Sends off those that are due, as many chunks as may be under way.
    private func dispatch() {
        let ready = state.withLock { state in
            var ready: [Chunk<Value>] = []
            while state.underWay.count < Self.mostUnderWay, let first = state.line.first,
                state.due.contains(first.name) || state.line.count >= bounds.upTo,
                state.line.count >= state.underWay.values.max() ?? 0
            {
                let chunk = Chunk(Array(state.line.prefix(bounds.upTo)))
                state.line.removeFirst(chunk.members.count)
                for member in chunk.members {
                    state.chunks[member.name] = chunk
                    state.due.remove(member.name)
                }
                state.underWay[ObjectIdentifier(chunk)] = chunk.members.count
                ready.append(chunk)
            }
            return ready
        }
        for chunk in ready { chunk.members[0].call(.lead(chunk)) }
    }

    // MARK: A chunk

    /// In the task of its first run.
    private func lead(_ chunk: Chunk<Value>) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                let start = self.time.now
                // Reason for `try?`: only a cancellation ends it early, and then its turn is over.
                try? await self.time.sleep(until: start + Self.shortTurn)
                self.isLong(chunk)
                // Reason for `try?`: as above.
                try? await self.time.sleep(until: start + Self.longestTurn)
                self.endTurn(of: chunk)
            }
            if chunk.members.count == 1 {
                answer(chunk.members[0], await commit(alone: chunk.members[0]))
            } else {
                let end = await commit(chunk)
                settle(chunk, end)
                // Nobody waits for the wake-ups to be sent.
                endTurn(of: chunk)
                if case .committed = end.way { await store.send(end.wakeups) }
            }
            group.cancelAll()
        }
    }

    private func isLong(_ chunk: Chunk<Value>) {
        let isUnderWay = state.withLock { state in
            guard state.underWay[ObjectIdentifier(chunk)] != nil else { return false }
            state.underWay[ObjectIdentifier(chunk)] = 1
            return true
        }
        if isUnderWay { dispatch() }
    }

    private func endTurn(of chunk: Chunk<Value>) {
        let hadTurn = state.withLock {
            $0.underWay.removeValue(forKey: ObjectIdentifier(chunk)) != nil
        }
        if hadTurn { dispatch() }
    }

    private func commit(alone member: WaitingCommit<Value>) async -> Result<RunOutcome, any Error> {
        let commit = FencedCommit(
            store: store, run: member.run.info, observer: observer, executor: executor,
            log: { member.run.loggedLines })
        do {
            return .success(
                try await commit.commit(member.outcome) { try await write([member.value], $0) })
        } catch {
            return .failure(error)
        }
    }

    /// Until it is over, or somebody has to leave: then it is taken back, if it can be.
    private func commit(_ chunk: Chunk<Value>) async -> ChunkEnd {
        let commit = ChunkCommit(
            store: store, members: chunk.members, observer: observer,
            executor: executor, write: write)
        return await withTaskGroup(of: ChunkEnd?.self) { group in
            group.addTask { await commit.run() }
            group.addTask {
                await chunk.withdrawal.wait()
                return nil
            }
            var end: ChunkEnd?
            while end == nil, let one = await group.next() {
                end = one
                group.cancelAll()
            }
            return end ?? ChunkEnd(way: .undone)
        }
    }

    /// Tells those whose commit is over how it went; the others go on.
    private func settle(_ chunk: Chunk<Value>, _ end: ChunkEnd) {
        var rest: [WaitingCommit<Value>] = []
        for member in chunk.members {
            if let became = end.late[member.ref] {
                answer(member, .failure(late(member, became)))
                continue
            }
            switch end.way {
            case .committed(let ends):
                answer(member, .success(ends[member.ref] ?? member.outcome.expected))
            case .unknown(let error): answer(member, .failure(error))
            case .undone, .interrupted, .refused:
                if state.withLock({ $0.leaving.contains(member.name) }) {
                    answer(member, .failure(CancellationError()))
                } else {
                    rest.append(member)
                }
            }
        }
        if let first = rest.first, let cause = end.cause {
            observer.observe(
                .chunkFailed(first.run.info, members: rest.count, reason: Self.name(of: cause)))
        }
        for part in end.parts(of: rest, after: chunk.rounds) { goOn(part.members, part.rounds) }
    }

    /// Without a value of anybody's payload, which its text may hold.
    private static func name(of error: any Error) -> String {
        guard let error = error as? PostgresError else { return "\(type(of: error))" }
        return error.sqlState ?? "\(error.code)"
    }

    private func goOn(_ members: [WaitingCommit<Value>], _ rounds: Int) {
        let chunk = Chunk(members, rounds: rounds)
        let hasLost = state.withLock { state in
            for member in members { state.chunks[member.name] = chunk }
            return members.contains { state.leaving.contains($0.name) }
        }
        if hasLost { chunk.withdrawal.notify() }
        members[0].call(.lead(chunk))
    }

    private func answer(_ member: WaitingCommit<Value>, _ result: Result<RunOutcome, any Error>) {
        state.withLock { $0.chunks[member.name] = nil }
        // Before its task goes on: no verdict is to end what is done.
        if case .success(let became) = result { member.run.didCommit(as: became) }
        member.call(.answer(result))
    }

    private func late(
        _ member: WaitingCommit<Value>, _ became: LateResult.Became
    ) -> LateResult {
        LateResult(job: member.ref.job, fence: member.ref.fence, became: became, cause: nil)
    }
}

/// How many go together at most, and how long each waits for others.
package struct GathererBounds: Sendable {
    let upTo: Int
    let within: Duration

    package init(upTo: Int, within: Duration) {
        self.upTo = upTo
        self.within = within
    }

    /// - Throws: `TenureError` with `.invalidConfiguration`.
    func check() throws {
        guard upTo >= 1, within >= .zero else {
            throw TenureError(
                .invalidConfiguration,
                "a chunk writer takes up to \(upTo) jobs, within \(within); give 1 or more, and 0 "
                    + "seconds or more")
        }
    }
}
