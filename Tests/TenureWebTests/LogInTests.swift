import EmbeddedPostgres
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import Tenure
import TestSupport
import Testing

@testable import TenureWeb

/// Log-in by a role of the database, on a server that asks for passwords.
@Suite(.serialized) struct LogInTests {
    /// A console whose roles log in, and a browser that knows its cookies.
    private final class Door: Sendable {
        let bench: ConsoleBench
        let access: RoleAccess
        private let jar = Mutex<[String: String]>([:])

        init(_ bench: ConsoleBench, configuration: PostgresConfiguration) {
            self.bench = bench
            var settings = RoleAccess.Settings()
            settings.programToken = String(repeating: "t", count: 40)
            let own = bench.console()
            access = RoleAccess(
                own, programsActAs: ("program", true), configuration: configuration, settings
            ) { configuration in
                let pool = PostgresPool(configuration: configuration, size: 2)
                return Console(
                    pool: pool, client: TenureClient(pool: pool), settings: own.settings)
            }
        }

        func ask(
            _ path: String, _ method: HTTPRequest.Method = .get, _ body: String = "",
            _ more: HTTPFields = [:], from peer: String = "10.0.0.1"
        ) async throws -> Answer {
            var headers = more
            let cookies = jar.withLock { $0.map { "\($0.key)=\($0.value)" } }
            if !cookies.isEmpty { headers[.cookie] = cookies.joined(separator: "; ") }
            let answer = try await Answer.to(path, method, body, headers) {
                await access.respond(to: $0, from: IPAddress(peer))
            }
            jar.withLock { jar in
                for pair in answer.cookies {
                    let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                    jar[parts[0]] = parts.count > 1 ? parts[1] : nil
                }
            }
            return answer
        }

        func logIn(
            _ name: String, _ password: String, from peer: String = "10.0.0.1"
        ) async throws -> Answer {
            let token = try await ask("/login").token
            let body = "token=\(token)&next=/jobs&name=\(Links.encoded(name))"
            return try await ask(
                "/login", .post, body + "&password=\(Links.encoded(password))", from: peer)
        }

        var hasCookies: Bool { jar.withLock { !$0.isEmpty } }
    }

    /// One server for all of these tests, which make roles there.
    private static let server = Task {
        var configuration = EmbeddedPostgresConfiguration.temporary()
        configuration.port = Int.random(in: 20_000...29_000)
        let server = try await EmbeddedPostgres.start(configuration)
        let tests = try await TestPostgres.of(conninfo: server.conninfo)
        return (server, tests, configuration.port ?? 0)
    }

    private func door() async throws -> Door {
        let (_, server, port) = try await Self.server.value
        let bench = try await ConsoleBench(on: server)
        let database = try await bench.pool.query("SELECT current_database()::text") {
            try $0.decode(0, as: String.self)
        }[0]
        return Door(
            bench,
            configuration: try PostgresConfiguration(
                "host=127.0.0.1 port=\(port) dbname=\(database)"))
    }

    private static let odd = "o\"'; DROP TABLE tenure.job; -- <b>ü"

    /// Roles that may do all there is, none of it, or nothing at all.
    private func makeRoles(_ door: Door) async throws -> (acts: String, looks: String) {
        let number = UInt32.random(in: 0 ... .max)
        let (acts, looks) = ("acts\(number) " + Self.odd, "looks\(number)")
        let quoted = "\"" + acts.replacing("\"", with: "\"\"") + "\""
        for statement in [
            "CREATE ROLE \(quoted) LOGIN PASSWORD 'right'",
            "CREATE ROLE \(looks) LOGIN PASSWORD 'right'",
            "GRANT USAGE ON SCHEMA tenure TO \(quoted), \(looks)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA tenure TO \(quoted), \(looks)",
            "GRANT ALL ON ALL TABLES IN SCHEMA tenure TO \(quoted)",
            "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA tenure TO \(quoted), \(looks)",
            "REVOKE EXECUTE ON FUNCTION tenure.delete_job(uuid, text, jsonb) FROM \(looks)",
        ] {
            _ = try await door.bench.pool.query(statement) { _ in 0 }
        }
        return (acts, looks)
    }

