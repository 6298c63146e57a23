import Testing

@testable import HTTPTransport

@Suite struct TargetTests {
    @Test(arguments: [
        "ftp://example.org/", "file:///etc/passwd", "gopher://x/", "javascript:alert(1)",
        "http://user@example.org/", "http://user:secret@example.org/", "http://@example.org/",
        "http://", "http://exa mple.org/", "http://example.org\\@evil.org/",
        "http://example.org/\u{0}", "http://example.org/\r\nX: y", "http://b\u{FC}cher.example/",
        "",
        "example.org", "//example.org/", "http://example.org:99999/", "http://example.org:x/",
    ])
    func `what isn't a plain http URL is refused`(_ url: String) async {
        await expect(.badURL) { try Target(url, maxBytes: 8192) }
    }

    @Test func `a target is scheme, host, port`() throws {
        let target = try Target("https://example.org/a?b#c", maxBytes: 8192)
        #expect(target.host == "example.org")
        #expect(target.port == 443)
        #expect(target.url == "https://example.org/a?b")
        #expect(try Target("http://[2001:db8::1]:8080/", maxBytes: 99).host == "2001:db8::1")
        #expect(try Target("http://1.2.3.4/", maxBytes: 99).literalAddress == IPAddress("1.2.3.4"))
    }

    @Test func `a URL may be as long as the limit`() async throws {
        let url = "http://example.org/" + String(repeating: "a", count: 100)
        #expect(try Target(url, maxBytes: url.utf8.count).url == url)
        await expect(.badURL) { try Target(url, maxBytes: url.utf8.count - 1) }
    }

    @Test func `an error shows no secrets and stays on its line`() {
        let error = HTTPTransportError(
            .badURL, url: "http://me:secret@example.org/p?token=secret#secret", detail: "one\r\ntwo"
        )
        #expect(error.description == "badURL: one  two [http://example.org/p?…]")
        #expect(error.debugDescription.contains("token=secret"))
        #expect(
            "\(HTTPTransportError(.tls, tlsReason: .expired, url: "https://a/", detail: "x"))"
                == "tls(expired): x [https://a/]")
    }
}
