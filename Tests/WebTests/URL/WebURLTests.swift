import Foundation
import Testing
import Web

@Suite struct WebURLTests {
    @Test(arguments: [
        ("http://example.com/", WebURL.HostKind.domain, "example.com"),
        ("http://bücher.example/", .domain, "xn--bcher-kva.example"),
        ("http://☕.example/", .domain, "xn--53h.example"),
        ("http://نامه\u{200C}ای.com/", .domain, "xn--mgba3gch31f060k.com"),
        ("http://क्\u{200D}ष/", .domain, "xn--11b2ezcw70k"),
        ("http://0x7f.1/", .ipv4, "127.0.0.1"),
        ("http://127.1/", .ipv4, "127.0.0.1"),
        ("http://1.2.3.4./", .ipv4, "1.2.3.4"),
        ("http://[::ffff:1.2.3.4]/", .ipv6, "[::ffff:102:304]"),
        ("file:///etc/hosts", .empty, ""),
        ("file://localhost/etc/hosts", .empty, ""),
        ("redis://Some-Host:1/", .opaque, "Some-Host"),
    ])
    func `a host has a kind`(text: String, kind: WebURL.HostKind, host: String) {
        let url = WebURL(text)
        #expect(url?.hostKind == kind)
        #expect(url?.host == host)
    }

    @Test func `a URL without authority has no host`() {
        let url = WebURL("mailto:a@b.example")
        #expect(url?.host == nil)
        #expect(url?.hostKind == WebURL.HostKind.none)
        #expect(url?.hasOpaquePath == true)
    }

    @Test(arguments: [
        ("", WebURLError.Reason.relativeWithoutBase),
        ("//host/", .relativeWithoutBase),
        ("http://", .hostMissing),
        ("http://user@/", .hostMissing),
        ("http://a b/", .hostInvalid),
        ("http://a%00b/", .hostInvalid),
        ("http://\u{AD}/", .domainInvalid),
        ("http://xn--a.ß/", .domainInvalid),
        ("http://1.2.3.256/", .ipv4Invalid),
        ("http://0x.0x.0/", nil),
        ("http://[::1/", .ipv6Invalid),
        ("http://[1::2::3]/", .ipv6Invalid),
        ("http://a:65536/", .portInvalid),
        ("http://a:8o/", .portInvalid),
    ])
    func `a failure has a reason`(text: String, reason: WebURLError.Reason?) {
        do {
            let url = try WebURL.parse(text)
            #expect(reason == nil, "\(url)")
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test func `a relative reference can't stand on an opaque path`() throws {
        let base = try WebURL.parse("mailto:a@b")
        #expect(throws: WebURLError(.baseCannotResolve)) { try WebURL.parse("c", base: base) }
        #expect(WebURL("#x", base: base)?.href == "mailto:a@b#x")
    }

    @Test func `the parts of a URL`() throws {
        let url = try WebURL.parse("HTTPS://u:p@EXAMPLE.com:0443/a/../b?q=ü#f%C3%BCr x")
        #expect(url.href == "https://u:p@example.com/b?q=%C3%BC#f%C3%BCr%20x")
        #expect(url.scheme == "https" && url.username == "u" && url.password == "p")
        #expect(url.port == nil && url.effectivePort == 443)
        #expect(url.hasCredentials && url.isHTTP && url.isSpecial)
        #expect(url.path == "/b" && url.query == "q=%C3%BC" && url.fragment == "f%C3%BCr%20x")
        #expect(url.decodedFragment == "für x")
        #expect(url.origin == "https://example.com")
        #expect(url.withoutFragment.href == "https://u:p@example.com/b?q=%C3%BC")
        #expect(url.withoutFragment.fragment == nil)
        #expect(url.withoutFragment == WebURL(url.withoutFragment.href))
    }

    @Test func `a URL is coded as a string`() throws {
        let url = try WebURL.parse("http://a/b#c")
        let data = try JSONEncoder().encode([url])
        #expect(try JSONDecoder().decode([WebURL].self, from: data) == [url])
        #expect(throws: WebURLError.self) {
            try JSONDecoder().decode([WebURL].self, from: Data(#"["http://"]"#.utf8))
        }
    }

    @Test func `percent-encode sets grow from one to the next`() {
        let text = "\u{1} !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~é"
        #expect(Percent.encode(text, .c0Control) == "%01 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~%C3%A9")
        #expect(Percent.encode("a/b c?d", .path) == "a/b%20c%3Fd")
        #expect(Percent.encode("a/b&c'd", .component) == "a%2Fb%26c'd")
        #expect(Percent.decode("a%2Fb%zz%4".utf8) == Array("a/b%zz%4".utf8))
    }
}
