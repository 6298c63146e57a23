import Testing

@testable import HTTPTransport

extension SocketTests {
    @Suite struct SystemResolverTests {
        @Test func `the system's names are found, and others aren't`() async throws {
            let resolver = SystemResolver(threads: 2)
            #expect(try await addresses(resolver, "localhost").get().contains(.v4(0x7F00_0001)))
            #expect(try await addresses(resolver, "127.1").get() == [.v4(0x7F00_0001)])
            await #expect(throws: LookupFailure.self) {
                try await addresses(resolver, "name.invalid").get()
            }
        }

        @Test func `localhost is refused like the address it is`() async throws {
            let configuration = CurlConfiguration(userAgent: "TenureTests/1")
            let transport = try CurlTransport(configuration)
            for host in ["localhost", "127.1", "0x7f000001", "2130706433"] {
                await expect(.refusedAddress) {
                    try await transport.send(HTTPRequest(url: "http://\(host):1/"))
                }
            }
            await transport.shutdown()
        }

        @Test func `work runs on at most so many threads and all of it runs`() async {
            let queue = WorkQueue(threads: 3)
            let running = Lock((now: 0, most: 0))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        await withCheckedContinuation { waiter in
                            queue.submit {
                                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                                nap(milliseconds: 5)
                                running.withLock { $0.now -= 1 }
                                waiter.resume()
                            }
                        }
                    }
                }
            }
            #expect(running.withLock { $0.most } == 3)
        }

        private func addresses(
            _ resolver: SystemResolver, _ host: String
        ) async -> Result<[IPAddress], LookupFailure> {
            await withCheckedContinuation { waiter in
                _ = resolver.resolve(host) { waiter.resume(returning: $0) }
            }
        }
    }
}