    @Test func `a role logs in, acts as itself, and logs out`() async throws {
        let door = try await door()
        let (acts, looks) = try await makeRoles(door)
        let wanted = try await door.ask("/jobs?queue=desk")
        #expect(wanted.status == 401 && wanted.text.contains("value=\"/jobs?queue=desk\""))
        #expect(!wanted.text.contains("\(door.bench.job)"))
        let entered = try await door.logIn(acts, "right")
        #expect(entered.status == 303 && entered.headers[.location] == "/jobs", "\(entered.text)")
        for cookie in entered.headers[values: .setCookie] {
            #expect(cookie.contains("HttpOnly; SameSite=Strict"))
        }
        let page = try await door.ask("/queues/desk")
        #expect(page.status == 200 && page.text.contains("formaction"), "\(page.text)")
        #expect(!page.text.contains("<b>ü"))
        let paused = try await door.ask("/queues/desk/pause", .post, "token=\(page.token)")
        #expect(paused.status == 303, "\(paused.text)")
        let queue = try await Inspector(pool: door.bench.pool).queues().first { $0.name == "desk" }
        #expect(queue?.pausedBy == acts)
        // The form of another session does nothing, nor does another site's.
        #expect(try await door.ask("/logout", .post, "token=0").status == 403)
        let evil: HTTPFields = [.origin: "https://evil.test"]
        #expect(try await door.ask("/logout", .post, "token=\(page.token)", evil).status == 403)
        let left = try await door.ask("/logout", .post, "token=\(page.token)")
        #expect(left.status == 303)
        #expect(try await door.ask("/queues/desk").status == 401)

        #expect(try await door.logIn(looks, "right").status == 303)
        let looked = try await door.ask("/queues/desk")
        #expect(looked.status == 200 && !looked.text.contains("formaction"))
        for form in [[:], [.accept: "application/json"]] as [HTTPFields] {
            let tried = try await door.ask(
                "/queues/desk/resume", .post, "token=\(looked.token)", form)
            #expect(tried.status == 403)
        }
        #expect(try await door.ask("/logout", .post, "token=\(looked.token)").status == 303)
    }

    @Test func `what is wrong gets one answer, whatever it is`() async throws {
        let door = try await door()
        let (acts, looks) = try await makeRoles(door)
        _ = try await door.bench.pool.query("ALTER ROLE \(looks) NOLOGIN") { _ in 0 }
        var texts: Set<String> = []
        for (name, password) in [
            (acts, "wrong"), ("nobody at all", "wrong"), ("", "x"), (acts, ""), (looks, "right"),
            (String(repeating: "x", count: 64), "wrong"), ("tenure", "wrong"),
        ] {
            let answer = try await door.logIn(name, password, from: "10.1.0.\(texts.count + 1)")
            #expect(answer.status == 401, "\(name): \(answer.text)")
            texts.insert(answer.text.replacing(answer.token, with: ""))
        }
        #expect(texts.count == 1, "\(texts)")
        let (forged, odd) = ("token=0&name=a&password=b", "name=\(acts)&name=%00")
        #expect(try await door.ask("/login", .post, forged).status == 403)
        #expect(try await door.ask("/login", .post, odd).status == 400)
        let long = "password=" + String(repeating: "x", count: 10_000)
        #expect(try await door.ask("/login", .post, long).status == 413)
        #expect(try await door.ask("/jobs", .get, "", [.accept: "application/json"]).status == 401)
        for token in ["t", String(repeating: "t", count: 39) + "u"] {
            let fields: HTTPFields = [.authorization: "Bearer \(token)"]
            #expect(try await door.ask("/jobs", .get, "", fields).status == 401)
        }
        let right: HTTPFields = [.authorization: "Bearer " + String(repeating: "t", count: 40)]
        #expect(try await door.ask("/jobs", .get, "", right).status == 200)
    }

    @Test func `who guesses waits, and nobody else does`() async throws {
        let door = try await door()
        let (acts, _) = try await makeRoles(door)
        var statuses: [Int] = []
        for _ in 0..<12 {
            let answer = try await door.logIn(acts, "wrong", from: "10.2.0.1")
            statuses.append(answer.status)
            if answer.status == 429 {
                #expect(answer.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
            }
        }
        #expect(statuses.prefix(5).allSatisfy { $0 == 401 } && statuses.contains(429))
        // The right password waits, too: it would tell that it is.
        #expect(try await door.logIn(acts, "right", from: "10.2.0.2").status == 429)
    }

    @Test func `what proves nothing lets nobody in`() async throws {
        // A server that trusts whoever comes.
        let bench = try await ConsoleBench()
        let door = Door(bench, configuration: bench.pool.configuration)
        let answer = try await door.logIn("tenure", "anything")
        #expect(answer.status == 401 && answer.text.contains("is not right"))
    }

