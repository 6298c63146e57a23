import Content
import Foundation
import Logging
import Tenure
import TenureCoordinator
import TenureWorker
import TestSupport
import Testing

/// A site on a real server, a sink for notices on the same, and the database between them.
struct SiteBench: Sendable {
    let fixture: ContentFixture
    let web: LocalWeb
    var pool: PostgresPool { fixture.pool }
    var url: String { "\(web.url)/docs/" }
    var name: SiteName { .url(url) }
    var sites: Sites { Sites(client: fixture.client, pool: pool, as: "ada") }
    var channels: Channels { Channels(client: fixture.client, pool: pool, as: "ada") }
    static let secret = "kanary-of-the-hook"

    /// Two pages, of which the first refers to the second and to a third.
    /// Where mail's domains are asked for.
    var nameServer: (address: String, port: UInt16)?

    init(_ label: String) async throws {
        fixture = try await ContentFixture(label)
        web = try LocalWeb()
        web.answer("/docs/", .page("<a href=two>two</a> <a href=three>three</a>"))
        web.answer("/docs/two", .page("<p>two"))
        web.answer("/docs/three", .page("<p>three"))
        web.answer("/sink", .status(200))
    }

    static var options: SiteCheckOptions {
        var options = SiteCheckOptions()
        options.allowedAddresses = ["127.0.0.1"]
        options.pauseSeconds = 0.01
        return options
    }

    static var configuration: ContentConfiguration {
        get throws {
            var configuration = ContentConfiguration()
            try configuration.allow(["127.0.0.1"])
            configuration.secrets = ChannelSecrets(
                environment: ["TENURE_SECRET_HOOK": secret, "PATH": "/bin"], folder: "/nowhere")
            return configuration
        }
    }

    /// The sink as a channel, whose notices are signed.
    func addSink(_ name: String = "ops") async throws {
        let secret = try SecretReference(variable: "TENURE_SECRET_HOOK")
        try await channels.add(
            try NewChannel(name, .webhook, to: "\(web.url)/sink", secret: secret))
    }

    func watch(
        _ ticks: Ticks = .every(.seconds(86_400)), channels: [String] = ["ops"],
        tellsChanges: Bool = false
    ) async throws {
        _ = try await sites.add(
            url, ticks, Self.options, channels: channels, tellsChanges: tellsChanges)
    }

    /// - Parameter held: rows of findings that a worker holds; nil for the default.
    func withWorkers<Result: Sendable>(
        holding held: Int? = nil, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var configuration = try Self.configuration
        if let held { configuration.heldFindings = held }
        configuration.nameServer = nameServer
        return try await fixture.withWorkers(configuration: configuration, body)
    }

    /// Lets a coordinator and a worker run meanwhile, and nobody else.
    func withCoordinator<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var logger = Logger(label: "sites")
        logger.logLevel = .critical
        let coordinator = try Coordinator(pool: pool, logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await coordinator.run() }
            let result = try await withWorkers(holding: nil, body)
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    /// One check from beginning to end, and all its notices sent.
    func check(holding held: Int? = nil) async throws {
        try await withWorkers(holding: held) {
            let id = try await sites.check(name)
            _ = try await fixture.check.wait(id, every: .milliseconds(20))
            try await eventually("SELECT NOT EXISTS (SELECT FROM tenure.job j WHERE \(Self.sends))")
        }
    }

    static let sends = "j.kind = 'notice-send' AND j.state <> 'retryable'"

    func eventually(_ sql: String) async throws {
        for _ in 0..<(3000 * patience) {
            if try await value(sql, as: Bool.self) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("never: \(sql)")
    }

    func value<Value: PostgresDecodable>(
        _ sql: String, as: Value.Type = Value.self
    ) async throws -> Value {
        try await pool.query(sql) { try $0.decode(0, as: Value.self) }[0]
    }

    /// What the sink got, read as anybody would who knows the page about it.
    func notices(_ path: String = "/sink") throws -> [Told] {
        try web.requests(path).map { request in
            let body = try JSONSerialization.jsonObject(with: Data(request.body))
            return Told(request: request, body: body as? [String: Any] ?? [:])
        }
    }

    struct Told {
        let request: LocalWeb.Request
        let body: [String: Any]

        var id: String? { body["id"] as? String }

        /// The targets of one of its lists, without the server's own name.
        func targets(_ list: String) -> [String] {
            (body[list] as? [[String: Any]] ?? []).map { entry in
                let target = (entry["target"] as? String ?? "").split(separator: "/").last ?? ""
                let fragment = (entry["fragment"] as? String).map { "#\($0)" } ?? ""
                return "\(target)\(fragment)"
            }
        }

        func mends() -> [String] {
            (body["mended"] as? [[String: Any]] ?? []).map { $0["how"] as? String ?? "" }
        }
    }
}
