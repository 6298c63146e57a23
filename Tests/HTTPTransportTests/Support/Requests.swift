import Testing

@testable import HTTPTransport

extension AddressPolicy {
    /// The test servers are on the loopback interface.
    static func testing() throws -> AddressPolicy {
        AddressPolicy(allowed: [try CIDR("127.0.0.0/8")])
    }
}

extension HTTPRequest {
    /// A request that may reach the test servers.
    static func testing(
        _ url: String, method: Method = .get, headers: HTTPHeaders = [:],
        _ change: (inout HTTPLimits) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var limits = HTTPLimits()
        change(&limits)
        return HTTPRequest(
            url: url, method: method, headers: headers, limits: limits,
            allowsAddresses: try .testing())
    }
}

extension CurlTransport {
    static func testing(
        _ resolver: any HostResolver = FakeResolver(),
        _ change: (inout CurlConfiguration) -> Void = { _ in }
    ) throws -> CurlTransport {
        var configuration = CurlConfiguration(userAgent: "TenureTests/1 (+mailto:a@example.org)")
        change(&configuration)
        return try CurlTransport(configuration, resolver: resolver)
    }
}

/// Runs it and returns the transport error it fails with.
func failure<T>(
    _ body: () async throws -> T, sourceLocation: SourceLocation = #_sourceLocation
) async -> HTTPTransportError? {
    await #expect(throws: HTTPTransportError.self, sourceLocation: sourceLocation) {
        _ = try await body()
    }
}

func expect(
    _ code: HTTPTransportError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async {
    let error = await failure(body, sourceLocation: sourceLocation)
    #expect(error?.code == code, "\(error.debugDescription)", sourceLocation: sourceLocation)
}
