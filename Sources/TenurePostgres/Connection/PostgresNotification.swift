/// A NOTIFY as it arrived.
public struct PostgresNotification: Hashable, Sendable {
    public let channel: String
    public let payload: String

    public init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}
