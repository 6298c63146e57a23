import Testing

@testable import HTTPTransport

/// The table of addresses against what it is made from: IANA's registries of special-purpose
/// addresses, and the addresses at which clouds answer their own machines alone.
@Suite struct SpecialAddressTests {
    struct Entry: Sendable, CustomTestStringConvertible {
        let block: String
        let what: String
        /// Whether somebody behind the registry's block may be anybody; nil where a form embeds an
        /// IPv4 address and is what that is.
        let isGlobal: Bool?
        init(_ block: String, _ what: String, isGlobal: Bool? = false) {
            (self.block, self.what, self.isGlobal) = (block, what, isGlobal)
        }
        var testDescription: String { "\(block), \(what)" }
    }

    /// iana-ipv4-special-registry. What the registry calls globally reachable and is not refused
    /// stands here with `isGlobal`; `192.0.0.9` and `192.0.0.10` are anycast services for the
    /// machine's own network, and refused with the block around them.
    static let v4 = [
        Entry("0.0.0.0/8", "this network, RFC 791"),
        Entry("0.0.0.0/32", "this host, RFC 1122"),
        Entry("10.0.0.0/8", "private use, RFC 1918"),
        Entry("100.64.0.0/10", "shared address space, RFC 6598"),
        Entry("127.0.0.0/8", "loopback, RFC 1122"),
        Entry("169.254.0.0/16", "link-local, RFC 3927"),
        Entry("172.16.0.0/12", "private use, RFC 1918"),
        Entry("192.0.0.0/24", "protocol assignments, RFC 6890"),
        Entry("192.0.0.0/29", "IPv4 service continuity, RFC 7335"),
        Entry("192.0.0.8/32", "dummy address, RFC 7600"),
        Entry("192.0.0.9/32", "port control anycast, RFC 7723"),
        Entry("192.0.0.10/32", "TURN anycast, RFC 8155"),
        Entry("192.0.0.170/32", "NAT64 discovery, RFC 7050"),
        Entry("192.0.0.171/32", "NAT64 discovery, RFC 7050"),
        Entry("192.0.2.0/24", "TEST-NET-1, RFC 5737"),
        Entry("192.31.196.0/24", "AS112, RFC 7535", isGlobal: true),
        Entry("192.52.193.0/24", "AMT, RFC 7450", isGlobal: true),
        Entry("192.88.99.0/24", "6to4 relay anycast, RFC 7526"),
        Entry("192.168.0.0/16", "private use, RFC 1918"),
        Entry("192.175.48.0/24", "direct delegation AS112, RFC 7534", isGlobal: true),
        Entry("198.18.0.0/15", "benchmarking, RFC 2544"),
        Entry("198.51.100.0/24", "TEST-NET-2, RFC 5737"),
        Entry("203.0.113.0/24", "TEST-NET-3, RFC 5737"),
        Entry("224.0.0.0/4", "multicast, RFC 5771"),
        Entry("240.0.0.0/4", "reserved, RFC 1112"),
        Entry("255.255.255.255/32", "limited broadcast, RFC 919"),
    ]

    /// iana-ipv6-special-registry, and multicast. The exceptions within `2001::/23` that the
    /// registry calls globally reachable serve networks and not the web: refused with the block.
    static let v6 = [
        Entry("::1/128", "loopback, RFC 4291"),
        Entry("::/128", "unspecified, RFC 4291"),
        Entry("64:ff9b:1::/48", "local-use translation, RFC 8215"),
        Entry("100::/64", "discard only, RFC 6666"),
        Entry("100:0:0:1::/64", "dummy prefix, RFC 9780"),
        Entry("2001:1::1/128", "port control anycast, RFC 7723"),
        Entry("2001:1::2/128", "TURN anycast, RFC 8155"),
        Entry("2001:1::3/128", "DNS-SD anycast, RFC 9665"),
        Entry("2001:2::/48", "benchmarking, RFC 5180"),
        Entry("2001:3::/32", "AMT, RFC 7450"),
        Entry("2001:4:112::/48", "AS112, RFC 7535"),
        Entry("2001:10::/28", "ORCHID, RFC 4843"),
        Entry("2001:20::/28", "ORCHIDv2, RFC 7343"),
        Entry("2001:30::/28", "drone remote id, RFC 9374"),
        Entry("2001:db8::/32", "documentation, RFC 3849"),
        Entry("2620:4f:8000::/48", "direct delegation AS112, RFC 7534", isGlobal: true),
        Entry("3fff::/20", "documentation, RFC 9637"),
        Entry("5f00::/16", "segment routing, RFC 9602"),
        Entry("fc00::/7", "unique local, RFC 4193"),
        Entry("fe80::/10", "link-local, RFC 4291"),
        Entry("fec0::/10", "site-local, RFC 3879"),
        Entry("ff00::/8", "multicast, RFC 4291"),
        Entry("4000::/2", "not given out, RFC 4291"),
        Entry("8000::/2", "not given out, RFC 4291"),
        Entry("c000::/3", "not given out, RFC 4291"),
        Entry("e000::/4", "not given out, RFC 4291"),
    ]

