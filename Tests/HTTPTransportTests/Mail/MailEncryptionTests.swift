import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

extension SocketTests {
    /// What travels in the open, and what doesn't.
    @Suite(.enabled(if: MailServer.isInstalled)) struct MailEncryptionTests {
        private let certificates: Certificates

        init() throws {
            certificates = try Certificates()
        }

        private func server(_ name: String, _ options: String...) throws -> MailServer {
            let files = ["--cert", certificates.path(name + ".pem")]
            let key = ["--key", certificates.path("leaf.key")]
            return try MailServer(options: options + files + key)
        }

        private func send(
            _ server: MailServer, as scheme: String = "smtp", host: String = "good.test",
            login: MailLogin? = nil, _ encryption: MailRequest.Encryption = .required
        ) async throws -> MailAnswer {
            var configuration = CurlConfiguration(userAgent: "TenureTests/1")
            configuration.caFile = certificates.path("trusted.pem")
            let names = ["good.test": ["127.0.0.1"], "other.test": ["127.0.0.1"]]
            let mailer = try CurlMailer(configuration, resolver: FakeResolver(names))
            return try await mailer.send(
                MailRequest(
                    server: "\(scheme)://\(host):\(server.port)", sender: "a@example.org",
                    recipient: "b@example.org", message: Array("Subject: a\r\n\r\n".utf8),
                    login: login, encryption: encryption, allowsAddresses: try .testing()))
        }

        @Test(arguments: [("smtp", "starttls"), ("smtps", "implicit")])
        func `a good certificate is enough, for its own name`(
            _ scheme: String, _ tls: String
        ) async throws {
            let server = try server("good", "--tls", tls)
            #expect(try await send(server, as: scheme) == .accepted)
            #expect(try server.messages.map(\.encrypted) == [true])
            let error = await failure { try await send(server, as: scheme, host: "other.test") }
            #expect(error?.tlsReason == .wrongHost, "\(error.debugDescription)")
            #expect(try server.messages.count == 1)
        }

        @Test(arguments: ["starttls", "implicit"])
        func `a bad certificate gets no message`(_ tls: String) async throws {
            let faults: [(String, HTTPTransportError.TLSReason)] = [
                ("expired", .expired), ("selfsigned", .selfSigned), ("unknown", .untrusted),
            ]
            for (name, reason) in faults {
                let server = try server(name, "--tls", tls)
                let error = await failure {
                    try await send(server, as: tls == "implicit" ? "smtps" : "smtp")
                }
                #expect(error?.tlsReason == reason, "\(error.debugDescription)")
                #expect(try server.messages.isEmpty)
            }
        }

        @Test func `a server that doesn't encrypt gets neither message nor password`() async throws
        {
            let server = try MailServer("--login", "ada:secret")
            let login = MailLogin(user: "ada", password: "secret")
            await expect(.noStartTLS) { try await send(server, login: login) }
            #expect(try server.messages.isEmpty)
            #expect(try await send(server, login: login, .unlessLocal) == .accepted)
        }

        @Test func `a password goes where it is encrypted`() async throws {
            let server = try server("good", "--tls", "starttls", "--login", "ada:secret")
            let login = MailLogin(user: "ada", password: "secret")
            #expect(try await send(server, login: login) == .accepted)
            #expect(try server.messages.map(\.user) == ["ada"])
        }

        /// By where the socket leads, not by what the server is called.
        @Test(arguments: [
            (["127.0.0.1"], MailPlan.Encryption.none), (["127.0.0.1", "::1"], .none),
            (["127.0.0.1", "10.0.0.1"], .required), (["192.0.2.1"], .required), ([], .required),
        ])
        func `what is local is seen by its addresses`(
            _ addresses: [String], _ encryption: MailPlan.Encryption
        ) throws {
            var plan = try plan("smtp://localhost:25", at: addresses, .unlessLocal)
            #expect(plan.encryption == encryption)
            plan = try self.plan("smtps://localhost:25", at: addresses, .unlessLocal)
            #expect(plan.encryption == .fromTheStart)
        }

        @Test func `no password travels in the open`() throws {
            for (address, isRefused) in [("192.0.2.1", true), ("127.0.0.1", false)] {
                let plan = try plan("smtp://mail.test:25", at: [address], .none)
                #expect(plan.encryption == .none)
                var wasRefused = false
                do { try plan.checkLogin() } catch { wasRefused = true }
                #expect(wasRefused == isRefused)
            }
        }

        private func plan(
            _ url: String, at addresses: [String], _ encryption: MailRequest.Encryption
        ) throws -> MailPlan {
            let target = try Target(url, maxBytes: 100, schemes: ["smtp", "smtps"])
            var route = Route(to: target, via: nil)
            route.resolved(.target, addresses.compactMap { IPAddress($0) })
            return MailPlan(
                mail: MailRequest(
                    server: url, sender: "a@b", recipient: "c@d", message: [],
                    login: MailLogin(user: "ada", password: "secret"), encryption: encryption),
                route: route, configuration: CurlConfiguration(userAgent: "t"),
                answer: FirstResult())
        }
    }
}
