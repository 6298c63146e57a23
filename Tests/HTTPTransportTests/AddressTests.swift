import Testing

@testable import HTTPTransport

@Suite struct AddressTests {
    @Test(arguments: [
        ("8.8.8.8", AddressKind.global), ("1.1.1.1", .global), ("192.0.1.1", .global),
        ("172.15.255.255", .global), ("172.32.0.0", .global), ("100.128.0.0", .global),
        ("223.255.255.255", .global), ("198.17.255.255", .global), ("198.20.0.0", .global),
        ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified), ("10.0.0.1", .private),
        ("10.255.255.255", .private), ("100.64.0.1", .shared), ("100.127.255.255", .shared),
        ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("169.254.169.254", .linkLocal),
        ("172.16.0.1", .private), ("172.31.255.255", .private), ("192.0.0.1", .reserved),
        ("192.0.0.170", .reserved), ("192.0.2.1", .documentation), ("192.88.99.1", .reserved),
        ("192.168.0.1", .private), ("192.168.255.255", .private), ("198.18.0.1", .benchmark),
        ("198.19.255.255", .benchmark), ("198.51.100.7", .documentation),
        ("203.0.113.7", .documentation), ("224.0.0.1", .multicast), ("239.255.255.255", .multicast),
        ("240.0.0.1", .reserved), ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
    ])
    func `IPv4 addresses are of their registered kind`(_ text: String, _ kind: AddressKind) throws {
        #expect(try #require(IPAddress(text)).kind == kind)
    }

    @Test(arguments: [
        ("2606:4700::1111", AddressKind.global), ("2a00:1450:4001::1", .global),
        ("2001:4860:4860::8888", .global), ("2001:200::1", .global), ("::", .unspecified),
        ("::1", .loopback), ("::2", .unspecified), ("100::1", .reserved), ("200::1", .reserved),
        ("2001:1::1", .reserved), ("2001:2::1", .benchmark), ("2001:3::1", .reserved),
        ("2001:10::1", .reserved), ("2001:20::1", .reserved), ("2001:1ff::1", .reserved),
        ("2001:db8::1", .documentation), ("3fff::1", .documentation), ("3fff:1000::1", .global),
        ("4000::1", .reserved), ("5f00::1", .reserved), ("fc00::1", .uniqueLocal),
        ("fd12:3456::1", .uniqueLocal), ("fe00::1", .reserved), ("fe80::1", .linkLocal),
        ("febf::1", .linkLocal), ("fec0::1", .private), ("ff02::1", .multicast),
        ("64:ff9b:1::1", .reserved), ("64:ff9b:1::8.8.8.8", .reserved), ("64:ff9b:2::1", .reserved),
    ])
    func `IPv6 addresses are of their registered kind`(_ text: String, _ kind: AddressKind) throws {
        #expect(try #require(IPAddress(text)).kind == kind)
    }

    /// Every form is tried with every special IPv4 kind, and with one that anybody may reach.
    @Test(arguments: [
        ("8.8.8.8", AddressKind.global), ("127.0.0.1", .loopback), ("10.1.2.3", .private),
        ("192.168.1.1", .private), ("169.254.169.254", .linkLocal), ("100.64.1.1", .shared),
        ("224.0.0.1", .multicast), ("255.255.255.255", .broadcast), ("240.0.0.1", .reserved),
        ("192.0.2.1", .documentation), ("198.18.0.1", .benchmark), ("0.0.0.0", .unspecified),
    ])
    func `an IPv6 form is what it embeds`(_ text: String, _ kind: AddressKind) throws {
        guard case .v4(let bits)? = IPAddress(text) else { return }
        let four = UInt128(bits)
        let server = UInt128(0x0808_0808) << 64
        let forms: [UInt128] = [
            0xFFFF << 32 | four,  // mapped
            0xFFFF_0000 << 32 | four,  // translated
            0x0064_FF9B << 96 | four,  // NAT64
            0x2002 << 112 | four << 80 | 1,  // 6to4
            0x2001_0000 << 96 | server | UInt128(~bits),  // Teredo, the client
            0x2001_0000 << 96 | four << 64 | UInt128(~UInt32(0x0808_0808)),  // Teredo, the server
            0x2A00_1450 << 96 | 0x5EFE << 32 | four,  // ISATAP
            0x2A00_1450 << 96 | 0x0200_5EFE << 32 | four,
        ]
        for form in forms { #expect(IPAddress.v6(form).kind == kind, "\(IPAddress.v6(form))") }
        #expect(IPAddress.v6(four).kind == kind)  // compatible
    }

    @Test func `an address prints as it is read`() throws {
        for text in ["1.2.3.4", "::1", "2001:db8::5", "::ffff:1.2.3.4", "fe80::1:2"] {
            #expect(try #require(IPAddress(text)).description == text)
        }
        for text in ["", "1.2.3", "127.1", "0x7f000001", "[::1]", "fe80::1%eth0", "1.2.3.4 "] {
            #expect(IPAddress(text) == nil)
        }
    }
}

@Suite struct AddressPolicyTests {
    @Test func `the operator's blocks are allowed, mapped too, others aren't`() throws {
        let policy = AddressPolicy(allowed: [try CIDR("10.2.0.0/16"), try CIDR("fd00::/8")])
        #expect(policy.permits(try #require(IPAddress("10.2.3.4"))))
        #expect(policy.permits(try #require(IPAddress("::ffff:10.2.3.4"))))
        #expect(policy.permits(try #require(IPAddress("fd00::1"))))
        #expect(policy.permits(try #require(IPAddress("9.9.9.9"))))
        #expect(policy.refusal(of: try #require(IPAddress("10.3.0.1"))) == .private)
        #expect(policy.refusal(of: try #require(IPAddress("2002:a02:304::1"))) == .private)
        #expect(policy.refusal(of: try #require(IPAddress("::1"))) == .loopback)
    }

    @Test(arguments: [
        ("10.0.0.1/8", "did you mean 10.0.0.0/8?"), ("10.0.0.0/33", "from 0 to 32"),
        ("fd00::/129", "from 0 to 128"), ("10.0.0.0/", "must be a number"),
        ("10.0.0.0/+8", "must be a number"), ("10.0.0/8", "'10.0.0' is not an IP address"),
        ("localhost", "is not an IP address"),
        ("::ffff:10.0.0.0/104", "write it as IPv4: 10.0.0.0"),
        ("", "is not an IP address"),
    ])
    func `a block that can't be read says why`(_ text: String, _ problem: String) {
        let error = #expect(throws: CIDRError.self) { try CIDR(text) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test func `a block holds its first and last address and no other`() throws {
        let block = try CIDR("192.168.4.0/22")
        #expect(block.contains(try #require(IPAddress("192.168.4.0"))))
        #expect(block.contains(try #require(IPAddress("192.168.7.255"))))
        #expect(!block.contains(try #require(IPAddress("192.168.8.0"))))
        #expect(!block.contains(try #require(IPAddress("::1"))))
        #expect(try CIDR("0.0.0.0/0").contains(try #require(IPAddress("8.8.8.8"))))
        #expect(try CIDR("1.2.3.4").description == "1.2.3.4/32")
    }
}
