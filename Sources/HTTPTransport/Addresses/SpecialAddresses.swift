/// The special-purpose blocks of IANA's registries, and what clouds have at public addresses for
/// their own machines alone; the narrower before the wider.
extension IPAddress {
    typealias Special = (block: CIDR, kind: AddressKind)

    static let specialV4: [Special] = [
        (.v4(0x0000_0000, 8), .unspecified),  // 0.0.0.0/8
        (.v4(0x0A00_0000, 8), .private),  // 10.0.0.0/8
        (.v4(0x6440_0000, 10), .shared),  // 100.64.0.0/10
        (.v4(0x7F00_0000, 8), .loopback),  // 127.0.0.0/8
        (.v4(0xA83F_8110, 32), .metadata),  // 168.63.129.16, Azure's wire server
        (.v4(0xA9FE_0000, 16), .linkLocal),  // 169.254.0.0/16
        (.v4(0xAC10_0000, 12), .private),  // 172.16.0.0/12
        (.v4(0xC000_0000, 24), .reserved),  // 192.0.0.0/24, protocol assignments
        (.v4(0xC000_0200, 24), .documentation),  // 192.0.2.0/24
        (.v4(0xC058_6300, 24), .reserved),  // 192.88.99.0/24, the former 6to4 relays
        (.v4(0xC0A8_0000, 16), .private),  // 192.168.0.0/16
        (.v4(0xC612_0000, 15), .benchmark),  // 198.18.0.0/15
        (.v4(0xC633_6400, 24), .documentation),  // 198.51.100.0/24
        (.v4(0xCB00_7100, 24), .documentation),  // 203.0.113.0/24
        (.v4(0xE000_0000, 4), .multicast),  // 224.0.0.0/4
        (.v4(0xFFFF_FFFF, 32), .broadcast),
        (.v4(0xF000_0000, 4), .reserved),  // 240.0.0.0/4
    ]

    /// The forms that embed IPv4 are not here, but for those that are local whatever they embed.
    static let specialV6: [Special] = [
        (.v6(0, 128), .unspecified),
        (.v6(1, 128), .loopback),
        (.v6(0x0064_FF9B_0001 << 80, 48), .reserved),  // 64:ff9b:1::/48, local NAT64, RFC 8215
        (.v6(0x0100 << 112, 64), .reserved),  // 100::/64, discard
        (.v6(0x2001_0002 << 96, 48), .benchmark),  // 2001:2::/48
        (.v6(0x2001_0DB8 << 96, 32), .documentation),  // 2001:db8::/32
        (.v6(0x2001_0001 << 96, 32), .reserved),  // 2001::/23 without Teredo (2001::/32)…
        (.v6(0x2001_0002 << 96, 31), .reserved),
        (.v6(0x2001_0004 << 96, 30), .reserved),
        (.v6(0x2001_0008 << 96, 29), .reserved),
        (.v6(0x2001_0010 << 96, 28), .reserved),
        (.v6(0x2001_0020 << 96, 27), .reserved),
        (.v6(0x2001_0040 << 96, 26), .reserved),
        (.v6(0x2001_0080 << 96, 25), .reserved),
        (.v6(0x2001_0100 << 96, 24), .reserved),  // …to here
        (.v6(0x3FFF << 112, 20), .documentation),  // 3fff::/20
        (.v6(0xFC00 << 112, 7), .uniqueLocal),  // fc00::/7
        (.v6(0xFE80 << 112, 10), .linkLocal),  // fe80::/10
        (.v6(0xFEC0 << 112, 10), .private),  // fec0::/10, the former site-local
        (.v6(0xFF00 << 112, 8), .multicast),  // ff00::/8
    ]
}
