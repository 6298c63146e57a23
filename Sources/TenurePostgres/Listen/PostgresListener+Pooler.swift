/// The pooler in between delivers no notifications.
struct Deaf: Error {}

extension PostgresListener {
    /// How long a notification may take through a pooler that delivers.
    private static let patience = Duration.seconds(3)

    /// Whether a notification that another connection sends arrives here while nothing is asked.
    /// Sent on this one it would come with its own answer, through any pooler.
    func isHeard(on connection: PostgresConnection) async throws -> Bool {
        let channel = "tenure_probe_\(UInt64.random(in: 0 ... .max))"
        let heard = OneShot<Bool>()
        connection.onNotification { notification in
            if notification.channel == channel { heard.decide(.success(true)) }
        }
        try await connection.simple("LISTEN \(SQLName.quoted(channel))")
        let sender = try await PostgresConnection.connect(configuration)
        defer { sender.close() }
        _ = try await sender.execute(NotifyProbe(channel: channel))
        let timer = configuration.reactor.schedule(at: .now + Self.patience) {
            heard.decide(.success(false))
        }
        defer { configuration.reactor.cancel(timer) }
        let isHeard = try await heard.value()
        // Through a pooler that is deaf it may reach another process: that one drops it by itself.
        try await connection.simple("UNLISTEN \(SQLName.quoted(channel))")
        return isHeard
    }
}

struct NotifyProbe: PostgresStatement {
    static let sql = "SELECT pg_notify($1, '')"
    let channel: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(channel) }
}
