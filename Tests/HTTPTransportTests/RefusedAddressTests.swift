import TenureLibcurl
import Testing
import Web

@testable import HTTPTransport

extension SocketTests {
    /// On real sockets: whatever a URL, a redirect or a resolver says, nothing arrives at a trap
    /// that listens on every address of the machine.
    @Suite struct RefusedAddressTests {
        private let trap: Trap
        /// Stands for everybody's address: the only one that the policy allows.
        private let allowed: AddressPolicy

        init() throws {
            trap = try Trap()
            allowed = AddressPolicy(allowed: [try CIDR("127.0.0.2")])
        }

        static let spellings = [
            "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "0177.0.0.1", "0x7f.0.0.1",
            "0x7f000001", "0X7F.1", "2130706433", "017700000001", "0177.1", "127.0.0.1.", "0",
            "0.0.0.0", "0x0", "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "localhost", "LOCALHOST",
            "localhost.", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]",
            "[64:ff9b:1::127.0.0.1]", "[2002:7f00:1::1]", "[2001:0:7f00:1::]",
            "[2001:0:808:808::80ff:fffe]", "[2a00:1450::5efe:127.0.0.1]", "[::1%25lo]", "[fe80::1]",
            "169.254.169.254", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "224.0.0.1",
            "[fd00::1]", "[ff02::1]",
        ]

        @Test(arguments: spellings)
        func `a host in any spelling`(_ host: String) async throws {
            let transport = try CurlTransport(CurlConfiguration(userAgent: "TenureTests/1"))
            let error = await failure {
                try await transport.send(
                    HTTPRequest(url: "http://\(host):\(trap.port)/", allowsAddresses: allowed))
            }
            // With a last dot some resolvers know no such name.
            let codes: [HTTPTransportError.Code] = [.refusedAddress, .badURL, .dnsNotFound]
            #expect(codes.contains { $0 == error?.code }, "\(error.debugDescription)")
            #expect(trap.caught() == 0)
        }

        @Test(arguments: spellings)
        func `the same as the URL parser writes it`(_ host: String) async throws {
            guard let url = WebURL("http://\(host):\(trap.port)/")?.href else { return }
            let transport = try CurlTransport(CurlConfiguration(userAgent: "TenureTests/1"))
            let error = await failure {
                try await transport.send(HTTPRequest(url: url, allowsAddresses: allowed))
            }
            let codes: [HTTPTransportError.Code] = [.refusedAddress, .badURL, .dnsNotFound]
            #expect(codes.contains { $0 == error?.code }, "\(error.debugDescription)")
            #expect(trap.caught() == 0)
        }

        @Test func `the trap is where the spellings lead`() async throws {
            let transport = try CurlTransport(CurlConfiguration(userAgent: "TenureTests/1"))
            let all = AddressPolicy(allowed: [try CIDR("0.0.0.0/0"), try CIDR("::/0")])
            for host in ["127.1", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]", "localhost", "0"] {
                let task = Task { [port = trap.port] in
                    _ = try await transport.send(
                        HTTPRequest(url: "http://\(host):\(port)/", allowsAddresses: all))
                }
                var caught = 0
                for _ in 0..<500 where caught == 0 {
                    try await Task.sleep(for: .milliseconds(2))
                    caught = trap.caught()
                }
                task.cancel()
                #expect(caught > 0, "\(host)")
            }
        }

        @Test func `a name that leads elsewhere the second time`() async throws {
            let server = try TestServer(
                on: "127.0.0.2", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            let resolver = RebindingResolver(first: "127.0.0.2", later: "127.0.0.1")
            let transport = try CurlTransport.testing(resolver)
            let url = "http://rebind.test:"
            let first = try await transport.send(
                HTTPRequest(url: url + "\(server.port)/", allowsAddresses: allowed))
            #expect(first.remoteAddress == IPAddress("127.0.0.2"))
            for _ in 0..<3 {
                await expect(.refusedAddress) {
                    try await transport.send(
                        HTTPRequest(url: url + "\(trap.port)/", allowsAddresses: allowed))
                }
            }
            #expect(trap.caught() == 0)
            #expect(resolver.asked == 4)
        }

        /// Even a name that libcurl has an opinion about leads where it was vetted to lead.
        @Test(arguments: ["localhost", "host.localhost", "vetted.test."])
        func `a connection goes to the vetted address, not to where libcurl would go`(
            _ host: String
        ) async throws {
            let server = try TestServer(
                on: "127.0.0.2", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            let transport = try CurlTransport.testing(FakeResolver([host: ["127.0.0.2"]]))
            let response = try await transport.send(
                HTTPRequest(url: "http://\(host):\(server.port)/", allowsAddresses: allowed))
            #expect(response.remoteAddress == IPAddress("127.0.0.2"))
        }

        /// What stands between an address that slipped past the first look and its socket.
        @Test func `a socket to it isn't opened, even if it was pinned`() throws {
            let url = "http://pinned.test:\(trap.port)/"
            let transport = try CurlTransport.testing()
            for policy in [allowed, try AddressPolicy.testing()] {
                let plan = try TransferPlan.testing(
                    HTTPRequest(url: url, allowsAddresses: policy), transport)
                let transfer = Transfer(plan, via: nil, capacity: 1 << 10)
                transfer.route.resolved(.target, [.v4(0x7F00_0001)])
                let easy = try #require(EasyHandle())
                easy.configure(
                    plan, CurlConfiguration(userAgent: "TenureTests/1"), transfer.route,
                    connect: .seconds(1))
                transfer.installCallbacks(on: easy)
                connectOnly(easy.raw)
                let code = curl_easy_perform(easy.raw)
                let isAllowed = policy != allowed
                #expect((code == CURLE_OK) == isAllowed)
                #expect((transfer.refusedSocket?.code == .refusedAddress) != isAllowed)
                #expect(trap.caught() == (isAllowed ? 1 : 0))
            }
        }
    }
}

private func connectOnly(_ easy: UnsafeMutableRawPointer) {
    _ = tenure_set_long(easy, CURLOPT_CONNECT_ONLY, 1)
}

extension TransferPlan {
    fileprivate static func testing(
        _ request: HTTPRequest, _ transport: CurlTransport
    ) throws -> TransferPlan {
        let target = try Target(request.url, maxBytes: 1 << 10)
        let thread = try EventThread(
            CurlConfiguration(userAgent: "TenureTests/1"), resolver: FakeResolver())
        let handle = TransferHandle(
            id: 1, url: target.url, capacity: 1 << 10, thread: thread, owner: transport)
        return TransferPlan(request: request, target: target, start: .now, handle: handle)
    }
}

/// Answers with one address first, and with another ever after.
private final class RebindingResolver: HostResolver {
    private let first: String
    private let later: String
    private let count = Lock(0)

    init(first: String, later: String) {
        self.first = first
        self.later = later
    }

    var asked: Int { count.withLock { $0 } }

    func resolve(
        _ host: String, completion: @escaping @Sendable (Result<[IPAddress], LookupFailure>) -> Void
    ) -> any HostLookup {
        let isFirst = count.withLock { count in
            count += 1
            return count == 1
        }
        completion(.success([IPAddress(isFirst ? first : later)].compactMap { $0 }))
        return Done()
    }

    private struct Done: HostLookup {
        func cancel() {}
    }

    func close() {}
}
