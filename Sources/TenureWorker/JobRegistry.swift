package import Logging
public import Tenure
import TenureFoundation

/// The kinds of job a worker knows, each with its handler.
public struct JobRegistry: Sendable {
    /// By what type each kind was registered first, and what is wrong where that was not all.
    private var owners: [JobKind: String] = [:]
    private var repeated: String?
    private typealias Maker =
        @Sendable (TenureClient, Logger, MiddlewareChain, SecretFields) throws -> KindHandler
    private var makers: [JobKind: Maker] = [:]
    private var middleware: [any JobMiddleware] = []
    /// The types of the kinds, for jobs whose kind and payload are given as text.
    public private(set) var types = JobKinds()
    /// Where jobs of each kind go, unless their enqueue says otherwise.
    package private(set) var queues: [JobKind: QueueName] = [:]
    /// What their types say is not to be shown.
    private var ownSecretFields: [JobKind: SecretFields] = [:]
    private var letterKinds: Set<JobKind> = []
    /// Where the letters of kinds go that have an address.
    package private(set) var letters: [JobKind: LetterAddress] = [:]

    public init() {}

    /// Registers the handler of a kind: one for each.
    ///
    /// The handler runs in a task of the worker's, its slot, on the global executor. When its right
    /// to go on ends, that task is cancelled with all its children, and `context.endReason` says
    /// why. It must expect to run more than once for one job; what it writes through
    /// `context.commit` counts once.
    ///
    /// Return how the run ended; throw to have it tried again. A `CancellationError`, wrapped
    /// or not, of a run that was asked to stop is no failure.
    ///
    /// What of the type's options can't be used, and a second handler of a kind, is thrown where a
    /// worker is made of the registry.
    /// - Parameter middleware: what goes around this kind's runs, the first outermost; all of it
    ///   within what `use` has for every kind.
    public mutating func handle<J: Job>(
        _ type: J.Type, through middleware: [any JobMiddleware] = [],
        _ handler: @escaping @Sendable (J, JobContext) async throws -> JobOutcome
    ) {
        let options = J.options
        let own = SecretFields(options.secretFields.sorted())
        ownSecretFields[J.kind] = own
        if J.self is any LetterJob.Type { letterKinds.insert(J.kind) }
        letters[J.kind] = options.deadLetter
        claim(J.kind, for: "\(type)")
        queues[J.kind] = options.queue
        types.add(type)
        makers[J.kind] = { client, logger, around, secretFields in
            try options.check(of: J.kind)
            guard !options.keepsLog || client.seals.codec == nil else {
                throw TenureError(
                    .invalidConfiguration,
                    "kind \(J.kind) has keepsLog, and the client has a codec, which seals no "
                        + "lines of a log: remove one of them")
            }
            let watch = SecretFieldWatch(own, J.kind, logger)
            let shared = ContextServices(client: client, logger: logger)
            let chain = around.around(middleware)
            return KindHandler(
                retry: options.retry, timeout: options.timeout,
                payloadVersion: options.payloadVersion, secretFields: secretFields,
                letters: options.deadLetter, keepsLog: options.keepsLog, seals: client.seals
            ) { run in
                // Mostly there is nothing to open, and nothing to wait for.
                let payload =
                    client.seals.isOpen(run.job.payload)
                    ? run.job.payload : try await run.openPayload(with: client)
                let job: J
                do {
                    job = try J.read(payload, version: run.job.payloadVersion, options)
                    watch.look(at: payload, of: job)
                } catch {
                    throw UnreadablePayload(error)
                }
                let context = JobContext(run, shared)
                return try await chain.run(context) { try await handler(job, context) }
            }
        }
    }

    /// Puts something around the runs of every kind, whether it is registered before or after: the
    /// first one added is outermost.
    public mutating func use(_ middleware: any JobMiddleware) {
        self.middleware.append(middleware)
    }

    private mutating func claim(_ kind: JobKind, for type: String) {
        guard let other = owners.updateValue(type, forKey: kind), repeated == nil else { return }
        repeated =
            "kind \(kind) has two handlers, of \(other) and of \(type); register one, and give "
            + "each type of job a kind of its own"
    }

    /// What of each kind's payloads is not to be shown; in letters, what is in their payloads not.
    package var secretFields: [JobKind: SecretFields] {
        let inLetters = ownSecretFields.values.reduce(SecretFields([])) { $0.union($1.inLetters) }
        var fields = ownSecretFields
        for kind in letterKinds { fields[kind] = fields[kind]?.union(inLetters) }
        return fields
    }

    /// The kinds whose queue is none of these, each with it, by name.
    func kinds(outside served: some Collection<QueueName>) -> [(JobKind, QueueName)] {
        queues.filter { !served.contains($0.value) }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key, $0.value) }
    }

    /// The kinds in a stable order.
    package var kinds: [JobKind] { makers.keys.sorted { $0.rawValue < $1.rawValue } }

    /// What the engine runs: each run gets the context that its handler expects.
    /// - Throws: `TenureError` with `.invalidConfiguration` for a kind with two handlers, or with
    ///   `.invalidJob` for options that can't be used.
    package func handlers(
        client: TenureClient, logger: Logger
    ) throws -> [JobKind: KindHandler] {
        if let repeated { throw TenureError(.invalidConfiguration, repeated) }
        try checkLetters()
        let around = MiddlewareChain(links: middleware)
        let fields = secretFields
        return Dictionary(
            uniqueKeysWithValues: try makers.map { kind, make in
                (kind, try make(client, logger, around, fields[kind] ?? SecretFields([])))
            })
    }

    private func checkLetters() throws {
        for (kind, address) in letters where letters[address.kind] != nil {
            throw TenureError(
                .invalidConfiguration,
                "letters of kind \(kind) are of kind \(address.kind), whose options have a "
                    + "deadLetter; of letters none are written: remove it")
        }
    }
}
