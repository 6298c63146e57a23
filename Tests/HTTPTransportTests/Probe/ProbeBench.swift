import HTTPTransport

/// How many responses a second one transport gets from one URL, with so many requests at a time.
struct ProbeBench {
    let url: String
    let seconds: Int
    let concurrency: Int

    init?(_ arguments: [String]) {
        guard arguments.count == 4, arguments[0] == "bench", let seconds = Int(arguments[2]),
            let concurrency = Int(arguments[3])
        else { return nil }
        (url, self.seconds, self.concurrency) = (arguments[1], seconds, concurrency)
    }

    func run() async throws {
        let transport = try CurlTransport(CurlConfiguration(userAgent: "TenureTests/1"))
        let request = HTTPRequest(
            url: url, allowsAddresses: AddressPolicy(allowed: [try CIDR("127.0.0.0/8")]))
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let counts = try await withThrowingTaskGroup(of: (pages: Int, bytes: Int).self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    var counts = (pages: 0, bytes: 0)
                    while ContinuousClock.now < end {
                        let response = try await transport.send(request)
                        counts.bytes += try await response.body.collect(limit: .max).count
                        counts.pages += 1
                    }
                    return counts
                }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.pages, $0.1 + $1.bytes) }
        }
        let took = (ContinuousClock.now - start) / .seconds(1)
        print(
            Int(Double(counts.0) / took), "responses/s", Int(Double(counts.1) / took / 1e6), "MB/s")
    }
}
