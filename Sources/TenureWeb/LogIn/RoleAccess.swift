import HTTPTypes
package import Hummingbird
import Synchronization
package import Tenure

/// Lets in whoever has a role of the database's and its password; the console then acts as that
/// role, so that the database decides what it sees and does.
package final class RoleAccess: ConsoleAccess {
    /// Where whoever asks comes from, and what is kept of them.
    package struct Settings: Sendable {
        package var rule = SessionRule()
        /// Whose word counts for where a request comes from (`X-Forwarded-For`).
        package var proxies = AddressRanges()
        /// What programs bring, who then act as the console's own user; nil for none.
        package var programToken: String?
        /// Told of each log-in, and of what an operator has to know of one that failed.
        package var note: @Sendable (Note) -> Void = { _ in }

        package init() {}
    }
    package enum Note: Sendable {
        case loggedIn(name: String, from: String)
        case refused(from: String)
        /// The server's own settings keep everybody out.
        case useless(String)
    }
    static let door = "login"
    /// Of roles that are logged in: each has connections of its own.
    private static let mostRoles = 20

    let own: Console
    private let ownSession: ConsoleSession
    let configuration: PostgresConfiguration
    private let make: @Sendable (PostgresConfiguration) -> Console
    let settings: Settings
    private let program: ProgramToken
    let book: SessionBook
    let formCookie: SessionCookie
    let gate = LogInLimit()

    private struct State {
        var roles: [HeldRole] = []
        /// By which nobody is in any more.
        var leaving: [HeldRole] = []
    }
    private let state = Mutex(State())

    /// - Parameters:
    ///   - own: the console of its own user, for programs.
    ///   - session: as which they act.
    ///   - configuration: where roles log in, each with a user and password of its own.
    ///   - make: a console on a role's own connections, few of them.
    package init(
        _ own: Console, programsActAs session: (name: String, mayAct: Bool),
        configuration: PostgresConfiguration, _ settings: Settings,
        make: @escaping @Sendable (PostgresConfiguration) -> Console
    ) {
        (self.own, self.configuration, self.make) = (own, configuration, make)
        self.settings = settings
        program = ProgramToken(settings.programToken)
        ownSession = ConsoleSession(name: session.name, mayAct: session.mayAct, isProgram: true)
        let (prefix, isSecure) = (own.settings.prefix, settings.rule.isSecure)
        book = SessionBook(
            SessionCookie("console", prefix: prefix, isSecure: isSecure),
            endedWhenUnusedFor: settings.rule.unused)
        formCookie = SessionCookie("form", prefix: prefix, isSecure: isSecure)
    }

    package func respond(to request: Request, from peer: IPAddress?) async -> Response {
        if program.isBrought(by: request) {
            return await own.respond(to: request, in: ownSession)
        }
        if let asset = own.asset(request) { return asset }
        if request.uri.path == "\(own.settings.prefix)/\(Self.door)" {
            return await answerAtDoor(request, from: peer)
        }
        guard let entry = book.entry(of: request), let role = entry.role else {
            return form("", for: request, status: .unauthorized)
        }
        if LogOut.isWanted(request, own.settings) {
            defer { letGo() }
            return await LogOut.end(entry.session, in: book, request, own.settings)
        }
        if role.isDue(), await !isStillGood(role) {
            return form(
                "This role can’t log in any more.", for: request, status: .unauthorized)
        }
        return await role.console.respond(to: request, in: entry.session)
    }

    package func tidy() async {
        await every(Self.pause) {
            book.endUnused()
            letGo()
            let (left, leaving) = state.withLock { state in
                defer { state.leaving = [] }
                // At the end all go.
                if Task.isCancelled { return ([HeldRole](), state.leaving + state.roles) }
                return (state.roles, state.leaving)
            }
            for role in left { role.closeIdle() }
            await withTaskGroup(of: Void.self) { group in
                for role in leaving { group.addTask { await role.close() } }
            }
        }
    }

    /// What was right may be so no longer: the password is another one, the role is gone, or may
    /// do more or less. Where the database can't be asked, pages say so themselves.
    private func isStillGood(_ role: HeldRole) async -> Bool {
        switch await role.prove() {
        case .good(let mayAct): book.set(mayAct: mayAct, of: role)
        case .unknown: break
        case .refused, .nothing, .stranger:
            book.end(role)
            letGo()
            return false
        }
        return true
    }

    /// Roles by which nobody is logged in any more: their connections are closed, and their
    /// passwords forgotten.
    func letGo() {
        let left = state.withLock { state in
            let left = state.roles.filter { !$0.isPinned && !book.hasAny(by: $0) }
            state.roles.removeAll { role in left.contains { $0 === role } }
            state.leaving += left
            return left
        }
        for role in left { role.closeIdle() }
    }

    /// Its connections, and those of whoever is in by the same role and password already. Where
    /// there are too many roles, the one that was used the longest ago goes.
    /// - Returns: one that is pinned.
    func hold(
        _ name: String, _ password: String, _ configuration: PostgresConfiguration
    ) -> HeldRole {
        let (held, leaving) = state.withLock { state -> (HeldRole, HeldRole?) in
            if let held = state.roles.first(where: { $0.isSame(name, password) }) {
                held.pin()
                return (held, nil)
            }
            let role = HeldRole(
                name: name, password: password, configuration: configuration,
                console: make(configuration))
            role.pin()
            defer { state.roles.append(role) }
            let oldest = state.roles.filter { !$0.isPinned }.min { $0.usedAt < $1.usedAt }
            return (role, state.roles.count < Self.mostRoles ? nil : oldest)
        }
        if let leaving { book.end(leaving) }
        return held
    }
}
