import Glibc

/// `getaddrinfo`, which blocks and can't be interrupted, on a bounded number of threads.
///
/// A thread that hangs is left to itself: its lookup can be abandoned, its caller goes on. Threads
/// start as they are needed and end when they have been idle for a while.
final class SystemResolver: HostResolver {
    private let queue: WorkQueue

    init(threads: Int) {
        queue = WorkQueue(threads: threads)
    }

    func resolve(
        _ host: String, completion: @escaping @Sendable (Result<[IPAddress], LookupFailure>) -> Void
    ) -> any HostLookup {
        let lookup = Lookup(completion)
        queue.submit {
            guard lookup.isWanted else { return }
            lookup.finish(Self.addresses(of: host))
        }
        return lookup
    }

    func close() {
        queue.close()
    }

    private final class Lookup: HostLookup {
        typealias Completion = @Sendable (Result<[IPAddress], LookupFailure>) -> Void
        private let completion: Lock<Completion?>

        init(_ completion: @escaping Completion) {
            self.completion = Lock(completion)
        }

        var isWanted: Bool { completion.withLock { $0 != nil } }

        func finish(_ result: Result<[IPAddress], LookupFailure>) {
            completion.withLock { $0.take() }?(result)
        }

        func cancel() {
            completion.withLock { $0 = nil }
        }
    }
}

extension SystemResolver {
    /// Blocks for as long as the system's resolver takes.
    private static func addresses(of host: String) -> Result<[IPAddress], LookupFailure> {
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
        let noAddress: Int32 = -5  // EAI_NODATA and EAI_ADDRFAMILY, which glibc's header hides
        let noSuchFamily: Int32 = -9
        let words = gai_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return switch code {
        case EAI_NONAME, noAddress, noSuchFamily: .notFound(words)
        default: .temporary(words)
        }
    }
}
