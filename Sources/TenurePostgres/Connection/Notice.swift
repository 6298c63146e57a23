import TenureLibpq

/// A NOTICE or WARNING.
struct Notice: Sendable {
    let severity: String
    let sqlState: String
    let message: String
    /// The function in the server's source that sent it: the same in every language.
    let source: String

    /// The commit stands here, but the wait for the standby was given up.
    var saysNotReplicated: Bool { severity == "WARNING" && source == "SyncRepWaitForLSN" }
}

/// Where a connection's notices go, in place of stderr. Touched under the connection's lock only.
final class NoticeBox: @unchecked Sendable {
    private static let limit = 64
    private var notices: [Notice] = []

    func take() -> [Notice] {
        if notices.isEmpty { return [] }
        defer { notices = [] }
        return notices
    }

    /// The box must outlive the connection.
    func install(on connection: OpaquePointer) {
        let receiver: PQnoticeReceiver = { box, result in
            guard let box, let result else { return }
            Unmanaged<NoticeBox>.fromOpaque(box).takeUnretainedValue().add(result)
        }
        PQsetNoticeReceiver(connection, receiver, Unmanaged.passUnretained(self).toOpaque())
    }

    private func add(_ result: OpaquePointer) {
        if notices.count == Self.limit { notices.removeFirst() }
        notices.append(
            Notice(
                severity: ResultField.severity.read(result) ?? "",
                sqlState: ResultField.sqlState.read(result) ?? "",
                message: ResultField.message.read(result) ?? "",
                source: ResultField.sourceFunction.read(result) ?? ""))
    }
}
