package import HTTPTypes
package import Hummingbird
import Synchronization
import Tenure

/// Lets in whom a proxy names in a header. From any other address nobody is answered: there the
/// header could be anybody's.
package final class HeaderAccess: ConsoleAccess {
    package struct Settings: Sendable {
        /// Who it is.
        package let header: HTTPField.Name
        package let proxies: AddressRanges
        /// What whoever it is has, separated by commas; nil where all may do the same.
        package var roleHeader: HTTPField.Name?
        /// What among these lets act: others only look.
        package var actingRole = "operator"
        package var programToken: String?

        package init(header: HTTPField.Name, proxies: AddressRanges) {
            (self.header, self.proxies) = (header, proxies)
        }
    }
    private struct Known {
        let session: ConsoleSession
        var usedAt: ContinuousClock.Instant
    }
    private let console: Console
    private let mayAct: Bool
    private let settings: Settings
    private let program: ProgramToken
    private let programSession: ConsoleSession
    /// By name and right: forms carry what proves where they come from.
    private let known = Mutex<[String: Known]>([:])
    private static let mostKnown = 1000
    private static let longestName = 200

    /// - Parameter mayAct: whether the console's own user may do what operators do: nobody may do
    ///   more than that.
    package init(_ console: Console, as name: String, mayAct: Bool, _ settings: Settings) {
        (self.console, self.mayAct, self.settings) = (console, mayAct, settings)
        program = ProgramToken(settings.programToken)
        programSession = ConsoleSession(name: name, mayAct: mayAct, isProgram: true)
    }

    package func tidy() async { await every(Self.pause) {} }

    package func respond(to request: Request, from peer: IPAddress?) async -> Response {
        let names = request.headers[values: settings.header]
        let isProxy = peer.map { settings.proxies.contains($0) } ?? false
        guard isProxy else {
            if names.isEmpty, program.isBrought(by: request) {
                return await console.respond(to: request, in: programSession)
            }
            return refusal(.forbidden, "This console answers its proxy alone.", request)
        }
        if program.isBrought(by: request) {
            return await console.respond(to: request, in: programSession)
        }
        if let asset = console.asset(request) { return asset }
        guard let name = names.first, !name.isEmpty else {
            return refusal(.unauthorized, "The proxy has not said who you are.", request)
        }
        // Two are one of the proxy's and one that somebody has sent through it.
        guard names.count == 1, name.utf8.count <= Self.longestName, name == PlainText.line(name)
        else {
            return refusal(.badRequest, "The proxy has not named one person.", request)
        }
        return await console.respond(to: request, in: session(name, mayAct(request)))
    }

    private func mayAct(_ request: Request) -> Bool {
        guard mayAct, let header = settings.roleHeader else { return mayAct }
        let roles = request.headers[values: header].flatMap { $0.split(separator: ",") }
        return roles.contains { role in
            role.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
                .elementsEqual(settings.actingRole)
        }
    }

    private func session(_ name: String, _ mayAct: Bool) -> ConsoleSession {
        known.withLock { known in
            let key = "\(mayAct) \(name)"
            if let session = known[key]?.session {
                known[key]?.usedAt = .now
                return session
            }
            if known.count >= Self.mostKnown,
                let oldest = known.min(by: { $0.value.usedAt < $1.value.usedAt })?.key
            {
                known[oldest] = nil
            }
            let session = ConsoleSession(name: name, mayAct: mayAct)
            known[key] = Known(session: session, usedAt: .now)
            return session
        }
    }

    private func refusal(
        _ status: HTTPResponse.Status, _ line: String, _ request: Request
    ) -> Response {
        DoorPage(console.settings, title: "Not let in", line: line)
            .response(status, for: request)
    }
}
