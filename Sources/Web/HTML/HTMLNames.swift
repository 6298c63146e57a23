/// The elements that anything here asks for by name.
public enum HTMLElement: String, CaseIterable, Sendable {
    case a, address, area, article, aside, audio, b, base, big, blockquote, body, br, center, code
    case dd, del, dfn, div, dl, dt, em, embed, figcaption, figure, font, footer, form, frame, h1
    case h2, h3, h4, h5, h6, head, header, hr, html, i, iframe, image, img, input, ins, label, li
    case link, listing, main, math, menu, meta, nav, nobr, noembed, noframes, noscript, object, ol
    case option, p, param, picture, plaintext, pre, q, ruby, s, script, section, select, small
    case source, span, strike, strong, style, sub, summary, sup, svg, table, tbody, td, template
    case textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul, `var`, video, wbr, xmp
    // Of SVG and MathML.
    case annotationXML = "annotation-xml"
    case desc, mi, mn, mo, ms, mtext, use
    case foreignObject = "foreignobject"
    case feImage = "feimage"
}

/// The attributes that anything here asks for by name.
public enum HTMLAttributeName: String, CaseIterable, Sendable {
    case action, alt, archive, background, charset, cite, `class`, classid, codebase, color
    case content, data, datetime, dir, encoding, face, formaction, hidden, href
    case httpEquiv = "http-equiv"
    case id, imagesrcset, imagesizes, itemprop, lang, longdesc, manifest, media, method, name
    case ping, poster, profile, property, rel, role, shadowrootmode, size, sizes, src, srcdoc
    case srcset, style
    case target, title, type, usemap, value
    case xlinkHref = "xlink:href"
}

/// A name of at most sixteen bytes, in lower case, packed into two words; of a longer name the
/// start. What is asked for by name is never longer.
struct NameKey: Hashable {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    var count = 0

    static let maxCount = 16

    init() {}

    init(_ name: String) {
        for byte in name.utf8 { append(byte) }
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count < 8 {
            head |= UInt64(byte) << UInt64(count &* 8)
        } else if count < 16 {
            tail |= UInt64(byte) << UInt64((count &- 8) &* 8)
        }
        count &+= 1
    }
}

/// A table from names to the cases of an enum, with open addressing.
struct NameTable<Name: RawRepresentable & CaseIterable & Sendable>: Sendable
where Name.RawValue == String {
    private let slots: [Slot]

    private struct Slot: Sendable {
        var head: UInt64
        var tail: UInt64
        var count: Int
        var name: Name?
    }

    init() {
        var slots = Array(repeating: Slot(head: 0, tail: 0, count: 0, name: nil), count: 512)
        for name in Name.allCases {
            let key = NameKey(name.rawValue)
            var index = NameTable.index(key)
            while slots[index].name != nil { index = (index + 1) & 511 }
            slots[index] = Slot(head: key.head, tail: key.tail, count: key.count, name: name)
        }
        self.slots = slots
    }

    @inline(__always)
    func find(_ key: NameKey) -> Name? {
        var index = NameTable.index(key)
        while true {
            let slot = slots[index]
            guard let name = slot.name else { return nil }
            if slot.head == key.head, slot.tail == key.tail, slot.count == key.count { return name }
            index = (index &+ 1) & 511
        }
    }

    @inline(__always)
    private static func index(_ key: NameKey) -> Int {
        Int(truncatingIfNeeded: ((key.head ^ key.tail) &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }
}

enum HTMLNames {
    static let elements = NameTable<HTMLElement>()
    static let attributes = NameTable<HTMLAttributeName>()
}
