import Content
import Logging
import ServiceLifecycle
import Tenure
import TenureSystem
import TenureWeb
import TenureWorker
import UnixSignals

/// The console on a port, and whoever it lets in.
struct ConsoleServer: Service {
    static let tokenVariable = "TENURE_WEB_TOKEN"
    private static let shortestToken = 32
    /// Connections to the database that each role has which is logged in.
    private static let rolePoolSize = 2

    let database: Database
    let options: ConsoleOptions
    /// What programs bring; nil for none.
    private let token: String?

    /// - Throws: `Failure` for a token that somebody could guess.
    init(_ database: Database, _ options: ConsoleOptions) throws {
        (self.database, self.options) = (database, options)
        token = SettingSources.variable(Self.tokenVariable)
        if options.logIn == .role, database.shared != nil {
            throw Failure(
                "--log-in role wants a database that asks for passwords; the private one asks for "
                    + "none: give --database-url")
        }
        guard let token, token.utf8.count < Self.shortestToken else { return }
        throw Failure(
            "\(Self.tokenVariable) has \(token.utf8.count) bytes; give \(Self.shortestToken) or "
                + "more that nobody guesses, such as: openssl rand -hex 32")
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await serve {} }
        } catch let error as WebServer.CantListen {
            throw Failure(
                "--port is \(options.port), and \(options.host) port \(options.port) can't be had "
                    + "(\(error)); give a free one, or 0 for any")
        } catch is CancellationError {
            // It was asked to end.
        }
    }

    /// - Parameter listening: called once clients can connect.
    /// - Throws: `WebServer.CantListen`, `CancellationError`.
    func serve(_ listening: @escaping @Sendable () -> Void) async throws {
        let tls = try options.certificate.map {
            try ConsoleTLS.configuration(certificate: $0, key: options.key ?? "")
        }
        let access = try await makeAccess()
        var limits = ServingLimits.within(Descriptors.raise())
        // Each page that somebody looks at holds one.
        limits.connections = max(limits.connections, min(4096, Descriptors.raise() / 4))
        let isLink = access is TokenAccess
        let server = WebServer(
            host: options.host, port: options.port, limits: limits,
            // Who logs in by more than being here needs no guard against foreign names.
            names: isLink ? .noForeignName : .any, tls: tls
        ) { request, peer in
            await access.respond(to: request, from: peer.flatMap { IPAddress($0) })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await access.tidy() }
            let address = AsyncStream.makeStream(of: String.self)
            group.addTask { await tell(access, at: address.stream) }
            try await server.run { port in
                let host = options.host.contains(":") ? "[\(options.host)]" : options.host
                address.continuation.yield(
                    "\(options.certificate == nil ? "http" : "https")://\(host):\(port)")
                listening()
            }
        }
    }

    /// Prints where it is, and for a link another one whenever SIGUSR1 comes.
    private func tell(_ access: any ConsoleAccess, at addresses: AsyncStream<String>) async {
        let signals = await UnixSignalsSequence(trapping: .sigusr1)
        for await address in addresses {
            Terminal.line("console: " + Self.line(access, at: address))
            guard access is TokenAccess else { continue }
            for await _ in signals { Terminal.line("console: " + Self.line(access, at: address)) }
        }
    }

    private static func line(_ access: any ConsoleAccess, at address: String) -> String {
        switch access {
        case let access as TokenAccess: address + access.newLink()
        case is RoleAccess: "\(address)/ for whoever has a role of the database"
        default: "\(address)/ for whom the proxy names"
        }
    }
}

extension ConsoleServer {
    private func makeAccess() async throws -> any ConsoleAccess {
        let settings = consoleSettings
        let hasProduct = try await database.schemas().count > 1
        let make = { @Sendable (database: Database) in
            Console(
                pool: database.pool, client: database.client, settings: settings,
                parts: hasProduct ? [ContentPart(database: database)] : [])
        }
        let console = make(database)
        let mayAct = try await database.inspector.mayOperate()
        var rule = SessionRule()
        (rule.unused, rule.isSecure) = (options.logOutAfter, options.isSecure)
        if let header = options.trustHeader {
            var settings = HeaderAccess.Settings(
                header: header, proxies: options.trustedProxies ?? AddressRanges())
            settings.roleHeader = options.roleHeader
            settings.actingRole = options.actingRole
            settings.programToken = token
            return HeaderAccess(console, as: Whom.name, mayAct: mayAct, settings)
        }
        guard options.logIn == .role else {
            return TokenAccess(
                console, as: Whom.name, mayAct: mayAct, programToken: token, rule,
                otherLink: "Another one is printed there for: kill -USR1 \(getpid())")
        }
        return RoleAccess(
            console, programsActAs: (Whom.name, mayAct),
            configuration: database.pool.configuration, roleSettings(rule)
        ) { [database] configuration in
            let pool = PostgresPool(
                configuration: configuration, size: Self.rolePoolSize, logger: .unheard)
            return make(database.by(pool))
        }
    }

    private var consoleSettings: ConsoleSettings {
        var settings = ConsoleSettings()
        settings.hidesPayloads = options.hidesPayloads
        // Reason for `try?`: settings that only fetches need are no reason to show nothing.
        if let registry = try? database.parts.registry() {
            settings.secretFields = registry.secretFields
        }
        settings.makeJob = { kind, payload, mode, options, id in
            let job = try ProductJobs.types.job(
                kind: kind, payload: payload, mode, options: options, id: id)
            try ContentJobs.check(kind, payload: payload)
            return job
        }
        settings.checkPayload = { try ContentJobs.check($0, payload: $1) }
        settings.explain = ErrorLine.text
        settings.redact = { Redaction.secrets(in: $0, isDocument: true) }
        return settings
    }

    private func roleSettings(_ rule: SessionRule) -> RoleAccess.Settings {
        var settings = RoleAccess.Settings()
        settings.rule = rule
        settings.proxies = options.trustedProxies ?? AddressRanges()
        settings.programToken = token
        settings.note = { [logger = database.logger] note in
            switch note {
            case .loggedIn(let name, let address):
                logger.notice(
                    "logged in to the console", metadata: ["role": "\(name)", "from": "\(address)"])
            case .refused(let address):
                // Not by which name: some type their password there.
                logger.notice("a log-in was refused", metadata: ["from": "\(address)"])
            case .useless(let why):
                logger.warning("nobody can log in to the console", metadata: ["error": "\(why)"])
            }
        }
        return settings
    }
}

extension Database {
    /// The same as another user.
    func by(_ pool: PostgresPool) -> Database {
        Database(
            pool: pool, client: TenureClient(pool: pool, logger: .unheard), settings: settings,
            logger: logger, shared: shared)
    }
}

extension Logger {
    /// Pages tell whoever looks what is wrong with his own connection.
    fileprivate static var unheard: Logger {
        Logger(label: "tenure", factory: { _ in SwiftLogNoOpLogHandler() })
    }
}
