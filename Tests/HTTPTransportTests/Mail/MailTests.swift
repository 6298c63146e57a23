import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

extension SocketTests {
    /// Messages to a real server, and to one that goes wrong in all the places where they do.
    @Suite(.enabled(if: MailServer.isInstalled)) struct MailTests {
        private func mailer(
            _ names: [String: [String]] = [:], trusting authority: String? = nil
        ) throws -> CurlMailer {
            var configuration = CurlConfiguration(userAgent: "TenureTests/1")
            configuration.caFile = authority
            return try CurlMailer(configuration, resolver: FakeResolver(names))
        }

        private static let message = Array("Subject: a\r\n\r\nb\r\n".utf8)

        private func request(
            _ server: String, _ message: [UInt8] = message, login: MailLogin? = nil,
            _ encryption: MailRequest.Encryption = .unlessLocal, total: Duration = .seconds(20)
        ) throws -> MailRequest {
            var limits = HTTPLimits()
            limits.total = total
            return MailRequest(
                server: server, sender: "tenure@example.org", recipient: "ops@example.org",
                message: message, login: login, encryption: encryption, limits: limits,
                allowsAddresses: try .testing())
        }

        @Test func `a message arrives byte for byte`() async throws {
            let server = try MailServer()
            let lines = [
                "Subject: a", "", ".", "..", ".hidden", "", String(repeating: "x", count: 990),
                "QUIT", ".",
            ]
            let message = Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
            #expect(try await mailer().send(request(server.url, message)) == .accepted)
            let came = try #require(try server.messages.first)
            #expect(Array(came.raw) == message)
            #expect(came.sender == "tenure@example.org" && came.recipient == "ops@example.org")
            #expect(!came.encrypted && came.user == nil)
        }

        @Test(arguments: [
            ("mail 550 5.7.1 not from you", MailRefusal(.sender, 550, enhancedCode: "5.7.1")),
            ("mail 450 4.7.1 later", MailRefusal(.sender, 450, enhancedCode: "4.7.1")),
            ("rcpt 550 5.1.1 nobody here", MailRefusal(.recipient, 550, enhancedCode: "5.1.1")),
            ("rcpt 421 4.3.2 going down", MailRefusal(.recipient, 421, enhancedCode: "4.3.2")),
            ("data 554 5.7.1 looks like spam", MailRefusal(.message, 554, enhancedCode: "5.7.1")),
            ("data 452 4.3.1 full", MailRefusal(.message, 452, enhancedCode: "4.3.1")),
            ("greeting 421 4.3.2 busy", MailRefusal(.greeting, 421, enhancedCode: "4.3.2")),
        ])
        func `a refusal says to what, and for how long`(
            _ fault: String, _ refusal: MailRefusal
        ) async throws {
            let server = try MailServer("--fault", fault)
            #expect(try await mailer().send(request(server.url)) == .refused(refusal))
        }

        @Test func `who logs in is who the server knows`() async throws {
            let server = try MailServer("--login", "ada:right")
            let right = MailLogin(user: "ada", password: "right")
            #expect(try await mailer().send(request(server.url, login: right)) == .accepted)
            #expect(try server.messages.map(\.user) == ["ada"])
            let wrong = MailLogin(user: "ada", password: "wrong")
            let answer = try await mailer().send(request(server.url, login: wrong))
            #expect(answer == .refused(MailRefusal(.login, 535, enhancedCode: "5.7.8")))
            #expect(try server.messages.count == 1)
            #expect(!"\(right)".contains("right") && !String(reflecting: right).contains("right"))
        }

        @Test(arguments: ["greeting hang", "data hang"])
        func `a server that says nothing is left when the time is over`(
            _ fault: String
        ) async throws {
            let server = try MailServer("--fault", fault)
            let start = ContinuousClock.now
            await expect(.totalTimeout) {
                try await mailer().send(request(server.url, total: .seconds(1)))
            }
            #expect(.now - start < .seconds(5 * patience))
        }

        @Test(arguments: ["quit hang", "quit close"])
        func `what is taken is taken, whatever the farewell`(_ fault: String) async throws {
            let server = try MailServer("--fault", fault)
            let start = ContinuousClock.now
            #expect(try await mailer().send(request(server.url)) == .accepted)
            #expect(.now - start < .seconds(5 * patience))
        }

        @Test func `a connection that closes behind the last dot is no answer`() async throws {
            let server = try MailServer("--fault", "data close")
            await expect(.connectionClosed) { try await mailer().send(request(server.url)) }
            #expect(try server.messages.map(\.taken) == [false])
        }

        @Test func `cancelling ends it at once`() async throws {
            let server = try MailServer("--fault", "data hang")
            let mailer = try mailer()
            let request = try request(server.url)
            let task = Task { try await mailer.send(request) }
            while try server.messages.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            let start = ContinuousClock.now
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(.now - start < .seconds(patience))
        }

        @Test func `nobody is asked at an address that isn't allowed`() async throws {
            let server = try MailServer()
            for (names, url) in [
                ([:], server.url),
                (["mail.test": ["127.0.0.1"]], "smtp://mail.test:\(server.port)"),
                (["mail.test": ["192.0.2.1", "127.0.0.1"]], "smtps://mail.test:\(server.port)"),
            ] {
                var request = try request(url)
                request.allowsAddresses = .publicOnly
                await expect(.refusedAddress) { [request] in try await mailer(names).send(request) }
            }
            #expect(try server.messages.isEmpty)
        }

        @Test func `what isn't there is said as of any host`() async throws {
            await expect(.dnsNotFound) { try await mailer().send(request("smtp://none.test:587")) }
            await expect(.connectRefused) { try await mailer().send(request("smtp://127.0.0.1:1")) }
            await expect(.badURL) { try await mailer().send(request("http://127.0.0.1:1")) }
            await expect(.badURL) { try await mailer().send(request("smtp://u:p@127.0.0.1:1")) }
        }

        @Test func `no address has a second line`() async throws {
            let server = try MailServer()
            for bad in ["a@b.test\r\nRCPT TO:<c@d.test>", "a@b.test>\nDATA", "a b@c.test", ""] {
                var (sender, recipient) = (try request(server.url), try request(server.url))
                sender.sender = bad
                recipient.recipient = bad
                for request in [sender, recipient] {
                    await expect(.badRequest) { try await mailer().send(request) }
                }
            }
            #expect(try server.messages.isEmpty)
        }
    }
}
