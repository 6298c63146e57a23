import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Tenure
import TenureFoundation
import TestSupport

@testable import TenureWeb

/// A console on a database of its own, with a job in it.
struct ConsoleBench {
    let pool: PostgresPool
    let client: TenureClient
    let job: JobID
    static let secret = "kanary-of-the-payload"

    init(on server: TestPostgres? = nil) async throws {
        let shared = try await TestPostgres.shared()
        let conninfo = try await (server ?? shared).makeMigratedDatabase()
        pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 2)
        client = TenureClient(pool: pool)
        let id = try await pool.query(
            """
            SELECT job_id FROM tenure.enqueue('report', '{"word": "\(Self.secret)"}',
                key => '<b>"it"</b>', lane => 'l', queue => 'desk')
            """
        ) { try $0.decode(0, as: UUID.self) }[0]
        job = JobID(id)
    }

    func console(_ change: (inout ConsoleSettings) -> Void = { _ in }) -> Console {
        var settings = ConsoleSettings()
        change(&settings)
        return Console(pool: pool, client: client, settings: settings)
    }
}

/// What somebody gets who asks.
struct Answer {
    let status: Int
    let text: String
    let headers: HTTPFields

    /// `name=value` of each cookie that is set.
    var cookies: [String] {
        headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }
    }

    /// What the form on the page carries.
    var token: String {
        let parts = text.components(separatedBy: "name=\"token\" value=\"")
        return parts.count > 1 ? String(parts[1].prefix { $0 != "\"" }) : ""
    }

    private final class Body: Sendable {
        private let parts = Mutex("")

        var text: String { parts.withLock { $0 } }

        func add(_ buffer: ByteBuffer) { parts.withLock { $0 += String(buffer: buffer) } }
    }

    private struct Collector: ResponseBodyWriter {
        let body: Body

        func write(_ buffer: ByteBuffer) async throws { body.add(buffer) }

        func finish(_ trailers: HTTPFields?) async throws {}
    }

    static func to(
        _ path: String, _ method: HTTPRequest.Method = .get, _ body: String = "",
        _ headers: HTTPFields = [:], by respond: (Request) async -> Response
    ) async throws -> Answer {
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "127.0.0.1:1", path: path,
            headerFields: headers)
        let response = await respond(
            Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))))
        let text = Body()
        try await response.body.write(Collector(body: text))
        return Answer(status: response.status.code, text: text.text, headers: response.headers)
    }
}

extension String {
    fileprivate func components(separatedBy mark: String) -> [String] {
        split(separator: mark, omittingEmptySubsequences: false).map(String.init)
    }
}
