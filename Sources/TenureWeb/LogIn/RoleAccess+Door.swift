import HTTPTypes
import Hummingbird
import Tenure

/// The form at the door, and what comes of it.
extension RoleAccess {
    /// A password and what stands beside it.
    private static let longestBody = 8192
    private static let longestName = 63

    func answerAtDoor(_ request: Request, from peer: IPAddress?) async -> Response {
        guard request.method == .post else { return form("", for: request, status: .ok) }
        var request = request
        let given: Query
        do {
            given = try await Query(bodyOf: &request, atMost: Self.longestBody)
        } catch let error as TooLong {
            return form(error.description, for: request, status: .contentTooLarge)
        } catch {
            return form("This form can’t be read.", for: request, status: .badRequest)
        }
        let next = NextPlace.of(given["next"], own.settings)
        let token = given["token"] ?? ""
        guard formCookie.values(in: request).contains(where: { Secret.isSame($0, token) }),
            OwnOrigin.allows(request)
        else {
            return form(
                "This form is of another page, or old. Try again; cookies have to be allowed.",
                for: request, status: .forbidden, next: next)
        }
        let address = client(of: request, peer)
        return await logIn(given["name"] ?? "", given["password"] ?? "", address, request, next)
    }

    private func logIn(
        _ name: String, _ password: String, _ address: IPAddress?, _ request: Request,
        _ next: String
    ) async -> Response {
        // Without a password libpq would take the console's own.
        guard !name.isEmpty, name.utf8.count <= Self.longestName, !password.isEmpty else {
            return form(Self.refusal, for: request, status: .unauthorized, next: next)
        }
        if case .wait(let pause) = gate.begin(name, from: address) {
            let seconds = Int(pause.components.seconds) + 1
            var response = form(
                "Too many have tried. Try again in \(seconds) s.", for: request,
                status: .tooManyRequests, next: next)
            response.headers[.retryAfter] = "\(seconds)"
            return response
        }
        let own = configuration.user(name, password: password)
        let proof = await RoleProof.of(name, own)
        var isRight = false
        defer { gate.end(name, from: address, isRight ? .right : .wrong) }
        switch proof {
        case .good(let mayAct):
            isRight = true
            settings.note(.loggedIn(name: name, from: Self.text(address)))
            let held = hold(name, password, own)
            return enter(held, mayAct: mayAct, request, next)
        case .stranger:
            isRight = true
            return form(
                "This role has no part in Tenure: it may look at nothing here. “tenure roles” "
                    + "tells which roles do.", for: request, status: .forbidden, next: next)
        case .unknown:
            return form(
                "The database can’t be asked just now. Try again in a moment.", for: request,
                status: .serviceUnavailable, next: next)
        case .nothing(let why): settings.note(.useless(why))
        case .refused: settings.note(.refused(from: Self.text(address)))
        }
        return form(Self.refusal, for: request, status: .unauthorized, next: next)
    }

    /// The same, whatever is wrong: whether there is such a role is nobody's business.
    private static let refusal =
        "The name or the password is not right, or this role may not log in."

    private func enter(
        _ role: HeldRole, mayAct: Bool, _ request: Request, _ next: String
    ) -> Response {
        // Whoever was in here before is no longer.
        if let before = book.entry(of: request) { book.end(before.session) }
        let session = ConsoleSession(
            name: role.name, mayAct: mayAct, isProgram: false, canLogOut: true)
        var headers = Answers.safety
        headers[.location] = next
        headers[.cacheControl] = "no-store"
        headers[values: .setCookie] = [book.add(session, as: role), formCookie.clearing]
        role.unpin()
        letGo()
        return Response(status: .seeOther, headers: headers)
    }

    /// Where a request comes from: by the last of the proxies that are trusted.
    private func client(of request: Request, _ peer: IPAddress?) -> IPAddress? {
        guard let peer, settings.proxies.contains(peer) else { return peer }
        let hops = request.headers[values: Self.forwarded].joined(separator: ",")
            .split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        for hop in hops.reversed() {
            // What can't be read was written by nobody who is trusted.
            guard let address = IPAddress(hop: hop) else { return peer }
            if !settings.proxies.contains(address) { return address }
        }
        return peer
    }

    private static let forwarded = HTTPField.Name("X-Forwarded-For")!

    private static func text(_ address: IPAddress?) -> String {
        address.map { "\($0)" } ?? "an address that isn't known"
    }

    /// - Parameter next: where to go on; what was asked for, if nil.
    func form(
        _ line: String, for request: Request, status: HTTPResponse.Status, next: String? = nil
    ) -> Response {
        if Wanted(request) != .html {
            let line = line.isEmpty ? "Log in first." : line
            return DoorPage(own.settings, title: "Log in", line: line)
                .response(status, for: request)
        }
        // One for all the pages that a browser has open.
        let token = formCookie.values(in: request).first(where: Secret.isOne) ?? Secret.make()
        let wanted = request.method == .get ? request.uri.string : nil
        let place = next ?? NextPlace.of(wanted, own.settings)
        var response = DoorPage.logIn(own.settings, line, token: token, next: place)
            .response(status, for: request)
        response.headers[.setCookie] = formCookie.setting(token)
        return response
    }
}
