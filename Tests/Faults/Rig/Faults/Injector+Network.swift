import FaultSupport

/// What happens on the way between a process and the database.
extension Injector {
    /// Everybody that has a proxy; workers most often.
    private var reachable: [ProcessSlot] { workers + workers + producers + coordinators }

    func cut(_ fault: PlannedFault) async throws {
        let slot = reachable[fault.target % reachable.count]
        guard let proxy = slot.proxy, let victim = slot.current else { return }
        let boot = bootTime()
        if fault.variant < 0.4 {
            // The peer's end: at once, and nobody gets through for a moment.
            proxy.change { $0.refuses = true }
            let waiting = proxy.hangUp()
            try await Task.sleep(for: .seconds(fault.length / 4))
            proxy.change { $0.refuses = false }
            recording.fault(
                fault.kind, from: boot, until: bootTime(), victim, detail: "hung up, refused",
                reached: waiting > 0)
            return
        }
        proxy.cut()
        try await Task.sleep(for: .seconds(fault.length))
        let isLeftBroken = fault.variant < 0.7
        if isLeftBroken { proxy.hangUp() }
        proxy.change {
            $0.holdsUp = false
            $0.holdsDown = false
        }
        recording.fault(
            fault.kind, from: boot, until: bootTime(), victim,
            detail: isLeftBroken ? "silence, then hung up" : "silence, then all of it")
    }

    func cutOneWay(_ fault: PlannedFault) async throws {
        let slot = reachable[fault.target % reachable.count]
        guard let proxy = slot.proxy, let victim = slot.current else { return }
        let boot = bootTime()
        let isUp = fault.variant < 0.5
        proxy.change { if isUp { $0.holdsUp = true } else { $0.holdsDown = true } }
        try await Task.sleep(for: .seconds(fault.length))
        proxy.change { if isUp { $0.holdsUp = false } else { $0.holdsDown = false } }
        recording.fault(
            fault.kind, from: boot, until: bootTime(), victim,
            detail: isUp ? "requests are held" : "answers are held")
    }

    func delay(_ fault: PlannedFault) async throws {
        let slot = reachable[fault.target % reachable.count]
        guard let proxy = slot.proxy, let victim = slot.current else { return }
        let boot = bootTime()
        let milliseconds = 20 + Int(fault.variant * 280)
        proxy.change { $0.delay = .milliseconds(milliseconds) }
        try await Task.sleep(for: .seconds(fault.length))
        proxy.change { $0.delay = .zero }
        recording.fault(
            fault.kind, from: boot, until: bootTime(), victim, detail: "\(milliseconds) ms")
    }

    /// Waits for the next commit of a process, and cuts it there.
    func cutCommit(_ fault: PlannedFault, _ cut: ProxyRules.CommitCut) async throws {
        let slots = workers + workers + producers
        let slot = slots[fault.target % slots.count]
        guard let proxy = slot.proxy, let victim = slot.current else { return }
        let armed = bootTime()
        proxy.arm(cut)
        let end = ContinuousClock.now + .seconds(fault.length)
        while proxy.cutAt == nil, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        proxy.disarm()
        // Another incarnation may have committed: then nobody is named.
        let isSame = slot.current?.pid == victim.pid
        recording.fault(
            fault.kind, from: proxy.cutAt ?? armed, victim,
            detail: proxy.cutAt == nil ? "no commit came" : nil,
            reached: proxy.cutAt != nil && isSame)
    }

    /// No notification reaches a worker.
    func muffle(_ fault: PlannedFault) async throws {
        let boot = bootTime()
        let before = lostNotifications
        for worker in workers { worker.proxy?.change { $0.dropsNotifications = true } }
        try await Task.sleep(for: .seconds(fault.length))
        for worker in workers { worker.proxy?.change { $0.dropsNotifications = false } }
        let lost = lostNotifications - before
        recording.fault(
            fault.kind, from: boot, until: bootTime(), detail: "\(lost) lost", felt: lost > 0)
    }

    private var lostNotifications: Int {
        workers.reduce(0) { $0 + ($1.proxy?.lostNotifications ?? 0) }
    }
}