    /// Where a cloud's machines are told who they are, and given their keys.
    static let clouds = [
        Entry("169.254.169.254/32", "AWS, Azure, Google Cloud and others: metadata"),
        Entry("169.254.170.2/32", "AWS: credentials of containers"),
        Entry("169.254.169.253/32", "AWS: resolver"),
        Entry("169.254.0.23/32", "Tencent Cloud: metadata"),
        Entry("168.63.129.16/32", "Azure: wire server"),
        Entry("100.100.100.200/32", "Alibaba Cloud: metadata"),
        Entry("192.0.0.192/32", "Oracle Cloud: metadata"),
        Entry("fd00:ec2::254/128", "AWS: metadata"),
        Entry("fd00:ec2::23/128", "AWS: credentials of pods"),
        Entry("fd20:ce::254/128", "Google Cloud: metadata"),
        Entry("fd00:42::42/128", "Scaleway: metadata"),
        Entry("fe80::a9fe:a9fe/128", "OpenStack: metadata"),
    ]

    @Test(arguments: v4 + v6 + clouds)
    func `the first and the last address of a registered block are refused, or nobody's secret`(
        entry: Entry
    ) throws {
        let block = try CIDR(entry.block)
        for address in [block.network, block.last] {
            let isRefused = AddressPolicy.publicOnly.refusal(of: address) != nil
            #expect(isRefused == (entry.isGlobal == false), "\(address)")
        }
    }

    /// Blocks that touch others aren't told apart by their neighbours: those are left out.
    @Test(arguments: [
        ("0.0.0.0/8", "1.0.0.0"), ("10.0.0.0/8", "9.255.255.255 11.0.0.0"),
        ("100.64.0.0/10", "100.63.255.255 100.128.0.0"),
        ("127.0.0.0/8", "126.255.255.255 128.0.0.0"),
        ("169.254.0.0/16", "169.253.255.255 169.255.0.0"),
        ("172.16.0.0/12", "172.15.255.255 172.32.0.0"),
        ("192.0.0.0/24", "191.255.255.255 192.0.1.0"),
        ("192.0.2.0/24", "192.0.1.255 192.0.3.0"),
        ("192.88.99.0/24", "192.88.98.255 192.88.100.0"),
        ("192.168.0.0/16", "192.167.255.255 192.169.0.0"),
        ("198.18.0.0/15", "198.17.255.255 198.20.0.0"),
        ("198.51.100.0/24", "198.51.99.255 198.51.101.0"),
        ("203.0.113.0/24", "203.0.112.255 203.0.114.0"),
        ("224.0.0.0/4", "223.255.255.255"),
        ("168.63.129.16/32", "168.63.129.15 168.63.129.17"),
        ("2001::/23", "2001:200:: 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:db8::/32", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9::"),
        ("3fff::/20", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000::"),
        ("2000::/3", "2000:: 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ])
    func `a block ends where it ends: its neighbours are everybody's`(
        block: String, neighbours: String
    ) throws {
        for text in neighbours.split(separator: " ") {
            let address = try #require(IPAddress(String(text)))
            #expect(AddressPolicy.publicOnly.permits(address), "\(text), beside \(block)")
        }
    }

    /// Whatever is refused as IPv4 is refused in every form that leads there; what isn't, isn't.
    @Test(
        arguments: v4 + clouds.filter { !$0.block.contains(":") } + [
            Entry("8.8.8.8/32", "anybody's", isGlobal: true)
        ])
    func `a form that embeds an address is refused as that is`(entry: Entry) throws {
        let block = try CIDR(entry.block)
        for address in [block.network, block.last] {
            guard case .v4(let bits) = address else { continue }
            let isRefused = entry.isGlobal == false
            for (name, form) in Self.forms(bits) {
                let found = AddressPolicy.publicOnly.refusal(of: .v6(form)) != nil
                #expect(found == isRefused, "\(name) \(IPAddress.v6(form)) of \(address)")
            }
        }
    }

    private static func forms(_ bits: UInt32) -> [(String, UInt128)] {
        let four = UInt128(bits)
        let server = UInt128(0x0808_0808) << 64
        return [
            ("mapped, RFC 4291", 0xFFFF << 32 | four),
            ("translated, RFC 2765", 0xFFFF_0000 << 32 | four),
            ("NAT64, RFC 6052", 0x0064_FF9B << 96 | four),
            ("6to4, RFC 3056", 0x2002 << 112 | four << 80),
            ("6to4, RFC 3056, the last", 0x2002 << 112 | four << 80 | (1 << 80) - 1),
            ("Teredo's client, RFC 4380", 0x2001_0000 << 96 | server | UInt128(~bits)),
            (
                "Teredo's server",
                0x2001_0000 << 96 | four << 64 | UInt128(~UInt32(0x0808_0808))
            ),
            ("ISATAP, RFC 5214", 0x2A00_1450 << 96 | 0x5EFE << 32 | four),
            ("ISATAP, a global id", 0x2A00_1450 << 96 | 0x0200_5EFE << 32 | four),
        ]
    }

    @Test func `a form that embeds IPv4 ends where its prefix does`() throws {
        for text in ["64:ff9b::1:0:0", "64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", "::1:0:0:0"] {
            #expect(try #require(IPAddress(text)).kind == .reserved, "\(text)")
        }
        for text in ["2001:ffff:7f00:1::", "2003:7f00:1::", "2001:200:7f00:1::"] {
            #expect(try #require(IPAddress(text)).kind == .global, "\(text)")
        }
    }
}

extension CIDR {
    fileprivate var last: IPAddress {
        switch network {
        case .v4(let bits): .v4(bits | (prefix == 32 ? 0 : .max >> UInt32(prefix)))
        case .v6(let bits): .v6(bits | (prefix == 128 ? 0 : .max >> UInt128(prefix)))
        }
    }
}
