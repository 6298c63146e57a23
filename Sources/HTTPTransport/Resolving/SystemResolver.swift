import TenureSystem

/// `getaddrinfo`, which blocks and can't be interrupted, on a bounded number of threads.
///
/// A lookup that hangs can be abandoned: its caller goes on, its thread is left to itself and
/// another takes its place, so that names whose servers are silent don't keep the others waiting.
final class SystemResolver: HostResolver {
    typealias Lookup = @Sendable (String) -> Result<[IPAddress], LookupFailure>

    private let queue: WorkQueue
    private let lookup: Lookup

    /// - Parameter lookup: blocks; a test's own in place of the system's.
    init(threads: Int, lookup: @escaping Lookup = SystemResolver.addresses) {
        queue = WorkQueue(threads: threads)
        self.lookup = lookup
    }

    func resolve(
        _ host: String, completion: @escaping @Sendable (Result<[IPAddress], LookupFailure>) -> Void
    ) -> any HostLookup {
        let running = RunningLookup(completion, queue)
        queue.submit { [lookup] in
            guard running.begin() else { return }
            running.finish(lookup(host))
        }
        return running
    }

    func close() {
        queue.close()
    }
}

private final class RunningLookup: HostLookup {
    typealias Completion = @Sendable (Result<[IPAddress], LookupFailure>) -> Void

    private enum State {
        case waiting(Completion)
        case running(Completion)
        case abandoned
        case over
    }

    private let state: Lock<State>
    private let queue: WorkQueue

    init(_ completion: @escaping Completion, _ queue: WorkQueue) {
        state = Lock(.waiting(completion))
        self.queue = queue
    }

    func begin() -> Bool {
        state.withLock { state in
            guard case .waiting(let completion) = state else { return false }
            state = .running(completion)
            return true
        }
    }

    func finish(_ result: Result<[IPAddress], LookupFailure>) {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        switch before {
        case .running(let completion): completion(result)
        case .abandoned: queue.threadReturned()
        case .waiting, .over: break
        }
    }

    func cancel() {
        let isLost = state.withLock { state in
            switch state {
            case .running:
                state = .abandoned
                return true
            case .waiting:
                state = .over
                return false
            case .abandoned, .over: return false
            }
        }
        if isLost { queue.threadLost() }
    }
}

extension SystemResolver {
    /// Blocks for as long as the system's resolver takes.
    @Sendable static func addresses(of host: String) -> Result<[IPAddress], LookupFailure> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_protocol = Int32(IPPROTO_TCP)
        hints.ai_flags = AI_ADDRCONFIG
        var answer: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &answer)
        guard code == 0 else { return .failure(failure(code)) }
        defer { freeaddrinfo(answer) }
        var addresses: [IPAddress] = []
        for entry in sequence(first: answer, next: { $0?.pointee.ai_next }) {
            guard let socketAddress = entry?.pointee.ai_addr,
                let address = IPAddress(socketAddress: socketAddress), !addresses.contains(address)
            else { continue }
            addresses.append(address)
        }
        return addresses.isEmpty ? .failure(.notFound("no address")) : .success(addresses)
    }

    private static func failure(_ code: Int32) -> LookupFailure {
        let words = gai_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return System.saysUnknown(code) ? .notFound(words) : .temporary(words)
    }
}
