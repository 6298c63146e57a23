/// What the rig can do to the system, by the names of the recording.
enum FaultKind: String, CaseIterable, Sendable {
    case killWorker, killCoordinator, freezeWorker, freezeCoordinator
    case killPostgres, stopPostgres, terminateBackend
    case cutProxy, delayProxy, cutProxyOneWay, cutCommitReply, cutBeforeCommit
    case stepDatabaseClock, stepWorkerClock
    case fillDisk
    case deafHandler, crashHandler
    case notifyOff

    /// How many of it there are in three minutes.
    var rate: Double {
        switch self {
        case .killWorker: 8
        case .killCoordinator: 2
        case .freezeWorker: 5
        case .freezeCoordinator: 2
        case .killPostgres: 3
        case .stopPostgres: 2
        case .terminateBackend: 10
        case .cutProxy: 6
        case .delayProxy: 5
        case .cutProxyOneWay: 5
        case .cutCommitReply: 9
        case .cutBeforeCommit: 6
        case .stepDatabaseClock: 3
        case .stepWorkerClock: 5
        case .fillDisk: 2
        case .deafHandler: 4
        case .crashHandler: 3
        case .notifyOff: 3
        }
    }

    /// Hits a worker, and whatever it is doing.
    var endsWorkers: Bool { self == .killWorker || self == .freezeWorker }

    /// How long it lasts, in seconds.
    func lengths(lease: Double) -> ClosedRange<Double> {
        switch self {
        case .freezeWorker, .freezeCoordinator: lease * 1.2...lease * 2.2
        case .killPostgres, .stopPostgres: 0...1.5
        case .cutProxy, .cutProxyOneWay: lease * 0.3...lease * 2
        case .delayProxy: 2...6
        case .cutCommitReply, .cutBeforeCommit: 6...6
        case .stepDatabaseClock, .stepWorkerClock: 4...15
        case .fillDisk: 0.5...3
        case .notifyOff: 5...10
        default: 0...0
        }
    }
}
