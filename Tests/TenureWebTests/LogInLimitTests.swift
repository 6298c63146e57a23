import Testing

@testable import TenureWeb

/// Who may try to log in, and from where: decided without a clock or a database.
@Suite struct LogInLimitTests {
    private let start = ContinuousClock.now

    @Test func `pauses double after the free tries, up to a bound, and end with the right one`() {
        var limit = AttemptLimit(.init(free: 3, longestPause: .seconds(8)))
        var now = start
        var pauses: [Duration] = []
        for _ in 0..<8 {
            #expect(limit.begin("ada", at: now) == nil)
            // At once again: as long as is said, and it doesn't count.
            guard let pause = limit.begin("ada", at: now) else { continue }
            #expect(limit.begin("ada", at: now) == pause)
            pauses.append(pause)
            now += pause
        }
        #expect(pauses == [1, 2, 4, 8, 8, 8, 8].map { .seconds($0) })
        limit.forget("ada")
        #expect(limit.begin("ada", at: now) == nil && limit.begin("ada", at: now) == nil)
    }

    @Test func `ten thousand tries of one address reach the database few times`() {
        let gate = LogInLimit()
        let address = IPAddress("10.0.0.9")
        var asked = 0
        for number in 0..<10_000 {
            guard gate.begin("name \(number)", from: address, at: start) == .go else { continue }
            asked += 1
            gate.end("name \(number)", from: address, .wrong, at: start)
        }
        #expect(asked == 20)
        // Whoever comes from elsewhere isn't kept waiting by it.
        #expect(gate.begin("ada", from: IPAddress("10.0.0.10"), at: start) == .go)
    }

    @Test func `one name is tried few times from however many addresses, and ends within a minute`()
    {
        let gate = LogInLimit()
        var now = start
        var asked = 0
        var longest = Duration.zero
        for number in 0..<3000 {
            let address = IPAddress("10.\(number / 256).\(number % 256).1")
            switch gate.begin("ada", from: address, at: now) {
            case .go:
                asked += 1
                gate.end("ada", from: address, .wrong, at: now)
            case .wait(let pause): longest = max(longest, pause)
            }
            now += .seconds(1)
        }
        // 50 minutes.
        #expect(asked < 60 && longest <= .seconds(60))
    }

    @Test func `a role of one's own doesn't make others' easier to guess, nor do many at once`() {
        let gate = LogInLimit()
        let address = IPAddress("10.0.0.9")
        var asked = 0
        for number in 0..<200 {
            if gate.begin("mine", from: address, at: start) == .go {
                gate.end("mine", from: address, .right, at: start)
            }
            if gate.begin("victim \(number)", from: address, at: start) == .go {
                asked += 1
                gate.end("victim \(number)", from: address, .wrong, at: start)
            }
        }
        #expect(asked <= 40)
        let busy = LogInLimit()
        let turns = (0..<50).map { number in
            busy.begin("a\(number)", from: IPAddress("10.1.0.\(number)"), at: start)
        }
        #expect(turns.count { $0 == .go } == 4)
    }

    @Test func `what is remembered of those who try is bounded`() {
        var limit = AttemptLimit(.init(free: 1, longestPause: .seconds(8)))
        for number in 0..<50_000 {
            _ = limit.begin("\(number)", at: start + .milliseconds(number))
        }
        #expect(limit.count <= 10_000)
        // The newest are known still.
        #expect(limit.begin("49999", at: start + .milliseconds(50_000)) != nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("10.0.0.5", "10.0.0.5", true), ("10.0.0.5", "10.0.0.6", false),
        ("10.0.0.0/29,::1", "10.0.0.7", true), ("10.0.0.0/29,::1", "10.0.0.8", false),
        ("fd00::/8", "fd12::9", true), ("fd00::/8", "fe80::9%eth0", false),
        ("10.0.0.5", "::ffff:10.0.0.5", true), ("::1", "0:0:0:0:0:0:0:1", true),
        ("10.0.0.5", "::10.0.0.5", false),
    ])
    func `ranges have whom they name`(ranges: String, address: String, isIn: Bool) throws {
        let ranges = try #require(AddressRanges(ranges))
        #expect(ranges.contains(try #require(IPAddress(address))) == isIn)
    }

    @Test(arguments: ["", "10.0.0", "10.0.0.5/33", "0.0.0.0/0", "::/0", "host", "10.0.0.1,", "1/8"])
    func `what is no list of addresses, or all of them, is refused`(text: String) {
        #expect(AddressRanges(text) == nil)
    }

    @Test(arguments: [
        ("1.2.3.4:567", "1.2.3.4"), ("[::1]:80", "::1"), ("::1", "::1"), ("unknown", nil),
        ("1.2.3.4.5", nil), ("", nil),
    ])
    func `hops are read as proxies write them`(text: String, address: String?) {
        #expect(IPAddress(hop: text).map(\.description) == address)
    }

    @Test(arguments: [
        ("/jobs?state=held", "/jobs?state=held"), ("//evil.test/", "/"), ("/\\evil.test", "/"),
        ("https://evil.test/", "/"), ("/login", "/"), ("/logout", "/"), (nil, "/"),
        ("/a\r\nSet-Cookie: x", "/"), ("/ü", "/"), ("javascript:1", "/"),
    ])
    func `whoever has logged in goes on here, and nowhere else`(path: String?, place: String) {
        #expect(NextPlace.of(path, ConsoleSettings()) == place)
        var settings = ConsoleSettings()
        settings.prefix = "/admin"
        #expect(NextPlace.of(path, settings) == "/admin/")
    }
}
