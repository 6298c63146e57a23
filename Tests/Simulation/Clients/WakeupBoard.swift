import Tenure
import TenurePostgres
import TenureWorker

/// Notifications: sent to everyone who listens, lost, late or twice as the seed says.
final class WakeupBoard: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    private let network: Network
    private let oracle: Oracle
    private var listeners: [SimulatedListener] = []

    init(network: Network, oracle: Oracle) {
        self.network = network
        self.oracle = oracle
    }

    func add(_ listener: SimulatedListener) { listeners.append(listener) }

    func send(_ wakeups: [Wakeup]) {
        listeners.removeAll(where: \.process.isGone)
        for wakeup in wakeups.sorted(by: { ($0.channel, $0.payload) < ($1.channel, $1.payload) }) {
            let event = PostgresListenerEvent.notification(
                PostgresNotification(channel: wakeup.channel, payload: wakeup.payload))
            for listener in listeners { send(event, to: listener) }
        }
    }

    private func send(_ event: PostgresListenerEvent, to listener: SimulatedListener) {
        let world = network.world
        if world.random.oneIn(network.faults.wakeupLostOneIn) { return }
        let isDoubled = world.random.oneIn(network.faults.wakeupDoubledOneIn)
        if isDoubled { oracle.reached.add(.wakeupDoubled) }
        for _ in 0..<(isDoubled ? 2 : 1) {
            world.after(network.delay()) { [network] in
                guard network.isReachable(listener.process) else { return }
                listener.hear(event)
            }
        }
    }

    /// The connections of those listeners break, or stand again.
    func tell(_ event: PostgresListenerEvent, place: Int? = nil) {
        for listener in listeners where place == nil || listener.process.place == place {
            listener.hear(event)
        }
    }
}

/// A process's listening connection.
final class SimulatedListener: WakeupSource, @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    let process: SimulatedProcess
    private var heard: [PostgresListenerEvent] = [.listening]
    private let news = Signal()

    init(process: SimulatedProcess) { self.process = process }

    func hear(_ event: PostgresListenerEvent) {
        process.reach { [self] in
            heard.append(event)
            news.notify()
        }
    }

    func run(_ take: @Sendable (PostgresListenerEvent) -> Void) async {
        while !Task.isCancelled {
            let events = heard
            heard = []
            for event in events { take(event) }
            await news.wait()
        }
    }
}
