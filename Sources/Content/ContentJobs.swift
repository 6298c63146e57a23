public import HTTPTransport
import Synchronization
public import Tenure
import TenureFoundation
public import TenureWorker

/// The product's own kinds of job, for a worker's registry.
public struct ContentJobs: Sendable {
    private let pool: PostgresPool
    private let configuration: ContentConfiguration
    private let transport: Lazy<any HTTPTransport>
    private let mail: Lazy<any MailTransport>

    /// Neither connects nor starts anything: transports are made when the first job needs them.
    /// - Parameters:
    ///   - transport: libcurl's as configured, unless a test brings its own.
    ///   - mail: the same for notices by mail.
    public init(
        pool: PostgresPool, configuration: ContentConfiguration = ContentConfiguration(),
        transport: (@Sendable () throws -> any HTTPTransport)? = nil,
        mail: (@Sendable () throws -> any MailTransport)? = nil
    ) {
        self.pool = pool
        self.configuration = configuration
        self.transport = Lazy(make: transport ?? { try Self.curl(configuration) })
        self.mail = Lazy(make: mail ?? { try CurlMailer(Self.settings(configuration)) })
    }

    /// Registers the handlers of ``ContentFetch``, ``DependencyCheck``, ``NoticeSend``,
    /// ``ContentRefetch``, ``ContentDiscovery`` and ``ContentSweep``.
    public func register(in jobs: inout JobRegistry) {
        let (robots, checks, room) = (RobotsCache(), CheckCache(pool: pool), PageRoom())
        let targets = KnownTargets(pool: pool)
        let looks = LookGatherer { [pool] in try await FirstLook.read($0, from: pool, robots) }
        let pages = ChunkWriter<PageEnd>(upTo: 32) { members, transaction in
            try await PageEnd.write(members.map(\.value), in: transaction)
        }
        jobs.handle(ContentFetch.self) { [self] job, context in
            // It has superseded what was under way, and that was all.
            if job.isDeleted ?? false { return .completed }
            let fetch = ItemFetch(
                parts: try parts(robots), context: context, targets: targets, looks: looks,
                pages: pages)
            if job.mode == .file { return try await FileFetch(fetch: fetch, job: job).run() }
            return try await fetch.run(job)
        }
        jobs.handle(DependencyCheck.self) { [self] job, context in
            let parts = try parts(robots)
            let visits = CheckVisits(
                parts: parts, context: context, targets: targets, checks: checks, room: room)
            return switch job.part {
            case .look(let look): try await look.run(parts, context)
            case .begin(let job): try await visits.begin(job)
            case .pages(let job): try await visits.visit(job)
            case .foreign(let job): try await visits.look(job)
            case .places(let job): try await visits.lookInside(job)
            case .ended(let job):
                try await visits.end(job) { check, site, rows in
                    try await NoticeWriter(pool: pool, client: context.client)
                        .prepare(check, of: site, rows)
                }
            case .changed: try await ItemChange(parts: parts, context: context).follow()
            case .site(let tick): try await tick.run(parts, context)
            }
        }
        jobs.handle(NoticeSend.self) { [self] job, context in
            try await NoticeDelivery(parts: try parts(robots), context: context).run(job)
        }
        jobs.handle(ContentRefetch.self) { [self] round, context in
            try await round.run(configuration, pool: pool, context: context)
        }
        jobs.handle(ContentDiscovery.self) { [self] job, context in
            try await SiteDiscovery(parts: try parts(robots), context: context).run(job)
        }
        jobs.handle(ContentSweep.self) { [self] sweep, context in
            try await sweep.run(configuration.retention, pool: pool, context: context)
            return .completed
        }
    }

    /// The types of these kinds, for jobs whose kind and payload are given as text.
    public static let types = JobKinds(
        ContentFetch.self, DependencyCheck.self, NoticeSend.self, ContentRefetch.self,
        ContentDiscovery.self, ContentSweep.self)

    /// Whether a payload of these kinds can be worked on, as far as can be seen without a worker;
    /// nothing is said of other kinds.
    /// - Throws: `ContentError` with `.refusedURL`, or `.badOption` that names the field.
    public static func check(_ kind: JobKind, payload: String) throws {
        func read<J: Job>(_ type: J.Type) throws -> J {
            do {
                return try JSONDecoder().decode(type, from: Data(payload.utf8))
            } catch {
                throw ContentError(.badOption, PayloadMismatch.text(error))
            }
        }
        switch kind {
        case ContentFetch.kind:
            let fetch = try read(ContentFetch.self)
            _ = try CheckableURL.parse(fetch.url)
            if let problem = fetch.limits?.problem {
                throw ContentError(.badOption, "payload.\(problem)")
            }
        case DependencyCheck.kind:
            for url in try read(DependencyCheck.self).urls { _ = try CheckableURL.parse(url) }
        case NoticeSend.kind: _ = try read(NoticeSend.self)
        case ContentDiscovery.kind: _ = try read(ContentDiscovery.self)
        default: break
        }
    }

    private func parts(_ robots: RobotsCache) throws -> ContentParts {
        let visitor = Visitor(transport: try transport.get())
        return ContentParts(
            pool: pool, configuration: configuration, visitor: visitor,
            gate: HostGate(
                pool: pool, visitor: visitor, robots: robots,
                interval: configuration.hostInterval), mail: mail.get)
    }

    /// libcurl, with what all requests have in common.
    public static func curl(_ content: ContentConfiguration) throws -> any HTTPTransport {
        try CurlTransport(settings(content))
    }

    private static func settings(_ content: ContentConfiguration) -> CurlConfiguration {
        var configuration = CurlConfiguration(
            userAgent: ContentConfiguration.userAgent(contact: nil))
        configuration.proxy = content.proxy
        configuration.crlFile = content.crlFile
        return configuration
    }
}

/// One of its kind per process, made when it is needed.
private final class Lazy<Value: Sendable>: Sendable {
    private let make: @Sendable () throws -> Value
    private let made = Mutex<Value?>(nil)

    init(make: @escaping @Sendable () throws -> Value) {
        self.make = make
    }

    @Sendable func get() throws -> Value {
        try made.withLock { made in
            if let value = made { return value }
            let value = try make()
            made = value
            return value
        }
    }
}
