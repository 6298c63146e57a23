import FaultSupport
import TenureSystem

/// Does what the plan says. Each fault is written down when it is over.
struct Injector: Sendable {
    let recording: Recording
    let database: Database
    let disk: SmallDisk?
    let workers: [ProcessSlot]
    let coordinators: [ProcessSlot]
    let producers: [ProcessSlot]
    /// Whether the database's clock may end behind where it has been.
    let databaseGoesBack: Bool

    func run(_ plan: [PlannedFault]) async throws {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fault in plan {
                group.addTask {
                    try await Task.sleep(until: start + .seconds(fault.at), clock: .continuous)
                    try await inject(fault)
                }
            }
            try await group.waitForAll()
        }
    }

    private func inject(_ fault: PlannedFault) async throws {
        switch fault.kind {
        case .killWorker: try await kill(fault, workers)
        case .killCoordinator: try await kill(fault, coordinators)
        case .freezeWorker: try await freeze(fault, workers)
        case .freezeCoordinator: try await freeze(fault, coordinators)
        case .killPostgres, .stopPostgres: try await end(fault)
        case .terminateBackend: try await terminate(fault)
        case .cutProxy: try await cut(fault)
        case .delayProxy: try await delay(fault)
        case .cutProxyOneWay: try await cutOneWay(fault)
        case .cutCommitReply: try await cutCommit(fault, .reply)
        case .cutBeforeCommit: try await cutCommit(fault, .before)
        case .stepDatabaseClock: try await stepDatabase(fault)
        case .stepWorkerClock: try await stepWorker(fault)
        case .fillDisk: try await fillDisk(fault)
        case .deafHandler: order("deaf", fault, recorded: true)
        // Written down when the process falls.
        case .crashHandler: order("crash", fault, recorded: false)
        case .notifyOff: try await muffle(fault)
        }
    }

    /// Everything is whole again.
    func mend() async throws {
        for slot in workers + coordinators + producers {
            slot.proxy?.mend()
            slot.thaw()
            try slot.clock?.step(to: 0)
        }
        disk?.free()
        if databaseGoesBack { try database.clock.step(to: 0) }
        try await database.exclusively { try await database.bringUp() }
    }

    // MARK: Processes

    /// The first one, from the target on, of whom `body` makes something; asked for a while. A
    /// fault that wants work takes, after two seconds without any, whom it finds.
    func hit<Hit>(
        _ fault: PlannedFault, _ slots: [ProcessSlot], _ body: (ProcessSlot) -> Hit?
    ) async throws -> Hit? {
        for round in 0..<100 {
            for offset in slots.indices {
                let slot = slots[(fault.target + offset) % slots.count]
                if fault.wantsWork, round < 40, !isAtWork(slot) { continue }
                if let hit = body(slot) { return hit }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    private func isAtWork(_ slot: ProcessSlot) -> Bool {
        guard let current = slot.current else { return false }
        return Evidence.showsWork(Files.end(recording.log(of: current.name)) ?? "")
    }

    private func kill(_ fault: PlannedFault, _ slots: [ProcessSlot]) async throws {
        var boot = bootTime()
        let victim = try await hit(fault, slots) { slot in
            boot = bootTime()
            return slot.kill()
        }
        if let victim { recording.fault(fault.kind, from: boot, victim) }
    }

    private func freeze(_ fault: PlannedFault, _ slots: [ProcessSlot]) async throws {
        var boot = bootTime()
        let hit = try await hit(fault, slots) { slot in
            boot = bootTime()
            return slot.freeze().map { (slot, $0) }
        }
        guard let (slot, victim) = hit else { return }
        try await Task.sleep(for: .seconds(fault.length))
        slot.thaw()
        recording.fault(fault.kind, from: boot, until: bootTime(), victim)
    }

    private func order(_ order: String, _ fault: PlannedFault, recorded: Bool) {
        let producer = producers[fault.target % producers.count]
        let boot = bootTime()
        producer.tell(order)
        if recorded { recording.fault(fault.kind, from: boot, producer.current) }
    }

    // MARK: Clocks

    private func stepWorker(_ fault: PlannedFault) async throws {
        let slot = workers[fault.target % workers.count]
        guard let clock = slot.clock else { return }
        try await step(fault, clock, slot.current)
    }

    private func stepDatabase(_ fault: PlannedFault) async throws {
        guard !databaseGoesBack, fault.variant < 0.5 else {
            return try await step(fault, database.clock, nil)
        }
        let boot = bootTime()
        try database.clock.step(to: database.clock.seconds + 3600)
        recording.fault(fault.kind, from: boot, detail: "3600 s, and stays")
    }

    private func step(
        _ fault: PlannedFault, _ clock: SteppedClock, _ victim: ProcessSlot.Incarnation?
    ) async throws {
        let boot = bootTime()
        let seconds = fault.variant < 0.5 ? 3600 : -3600
        try clock.step(to: clock.seconds + seconds)
        try await Task.sleep(for: .seconds(fault.length))
        try clock.step(to: clock.seconds - seconds)
        recording.fault(
            fault.kind, from: boot, until: bootTime(), victim, detail: "\(seconds) s and back")
    }
}
