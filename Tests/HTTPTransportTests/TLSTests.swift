import Foundation
import Testing

@testable import HTTPTransport

extension SocketTests {
    @Suite struct TLSTests {
        private let certificates: Certificates
        private let transport: CurlTransport

        init() throws {
            let certificates = try Certificates()
            self.certificates = certificates
            transport = try CurlTransport.testing(
                FakeResolver(["good.test": ["127.0.0.1"], "other.test": ["127.0.0.1"]])
            ) { $0.caFile = certificates.path("trusted.pem") }
        }

        private func get(_ server: TLSServer, host: String = "good.test") async throws
            -> HTTPResponse
        {
            try await transport.send(.testing("https://\(host):\(server.port)/"))
        }

        @Test func `a good certificate is accepted, for its own name`() async throws {
            let server = try TLSServer(certificates, "good")
            let response = try await get(server)
            #expect(response.status == 200)
            #expect(response.timings.tls > .zero)
            _ = try await response.body.collect(limit: 1 << 20)
            let error = await failure { try await get(server, host: "other.test") }
            #expect(error?.tlsReason == .wrongHost)
            let byAddress = await failure { try await get(server, host: "127.0.0.1") }
            #expect(byAddress?.tlsReason == .wrongHost)
        }

        @Test func `a bad certificate is refused with its reason`() async throws {
            let faults: [(String, HTTPTransportError.TLSReason)] = [
                ("expired", .expired), ("future", .notYetValid), ("selfsigned", .selfSigned),
                ("unknown", .untrusted),
            ]
            for (name, reason) in faults {
                let server = try TLSServer(certificates, name)
                let error = await failure { try await get(server) }
                #expect(error?.code == .tls)
                #expect(error?.tlsReason == reason, "\(error.debugDescription)")
                #expect(error?.isTransient == false)
            }
        }

        @Test func `a chain with a missing link is refused, the same with it isn't`() async throws {
            let broken = try TLSServer(certificates, "below")
            let error = await failure { try await get(broken) }
            #expect(error?.tlsReason == .untrusted, "\(error.debugDescription)")
            let whole = try TLSServer(
                certificates, "below", options: ["-cert_chain", certificates.path("middle.pem")])
            #expect(try await get(whole).status == 200)
        }

        @Test func `a revoked certificate is refused where there is a list`() async throws {
            let server = try TLSServer(certificates, "revoked")
            #expect(try await get(server).status == 200)
            let strict = try CurlTransport.testing(FakeResolver(["good.test": ["127.0.0.1"]])) {
                $0.caFile = certificates.path("trusted.pem")
                $0.crlFile = certificates.path("revoked.crl")
            }
            let error = await failure {
                try await strict.send(.testing("https://good.test:\(server.port)/"))
            }
            #expect(error?.tlsReason == .revoked, "\(error.debugDescription)")
            #expect(error?.isTransient == false)
            let good = try TLSServer(certificates, "good")
            let response = try await strict.send(.testing("https://good.test:\(good.port)/"))
            #expect(response.status == 200)
        }

        @Test func `who speaks no TLS, or none that is safe, fails in the handshake`() async throws
        {
            let plain = try TestServer { $0.send("HTTP/1.1 400 Bad\r\n\r\n") }
            let old = try TLSServer(
                certificates, "good", options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
            for port in [plain.port, old.port] {
                let error = await failure {
                    try await transport.send(.testing("https://good.test:\(port)/"))
                }
                #expect(error?.tlsReason == .handshake, "\(error.debugDescription)")
                #expect(error?.isTransient == true)
            }
        }

        @Test func `the system's authorities don't know a certificate of ours`() async throws {
            let server = try TLSServer(certificates, "good")
            let transport = try CurlTransport.testing(FakeResolver(["good.test": ["127.0.0.1"]]))
            let error = await failure {
                try await transport.send(.testing("https://good.test:\(server.port)/"))
            }
            #expect(error?.tlsReason == .untrusted)
        }

        @Test(.enabled(if: NginxServer.isInstalled))
        func `HTTP 2 is spoken where it is offered, one transfer to a connection`() async throws {
            let server = try NginxServer(certificates)
            let url = "https://good.test:\(server.port)"
            let big = [UInt8](repeating: 5, count: 8 << 20)
            try Data(big).write(to: certificates.folder.appendingPathComponent("big"))
            let first = try await patiently {
                try await transport.send(.testing(url + "/connection"))
            }
            #expect(first.httpVersion == .http2)
            let connection = try await first.body.collect(limit: 100)
            let paused = try await transport.send(.testing(url + "/big"))
            let other = try await transport.send(.testing(url + "/connection"))
            #expect(try await other.body.collect(limit: 100) != connection)
            let read = try await paused.body.collect(limit: big.count)
            #expect(read == big)
            do { _ = try await transport.send(.testing(url + "/big")) }
            let last = try await transport.send(.testing(url + "/connection"))
            #expect(last.status == 200)
        }

        /// nginx needs a moment to listen.
        private func patiently(_ send: () async throws -> HTTPResponse) async throws -> HTTPResponse
        {
            for _ in 0..<100 {
                if let response = try? await send() { return response }
                try await Task.sleep(for: .milliseconds(20))
            }
            return try await send()
        }
    }
}
