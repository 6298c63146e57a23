import HTTPTypes
public import Hummingbird
public import Tenure

/// What Tenure knows, in a browser: an application of Hummingbird mounts it under a path of its
/// own, behind its own log-in.
///
/// Each page is HTML; with `Accept: application/json` it is the JSON of what the page shows, and
/// with `Accept: text/event-stream` its parts as they change. Whoever is let in sees all that the
/// pool's role may read. What is done is done by that role, too.
public struct Console: Sendable {
    let pool: PostgresPool
    let client: TenureClient
    public let settings: ConsoleSettings
    private let parts: [any ConsolePart]
    private let rates = RateLog()
    private let views = LiveViews()
    private static let longestBody = 1 << 20
    /// What the database says of a role that may not do something.
    private static let lacksRight = "42501"

    public init(
        pool: PostgresPool, client: TenureClient, settings: ConsoleSettings = ConsoleSettings()
    ) {
        self.init(pool: pool, client: client, settings: settings, parts: [])
    }

    /// - Parameter parts: what there is beside the queue.
    package init(
        pool: PostgresPool, client: TenureClient, settings: ConsoleSettings,
        parts: [any ConsolePart]
    ) {
        (self.pool, self.settings, self.parts) = (pool, settings, parts)
        self.client = client.acting(from: .console)
    }

    private var tabs: [Tab] { Tab.queue + parts.flatMap(\.tabs) }

    /// All that programs find here, as an OpenAPI document.
    private var description: PayloadValue {
        APIDescription.document(
            [QueueDescription.all] + parts.map(\.description), prefix: settings.prefix)
    }

    private func page(at path: [String], _ query: Query) throws -> any Page {
        if let page = try Route.page(at: path, query) { return page }
        for part in parts {
            if let page = try part.page(at: path, query) { return page }
        }
        throw NotThere(description: "There is nothing at this address.")
    }

    /// Answers a request of somebody whom the caller has let in. It doesn't throw for what a
    /// browser sends, nor for what the database says.
    /// - Parameter session: of this browser alone; it proves that a verb was asked for here.
    public func respond(to request: Request, in session: ConsoleSession) async -> Response {
        let answers = Answers(
            links: look(session).links, tabs: tabs, settings: settings, session: session)
        let lends = lends
        do {
            guard let path = path(of: request) else {
                throw NotThere(description: "There is nothing at this address.")
            }
            switch request.method {
            case .get, .head: return try await show(path, request, session, answers)
            case .post: return try await act(path, request, session, answers)
            default:
                return answers.error(
                    .methodNotAllowed, "Only GET and POST are known here.", for: request)
            }
        } catch let error as NotThere {
            return answers.error(.notFound, error.description, for: request)
        } catch let error as BadRequest {
            return answers.error(.badRequest, error.description, for: request)
        } catch let error as BadFilter {
            return answers.error(error, for: request)
        } catch let error as Refused {
            return answers.error(.forbidden, error.description, for: request)
        } catch let error as TooLong {
            return answers.error(.contentTooLarge, error.description, for: request)
        } catch let error as PostgresError where error.sqlState == Self.lacksRight {
            return answers.error(.forbidden, settings.tell(error), for: request)
        } catch let error as TenureError where error.code == .invalidJob {
            return answers.error(.badRequest, "\(error)", for: request)
        } catch let error as BrokenOff {
            let text = "\(error.done) Of the rest: \(Self.doubt) \(settings.tell(error.cause))"
            return answers.error(.serviceUnavailable, text, for: request)
        } catch {
            let isIdle = self.lends == lends
            let words =
                request.method == .post && !Self.isRefusal(error)
                ? (isIdle ? Self.nothing : Self.doubt) + " " : ""
            let text = words + settings.tell(isIdle ? Self.advised(error) : error)
            return answers.error(.serviceUnavailable, text, for: request)
        }
    }

    private var lends: Int { pool.lends + client.pool.lends }

    /// No connection was lent to anybody since the request came, so that no statement of it left.
    private static let nothing = "Nothing was done: no connection to the database was had."

    /// Where nobody gets a connection, it isn't the pool's size that is wrong.
    private static func advised(_ error: any Error) -> any Error {
        guard var error = error as? PostgresError, error.code == .poolTimedOut else { return error }
        error.hint = "None came back meanwhile: see whether the server answers"
        return error
    }

    private static let doubt =
        "It isn't known whether this was done: look before you try it again."

    /// What the database itself refuses, it has not done. A backend that somebody ends may have
    /// done it before.
    private static func isRefusal(_ error: any Error) -> Bool {
        guard let state = (error as? PostgresError)?.sqlState else { return false }
        return !state.hasPrefix("57P")
    }

    /// What is the same for everybody, in or not.
    func asset(_ request: Request) -> Response? {
        path(of: request).flatMap { Asset($0) }?.response
    }

    private func look(_ session: ConsoleSession) -> Look {
        Look(
            pool: pool, client: client, rates: rates, settings: settings, mayAct: session.mayAct)
    }

    /// Within the console; nil for one outside of it, or that can't be read.
    private func path(of request: Request) -> [String]? {
        let path = request.uri.path
        guard path == settings.prefix || path.hasPrefix(settings.prefix + "/") else { return nil }
        let names = path.dropFirst(settings.prefix.count).split(
            separator: "/", omittingEmptySubsequences: true)
        let decoded = names.compactMap { Query.decoded($0.replacing("+", with: "%2B")) }
        return decoded.count == names.count ? decoded : nil
    }

    private func show(
        _ path: [String], _ request: Request, _ session: ConsoleSession, _ answers: Answers
    ) async throws -> Response {
        if let asset = Asset(path) { return asset.response }
        if path == [Frame.description] { return try answers.json(description) }
        let page = try page(at: path, try Query(request.uri.query ?? ""))
        let look = look(session)
        switch Wanted(request) {
        case .events where page.isLive:
            let name = "\(session.mayAct) \(request.uri.string)"
            let tell = settings.tell
            let view = await views.view(name) {
                LiveView(read: { try await page.changes(look) }, tell: tell)
            }
            return EventStream(view: view, isWanted: { !session.isOver }).response
        case .json: return try await answers.json(page, look)
        case .html, .events: return try await answers.html(page, look)
        }
    }

    private func act(
        _ path: [String], _ request: Request, _ session: ConsoleSession, _ answers: Answers
    ) async throws -> Response {
        var request = request
        let form = try await Query(bodyOf: &request, atMost: Self.longestBody)
        try session.require(form["token"], from: request)
        let result: VerbResult
        do {
            result = try await act(
                path, try Query(request.uri.query ?? ""), form, look(session), by: session.name)
        } catch let refused as RefusedForm {
            if Wanted(request) == .json {
                return try answers.json(refused)
            }
            return try await answers.html(refused.page, look(session), refused: refused)
        }
        if Wanted(request) == .json { return try answers.json(result) }
        session.leave(.init(text: result.result, isGood: result.isGood))
        return answers.seeOther(result)
    }

    private func act(
        _ path: [String], _ query: Query, _ form: Query, _ look: Look, by whom: String
    ) async throws -> VerbResult {
        let verbs = Verbs(look: look, whom: whom, form: form)
        if let result = try await verbs.run(path, query) { return result }
        for part in parts {
            if let result = try await part.act(path, form, look, by: whom) { return result }
        }
        throw NotThere(description: "There is nothing to be done at this address.")
    }
}

extension PostgresPool {
    /// How often a connection was lent so far, to anybody. (Nothing is closed by asking: no count
    /// was ever below zero.)
    fileprivate var lends: Int { closeIdle(unlessLentSince: -1) }
}
