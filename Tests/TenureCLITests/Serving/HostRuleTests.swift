import Testing

@testable import TenureCLI

@Suite struct HostRuleTests {
    @Test(arguments: ["127.0.0.1:8000", "localhost:8000", "LocalHost:8000", "[::1]:8000"])
    func `what is served for this machine answers to its loopback names`(name: String) {
        #expect(HostRule.ownPort.allows(name, port: 8000))
        #expect(HostRule.noForeignName.allows(name, port: 8000))
    }

    @Test(arguments: [
        "evil.example:8000", "127.0.0.1.evil.example:8000", "localhost.evil.example",
        "evil.example", "", "localhost@evil.example", "[::1].evil.example", "[evil", "2130706433",
    ])
    func `and to no other`(name: String) {
        #expect(!HostRule.ownPort.allows(name, port: 8000))
        #expect(!HostRule.noForeignName.allows(name, port: 8000))
        #expect(HostRule.any.allows(name, port: 8000))
    }

    @Test func `a served folder has its port alone`() {
        #expect(!HostRule.ownPort.allows("localhost:8001", port: 8000))
        #expect(!HostRule.ownPort.allows("localhost", port: 8000))
        #expect(!HostRule.ownPort.allows("127.0.0.2:8000", port: 8000))
        #expect(!HostRule.ownPort.allows(nil, port: 8000))
    }

    @Test func `probes may name an address, another port, or nothing`() {
        for name in ["10.1.2.3:9464", "[fd00::1]:80", "localhost:1", "127.0.0.1", nil] {
            #expect(HostRule.noForeignName.allows(name, port: 9464))
        }
    }

    @Test func `what only this machine reaches is known by its address`() {
        #expect(["127.0.0.1", "127.8.8.8", "::1"].allSatisfy(HostRule.isLoopback))
        #expect(!["0.0.0.0", "::", "10.0.0.1", "127.evil"].contains(where: HostRule.isLoopback))
    }
}
