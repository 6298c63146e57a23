import HTTPTransport
import Tenure

/// What the handlers share.
struct ContentParts: Sendable {
    let pool: PostgresPool
    let configuration: ContentConfiguration
    let visitor: Visitor
    let gate: HostGate
    /// What sends mail; made when it is first asked for.
    let mail: @Sendable () throws -> any MailTransport

    /// Whether one turn of a foreign host is one request.
    var isPaced: Bool { configuration.hostInterval > .zero }

    /// What a host is asked at most, over all workers.
    func lane(of url: String, interval: Duration? = nil) -> Lane {
        configuration.lane(of: url, interval: interval)
    }
}
