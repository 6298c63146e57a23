@testable import HTTPTransport

/// A resolver that knows a few names, and leaves some without an answer for ever.
final class FakeResolver: HostResolver {
    private let answers: [String: Result<[IPAddress], LookupFailure>]
    let silent: Set<String>
    let cancelled = Lock<[String]>([])
    let asked = Lock<[String]>([])

    init(_ answers: [String: [String]] = [:], silent: Set<String> = []) {
        self.answers = answers.mapValues { .success($0.compactMap { IPAddress($0) }) }
        self.silent = silent
    }

    func resolve(
        _ host: String, completion: @escaping @Sendable (Result<[IPAddress], LookupFailure>) -> Void
    ) -> any HostLookup {
        asked.withLock { $0.append(host) }
        if !silent.contains(host) {
            completion(answers[host] ?? .failure(.notFound("no such name")))
        }
        return Lookup(host: host, resolver: self)
    }

    func close() {}

    struct Lookup: HostLookup {
        let host: String
        let resolver: FakeResolver

        func cancel() {
            resolver.cancelled.withLock { $0.append(host) }
        }
    }
}