    @Test func `a password that changes and a role that goes end what they let in`() async throws {
        let door = try await door()
        let (_, looks) = try await makeRoles(door)
        #expect(try await door.logIn(looks, "right").status == 303)
        #expect(try await door.ask("/jobs").status == 200)
        let role = HeldRole(
            name: looks, password: "right",
            configuration: door.access.configuration.user(looks, password: "right"),
            console: door.bench.console(), at: .now - .seconds(61))
        #expect(role.isDue() && !role.isDue())
        guard case .good(mayAct: false) = await role.prove() else {
            Issue.record("a right password proves nothing")
            return
        }
        _ = try await door.bench.pool.query("ALTER ROLE \(looks) PASSWORD 'other'") { _ in 0 }
        guard case .refused = await role.prove() else {
            Issue.record("an old password is taken")
            return
        }
        for statement in ["DROP OWNED BY \(looks)", "DROP ROLE \(looks)"] {
            _ = try await door.bench.pool.query(statement) { _ in 0 }
        }
        guard case .refused = await role.prove() else {
            Issue.record("a role that is gone is let in")
            return
        }
    }

    @Test func `a proxy names who asks, from its own address alone`() async throws {
        let bench = try await ConsoleBench()
        let header = HTTPField.Name("X-Remote-User")!
        let roles = HTTPField.Name("X-Groups")!
        var settings = HeaderAccess.Settings(
            header: header, proxies: try #require(AddressRanges("10.0.0.5,10.9.0.0/16")))
        settings.roleHeader = roles
        let access = HeaderAccess(bench.console(), as: "own", mayAct: true, settings)
        func ask(
            _ fields: HTTPFields, from peer: String?, _ path: String = "/queues/desk",
            _ method: HTTPRequest.Method = .get, _ body: String = ""
        ) async throws -> Answer {
            try await Answer.to(path, method, body, fields) {
                await access.respond(to: $0, from: peer.flatMap { IPAddress($0) })
            }
        }
        let ada: HTTPFields = [header: "ada", roles: "staff, operator"]
        #expect(try await ask(ada, from: "10.0.0.6").status == 403)
        #expect(try await ask(ada, from: nil).status == 403)
        #expect(try await ask([:], from: "10.0.0.6").status == 403)
        var lies = ada
        lies[HTTPField.Name("X-Forwarded-For")!] = "10.0.0.5"
        #expect(try await ask(lies, from: "10.0.0.6").status == 403)
        #expect(try await ask([:], from: "10.0.0.5").status == 401)
        #expect(try await ask([header: ""], from: "10.0.0.5").status == 401)
        var two = ada
        two[values: header] = ["ada", "root"]
        #expect(try await ask(two, from: "10.0.0.5").status == 400)
        let page = try await ask(ada, from: "::ffff:10.0.0.5")
        #expect(page.status == 200 && page.text.contains("formaction"))
        let reader = try await ask([header: "ada", roles: "operators"], from: "10.9.1.1")
        #expect(reader.status == 200 && !reader.text.contains("formaction"))
        let (path, body) = ("/queues/desk/pause", "token=\(page.token)")
        #expect(try await ask([header: "eve"], from: "10.0.0.5", path, .post, body).status == 403)
        #expect(try await ask(ada, from: "10.0.0.5", path, .post, "token=0").status == 403)
        #expect(try await ask(ada, from: "10.0.0.5", path, .post, body).status == 303)
        let queue = try await Inspector(pool: bench.pool).queues().first { $0.name == "desk" }
        #expect(queue?.pausedBy == "ada")
    }

    @Test func `a session ends after a time without use, and what a page asks for is none`() {
        let book = SessionBook(
            SessionCookie("console", prefix: "", isSecure: true), endedWhenUnusedFor: .seconds(60))
        let session = ConsoleSession(name: "ada", mayAct: true)
        let start = ContinuousClock.now
        let cookie = book.add(session, at: start)
        #expect(cookie.hasPrefix("__Host-") && cookie.hasSuffix("; Secure"))
        func entry(_ accept: String, _ seconds: Int) -> SessionBook.Entry? {
            let pair = String(cookie.prefix { $0 != ";" })
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: "a", path: "/",
                headerFields: [.cookie: "x=y; \(pair)", .accept: accept])
            return book.entry(
                of: Request(head: head, body: RequestBody(buffer: .init())),
                at: start + .seconds(seconds))
        }
        #expect(entry("text/html", 50) != nil && entry("text/html", 100) != nil)
        #expect(entry("text/event-stream", 150) != nil && entry("text/event-stream", 161) == nil)
        book.endUnused(at: start + .seconds(161))
        #expect(session.isOver)
    }
}
