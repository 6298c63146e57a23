import Foundation
import HTTPTransport
import Tenure
import TenureCoordinator
import TestSupport
import Testing

@testable import Content

/// Whether notices arrive by mail, and what becomes of those that don't.
@Suite(.enabled(if: MailServer.isInstalled)) struct MailTests {
    private func add(
        _ server: MailServer, _ bench: SiteBench, user: String? = nil, name: String = "mail"
    ) async throws {
        let route = try MailRoute(
            to: MailAddress("ops@example.org"), from: MailAddress("tenure@example.org"),
            by: server.url, user: user)
        let secret = try user.map { _ in try SecretReference(variable: "TENURE_SECRET_HOOK") }
        try await bench.channels.add(try NewChannel(name, by: route, secret: secret))
    }

    /// Sends one, and waits until it was tried.
    private func test(_ bench: SiteBench, _ name: String = "mail") async throws -> String? {
        let id = try await bench.channels.test(name)
        try await bench.withWorkers {
            try await bench.eventually(
                """
                SELECT sent_at IS NOT NULL OR failed_at IS NOT NULL FROM content.delivery
                WHERE notice = '\(id)'
                """)
            try await bench.eventually(
                "SELECT NOT EXISTS (SELECT FROM tenure.job j WHERE j.state = 'running')")
        }
        guard case .unsent(let error) = try await bench.channels.arrival(of: id, at: name) else {
            return nil
        }
        return error
    }

    @Test func `a check's notice is a message that others can read`() async throws {
        let (bench, server) = (try await SiteBench("mail"), try MailServer())
        try await add(server, bench, name: "team.of-docs")
        try await bench.watch(channels: ["team.of-docs"])
        try await bench.check()
        bench.web.answer("/docs/two", .status(404))
        bench.web.answer("/docs/three", .status(410))
        try await bench.check()
        let mail = try #require(try server.messages.first)
        #expect(try server.messages.count == 1)
        #expect(mail.sender == "tenure@example.org" && mail.recipient == "ops@example.org")
        #expect(mail.defects.isEmpty && mail.longest <= 998)
        let notice = try #require(mail.headers["tenure-notice"])
        #expect(mail.headers["message-id"] == "<\(notice).team=of-docs@example.org>")
        #expect(mail.headers["from"] == "Tenure <tenure@example.org>")
        #expect(mail.headers["to"] == "ops@example.org")
        #expect(mail.headers["auto-submitted"] == "auto-generated")
        let summary = "\(bench.url): 2 newly broken; 2 broken in all"
        #expect(mail.headers["subject"] == "Tenure: \(summary)")
        #expect(mail.headers["date"]?.hasSuffix("+0000") == true)
        let lines = mail.text.split(separator: "\n").map(String.init)
        #expect(lines.first == summary)
        #expect(lines.contains("broken: \(bench.url)two (404) on \(bench.url):1"))
        #expect(lines.last?.hasSuffix("notice \(notice)") == true)
    }

    /// By then it may have arrived: only the id says that both are one.
    @Test func `a message whose fate is unknown comes again, the same`() async throws {
        let (bench, server) = (
            try await SiteBench("unknown"),
            try MailServer("--fault", "data close", "--times", "1")
        )
        try await add(server, bench)
        #expect(try await test(bench)?.contains("connectionClosed") == true)
        try await TestClock(pool: bench.pool).advance(by: .seconds(60))
        try await bench.withWorkers {
            try await bench.eventually("SELECT sent_at IS NOT NULL FROM content.delivery")
        }
        let came = try server.messages
        #expect(came.map(\.taken) == [false, true])
        #expect(came.first?.raw == came.last?.raw)
    }

    @Test func `what is refused for now is tried again`() async throws {
        for fault in [
            "rcpt 451 4.7.1 greylisted", "data 452 4.3.1 full", "greeting 421 4.3.2 busy",
        ] {
            let (bench, server) = (
                try await SiteBench("later"), try MailServer("--fault", fault, "--times", "1")
            )
            try await add(server, bench)
            let code = fault.split(separator: " ")[1]
            #expect(try await test(bench)?.contains(code) == true)
            #expect(try await bench.channels.list().first?.pausedAt == nil)
            try await TestClock(pool: bench.pool).advance(by: .seconds(60))
            try await bench.withWorkers {
                try await bench.eventually("SELECT sent_at IS NOT NULL FROM content.delivery")
            }
        }
    }

    @Test(arguments: ["rcpt 550 5.1.1 nobody here", "mail 550 5.7.1 not from you"])
    func `a mailbox that is none pauses the channel, and a resume loses nothing`(
        _ fault: String
    ) async throws {
        let (bench, server) = (
            try await SiteBench("nobody"), try MailServer("--fault", fault, "--times", "1")
        )
        try await add(server, bench)
        #expect(try await test(bench)?.contains("550 5.") == true)
        let paused = try #require(try await bench.channels.list().first)
        #expect(paused.pausedWhy?.contains("550") == true && paused.unsent == 1)
        _ = try await bench.channels.resume("mail")
        try await bench.withWorkers {
            try await bench.eventually("SELECT sent_at IS NOT NULL FROM content.delivery")
        }
        #expect(try server.messages.count == 1)
    }

    /// Another may not be: the channel goes on.
    @Test func `a message that is never taken is given up, and waits`() async throws {
        let (bench, server) = (
            try await SiteBench("spam"),
            try MailServer("--fault", "data 554 5.7.1 looks like spam", "--times", "1")
        )
        try await add(server, bench)
        #expect(try await test(bench)?.contains("554 5.7.1 to the message") == true)
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(0))
        let channel = try #require(try await bench.channels.list().first)
        #expect(channel.pausedAt == nil && channel.unsent == 1)
        #expect(try await test(bench) == nil)
        #expect(try await bench.channels.resume("mail").notices == 1)
    }

    @Test func `a password that is wrong is tried again, and shown to nobody`() async throws {
        let bench = try await SiteBench("wrong")
        let server = try MailServer("--login", "ada:another")
        try await add(server, bench, user: "ada")
        let error = try await test(bench)
        #expect(error?.contains("535 5.7.8 to the user and password") == true, "\(error ?? "")")
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(1))
        #expect(try await bench.channels.list().first?.pausedAt == nil)
        let right = try MailServer("--login", "ada:\(SiteBench.secret)")
        try await add(right, bench, user: "ada", name: "right")
        #expect(try await test(bench, "right") == nil)
        #expect(try right.messages.map(\.user) == ["ada"])
        for table in ["content.channel", "content.delivery", "tenure.job", "tenure.job_history"] {
            let text = try await bench.value(
                "SELECT coalesce(string_agg(t::text, ' '), '') FROM \(table) t", as: String.self)
            #expect(!text.contains(SiteBench.secret))
        }
    }

    @Test func `a server hears nothing at an address that isn't allowed`() async throws {
        let (bench, server) = (try await SiteBench("vetted"), try MailServer())
        try await add(server, bench)
        _ = try await bench.channels.test("mail")
        var configuration = try SiteBench.configuration
        configuration.allowedAddresses = []
        try await bench.fixture.withWorkers(configuration: configuration) {
            try await bench.eventually("SELECT failed_at IS NOT NULL FROM content.delivery")
        }
        let error = try await bench.channels.list().first?.error
        #expect(error?.contains("TENURE_CONTENT_ALLOW") == true, "\(error ?? "")")
        #expect(try server.messages.isEmpty)
    }

    @Test(arguments: [
        "a@b@c", "@example.org", "ops@", "ops", "o ps@example.org", "ops@example.org\r\nBcc: x@y",
        "Ops <ops@example.org>", "ops@example..org", ".ops@example.org", "öps@example.org",
        "ops@[127.0.0.1]", "\"o\"@example.org", "ops@example.org>", "ops@exa_mple.org", "",
    ])
    func `an address is one word, or refused`(_ text: String) {
        #expect(throws: ContentError.self) { try MailAddress(text) }
    }

    @Test func `a server is a host and a port`() throws {
        let (to, from) = (try MailAddress("o'b+x@example.org"), try MailAddress("root@localhost"))
        for (given, kept) in [
            ("smtp://Mail.Example.org", "smtp://mail.example.org:587"),
            ("smtps://mail.test/", "smtps://mail.test:465"), ("smtp://h:25", "smtp://h:25"),
            ("smtp://h:443", "smtp://h:443"), ("smtp://[::1]:80", "smtp://[::1]:80"),
        ] {
            #expect(try MailRoute(to: to, from: from, by: given).server == kept)
        }
        for bad in [
            "mail.test:587", "http://mail.test", "smtp://", "smtp://u:p@mail.test",
            "smtp://mail.test/x", "smtp://mail.test?x", "smtp://a b", "smtp://a\\b",
            "smtp://a\r\nb", "smtp://a\tb",
        ] {
            #expect(throws: ContentError.self, "\(bad)") {
                try MailRoute(to: to, from: from, by: bad)
            }
        }
        #expect(throws: ContentError.self) {
            try MailRoute(to: to, from: from, by: "smtp://h", user: "ada", isPlain: true)
        }
        #expect(throws: ContentError.self) {
            try MailRoute(to: to, from: from, by: "smtps://h", isPlain: true)
        }
        let route = try MailRoute(to: to, from: from, by: "smtp://h", user: "ada")
        #expect(throws: ContentError.self) { try NewChannel("a", by: route) }
    }

    @Test func `no text breaks out of its line, and none is too long`() {
        let words = MailText.words("a\r\nBcc: x@y.test\u{85}b")
        #expect(words == "a  Bcc: x@y.test b")
        let long = MailText.words(String(repeating: "ö", count: 200))
        #expect(long.components(separatedBy: "\r\n ").allSatisfy { $0.utf8.count <= 75 })
        #expect(!long.utf8.contains { $0 >= 0x80 })
        let body = MailText.quotedPrintable(".\n.x=ö \n" + String(repeating: ".é", count: 300))
        let lines = body.components(separatedBy: "\r\n")
        #expect(lines[0] == "=2E" && lines[1] == "=2Ex=3D=C3=B6=20")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasPrefix(".") })
    }

    /// What stands for a secret is no ASCII; Python's parser reads it back.
    @Test func `a subject that isn't ASCII is read by others`() async throws {
        let (bench, server) = (try await SiteBench("words"), try MailServer())
        try await add(server, bench)
        bench.web.answer("/docs/secret", .page("<a href=two>two</a>"))
        let url = "\(bench.web.url)/docs/secret?token=x"
        _ = try await bench.sites.add(
            url, .every(.seconds(86_400)), SiteBench.options, channels: ["mail"])
        for status in [200, 404] {
            bench.web.answer("/docs/two", .status(status))
            try await bench.withWorkers {
                let id = try await bench.sites.check(.url(url))
                _ = try await bench.fixture.check.wait(id, every: .milliseconds(20))
                try await bench.eventually(
                    "SELECT NOT EXISTS (SELECT FROM tenure.job j WHERE \(SiteBench.sends))")
            }
        }
        let subject = try server.messages.first?.headers["subject"]
        #expect(
            subject?.contains("/docs/secret?token=…: 1 newly broken") == true, "\(subject ?? "")")
    }
}
