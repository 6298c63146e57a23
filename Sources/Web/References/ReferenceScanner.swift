/// Walks over the tokens of a document and notes its references and anchors.
///
/// URLs are resolved at the end: a `base` counts for the links before it too.
struct ReferenceScanner {
    private let documentURL: WebURL
    private let charset: Charset
    let limits: HTMLLimits
    let isOfForge: Bool
    var result = HTMLReferences()
    /// The `template` elements around the current place, and whether each hides its contents.
    private var templates: [Bool] = []
    private var hidden = 0
    /// How many references come before the `base`.
    private var baseIndex = Int.max
    /// The title is being read; it comes once.
    private var isInTitle = false
    private var titleBytes: [UInt8]?
    private var isInStyle = false
    var openLink: OpenLink?

    struct OpenLink {
        var index: Int
        var text: [UInt8] = []
        var alternative: String?
    }

    static let maxTextBytes = 200

    init(documentURL: WebURL, charset: Charset, limits: HTMLLimits, isOfForge: Bool = false) {
        self.documentURL = documentURL
        self.charset = charset
        self.limits = limits
        self.isOfForge = isOfForge
    }

    mutating func take(_ kind: HTMLTokenizer.Kind, _ tokenizer: inout HTMLTokenizer) {
        switch kind {
        case .startTag: startTag(&tokenizer)
        case .endTag: endTag(tokenizer.element)
        case .text: text(&tokenizer)
        case .comment, .doctype: break
        }
    }

    // MARK: Tags

    private mutating func startTag(_ tag: inout HTMLTokenizer) {
        isInStyle = false
        if tag.element == .template, !tag.isForeign { openTemplate(tag) }
        if hidden > 0 { return }
        enter(tag)
        for attribute in tag.attributes {
            guard let name = attribute.name else { continue }
            take(attribute, name, &tag)
        }
    }

    /// What the element means for what comes after it.
    private mutating func enter(_ tag: borrowing HTMLTokenizer) {
        switch tag.element {
        case .a: closeLink()
        case .base where !tag.isForeign: takeBase(tag)
        case .title where titleBytes == nil && !tag.isForeign:
            isInTitle = true
            titleBytes = []
        case .style:
            let type = tag.value(.type) ?? ""
            isInStyle = type.isEmpty || type.lowercased() == "text/css"
        case .img where openLink != nil && openLink?.alternative == nil:
            openLink?.alternative = tag.value(.alt)
        case .meta where result.robots == nil && tag.value(.name)?.lowercased() == "robots":
            result.robots = tag.value(.content)
        default: break
        }
    }

    private mutating func endTag(_ element: HTMLElement?) {
        isInStyle = false
        switch element {
        case .a: closeLink()
        case .title: isInTitle = false
        case .template:
            if let hides = templates.popLast(), hides { hidden -= 1 }
        default: break
        }
    }

    /// A template with a shadow root is shown, any other is not.
    private mutating func openTemplate(_ tag: borrowing HTMLTokenizer) {
        guard templates.count < limits.maxDepth else {
            result.excess.insert(.depth)
            return
        }
        let mode = tag.value(.shadowrootmode)?.lowercased()
        let hides = mode != "open" && mode != "closed"
        templates.append(hides)
        if hides { hidden += 1 }
    }

    /// Only the first `base` with an href counts, even if its href is no good.
    private mutating func takeBase(_ tag: borrowing HTMLTokenizer) {
        guard baseIndex == Int.max, let href = tag.value(.href) else { return }
        baseIndex = result.references.count
        guard let url = WebURL(href, base: documentURL) else { return }
        if url.scheme != "data", url.scheme != "javascript" { result.base = url }
    }

    // MARK: Text

    private mutating func text(_ tokenizer: inout HTMLTokenizer) {
        if hidden > 0 { return }
        if isInStyle { return styleSheet(&tokenizer) }
        if tokenizer.isRawText { return }
        if isInTitle { tokenizer.appendText(to: &titleBytes!) }
        if let link = openLink, link.text.count < ReferenceScanner.maxTextBytes {
            tokenizer.appendText(to: &openLink!.text)
        }
    }

    private mutating func styleSheet(_ tokenizer: inout HTMLTokenizer) {
        let range = tokenizer.textRange
        var scanner = CSSScanner(tokenizer.source.slice(range))
        scanner.scan(limit: limits.maxReferences)
        for item in scanner.found {
            append(
                item.raw, item.isImport ? .cssImport : .cssURL, element: "style", attribute: "",
                tokenizer.position(at: range.lowerBound + item.offset))
        }
    }

    private mutating func closeLink() {
        guard let link = openLink else { return }
        openLink = nil
        let text = HTMLText.collapsing(link.text, limit: ReferenceScanner.maxTextBytes)
        result.references[link.index].text = text.isEmpty ? link.alternative : text
    }

    // MARK: End

    mutating func finish(_ excess: HTMLExcess) -> HTMLReferences {
        closeLink()
        let document = URLRecord(documentURL)
        let base = result.base.map(URLRecord.init) ?? document
        for index in result.references.indices {
            let kind = result.references[index].kind
            let isBased = index >= baseIndex || kind.isFollowedLater
            let isSheet = kind == .cssURL || kind == .cssImport
            result.references[index].target = .resolving(
                result.references[index].raw, against: isBased ? base : document,
                isSheet ? .utf8 : charset)
        }
        result.canonical = result.references.first { $0.kind == .canonical }?.url
        result.excess.formUnion(excess)
        let title = HTMLText.collapsing(titleBytes ?? [], limit: 4096)
        result.title = title.isEmpty ? nil : title
        return result
    }
}

extension HTMLText {
    /// Without white space at both ends, each run of it inside one space, cut off between
    /// characters after `limit` bytes.
    static func collapsing(_ bytes: [UInt8], limit: Int) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { result in
                let count = collapse(bytes, into: result, limit: limit)
                return String(
                    decoding: UnsafeBufferPointer(rebasing: result[..<count]), as: UTF8.self)
            }
        }
    }

    /// - Parameter result: as long as `bytes`.
    /// - Returns: how many bytes were written.
    private static func collapse(
        _ bytes: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>,
        limit: Int
    ) -> Int {
        var count = 0
        var isAfterSpace = true
        for byte in bytes {
            if byte.isASCIIWhitespace {
                if !isAfterSpace {
                    result[count] = 0x20
                    count &+= 1
                }
                isAfterSpace = true
            } else {
                if count >= limit, byte & 0xC0 != 0x80 { break }
                result[count] = byte
                count &+= 1
                isAfterSpace = false
            }
        }
        if count > 0, result[count - 1] == 0x20 { count -= 1 }
        return count
    }
}
