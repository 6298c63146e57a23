import TenureLibpq
import TenureSystem

/// A libpq connection and all that is said on it.
///
/// Unchecked because of the address: libpq minds no thread as long as there is one at a time, and
/// this is used under its connection's lock only.
struct Wire: ~Copyable, @unchecked Sendable {
    let connection: OpaquePointer
    let notices: NoticeBox
    let reactor: PostgresReactor
    var prepared: PreparedStatements
    var progress = Progress.plain
    /// Statements that go alone begin with their isolation: behind a pooler each may meet another
    /// session, with a default of its own.
    let setsIsolation: Bool

    /// A duplicate of libpq's descriptor: libpq closes its own when it likes, and the number may
    /// be another connection's by the time this one is taken out of the reactor.
    private let descriptor: Int32
    private var token: UInt64?
    private var wantsOutput = false
    private(set) var isOpen = true

    /// Where a request and its reply stand.
    enum Progress {
        case plain
        /// What was sent in pipeline mode, in order, and which of it is being answered.
        case pipeline([Step], next: Int)
        /// The server takes rows; so many bytes have been handed to libpq.
        case copying(offset: Int)
        /// Something came that this client can't go on from.
        case stuck
    }

    enum Step {
        case setIsolation
        case prepare(StatementCall)
        case execute(StatementCall)
    }

    init?(
        _ connection: OpaquePointer, _ configuration: PostgresConfiguration,
        _ prepared: PreparedStatements, _ traits: SessionTraits
    ) {
        let duplicate = fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0, PQsetnonblocking(connection, 1) == 0 else {
            TenureSystem.close(duplicate)
            PQfinish(connection)
            return nil
        }
        self.connection = connection
        descriptor = duplicate
        reactor = configuration.reactor
        self.prepared = prepared
        setsIsolation = traits.isPooled
        notices = NoticeBox()
        notices.install(on: connection)
    }

    deinit {
        if isOpen {
            if let token { reactor.unwatch(descriptor, token: token) }
            PQfinish(connection)
            TenureSystem.close(descriptor)
        }
    }

    mutating func watch(_ handler: any ReactorHandler) -> Bool {
        token = reactor.watch(descriptor, handler)
        return token != nil
    }

    mutating func close() {
        guard isOpen else { return }
        isOpen = false
        if let token { reactor.unwatch(descriptor, token: token) }
        PQfinish(connection)
        TenureSystem.close(descriptor)
    }

    var isLost: Bool { PQstatus(connection) == CONNECTION_BAD }

    var lossMessage: String {
        let message = String(cString: PQerrorMessage(connection)).replacingNewlines()
        return message.isEmpty ? "the connection was lost" : message
    }

    /// Hands to the kernel what it takes, and asks to be called for the rest.
    ///
    /// - Returns: false when the connection is lost.
    mutating func flush() -> Bool {
        let status = PQflush(connection)
        if status < 0 { return false }
        if (status == 1) != wantsOutput, let token {
            wantsOutput = status == 1
            reactor.setWantsOutput(wantsOutput, descriptor, token: token)
        }
        return true
    }

    var hasUnsent: Bool { wantsOutput }
}
