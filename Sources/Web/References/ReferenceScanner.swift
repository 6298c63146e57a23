/// Walks over the tokens of a document and notes its references and anchors.
///
/// URLs are resolved at the end: a `base` counts for the links before it too.
struct ReferenceScanner {
    private struct Pending {
        var reference: Reference
        /// Whether the `base` had been read when the reference was.
        var isAfterBase: Bool
    }

    private let documentURL: WebURL
    private let limits: HTMLLimits
    private var result = HTMLReferences()
    private var pending: [Pending] = []
    /// The `template` elements around the current place, and whether each hides its contents.
    private var templates: [Bool] = []
    private var hidden = 0
    private var hasBase = false
    /// The title is being read; it comes once.
    private var isInTitle = false
    private var titleBytes: [UInt8]?
    private var isInStyle = false
    private var openLink: OpenLink?

    private struct OpenLink {
        var index: Int
        var text: [UInt8] = []
        var alternative: String?
    }

    private static let maxTextBytes = 200

    init(documentURL: WebURL, limits: HTMLLimits) {
        self.documentURL = documentURL
        self.limits = limits
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
        if tag.element == .template, !tag.foreign.isForeign { openTemplate(tag) }
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
        case .base: takeBase(tag)
        case .title where titleBytes == nil && !tag.foreign.isForeign:
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
        guard !hasBase, let href = tag.value(.href) else { return }
        hasBase = true
        guard let url = WebURL(href, base: documentURL) else { return }
        if url.scheme != "data", url.scheme != "javascript" { result.base = url }
    }

    // MARK: Attributes

    private mutating func take(
        _ attribute: HTMLAttribute, _ name: HTMLAttributeName, _ tag: inout HTMLTokenizer
    ) {
        switch name {
        case .id:
            takeAnchor(attribute, &tag)
        case .name where tag.element == .a:
            let name = tag.value(of: attribute)
            if tag.value(.id) != name { takeAnchor(attribute, &tag) }
        case .style:
            takeStyle(attribute, &tag)
        default:
            guard let element = tag.element,
                let kind = ReferenceRules.kind(element, name, tag)
            else { return }
            takeReference(attribute, kind, &tag)
        }
    }

    private mutating func takeAnchor(_ attribute: HTMLAttribute, _ tag: inout HTMLTokenizer) {
        if attribute.valueRange.isEmpty { return }
        guard result.anchors.count < limits.maxAnchors else {
            result.excess.insert(.anchors)
            return
        }
        result.anchors.append(
            Anchor(
                name: tag.value(of: attribute),
                position: tag.position(at: attribute.valueRange.lowerBound)))
    }

    private mutating func takeReference(
        _ attribute: HTMLAttribute, _ kind: Reference.Kind, _ tag: inout HTMLTokenizer
    ) {
        let value = tag.value(of: attribute)
        switch kind {
        case .srcset:
            let bytes = Array(value.utf8)
            for range in SourceSet.urlRanges(bytes) {
                add(bytes[range], range.lowerBound, attribute, kind, &tag)
            }
        case .metaRefresh:
            let bytes = Array(value.utf8)
            if let range = MetaRefresh.urlRange(bytes) {
                add(bytes[range], range.lowerBound, attribute, kind, &tag)
            }
        default:
            // An empty link means its own page; anything else that is empty loads nothing.
            if value.isEmpty, kind != .anchor, kind != .area { return }
            add(value, 0, attribute, kind, &tag)
            if kind == .anchor, !result.excess.contains(.references) {
                openLink = OpenLink(index: pending.count - 1)
            }
        }
    }

    private mutating func takeStyle(_ attribute: HTMLAttribute, _ tag: inout HTMLTokenizer) {
        // Most have no URL, and are not worth a copy.
        guard tag.source.find(UInt8(ascii: "("), in: attribute.valueRange) else { return }
        let bytes = Array(tag.value(of: attribute).utf8)
        let found = bytes.withUnsafeBufferPointer { source in
            var scanner = CSSScanner(source, isDeclarations: true)
            scanner.scan(limit: limits.maxReferences)
            return scanner.found
        }
        for item in found { add(item.raw, item.offset, attribute, .cssURL, &tag) }
    }

    private mutating func add(
        _ raw: ArraySlice<UInt8>, _ offset: Int, _ attribute: HTMLAttribute,
        _ kind: Reference.Kind, _ tag: inout HTMLTokenizer
    ) {
        add(String(decoding: raw, as: UTF8.self), offset, attribute, kind, &tag)
    }

    private mutating func add(
        _ raw: String, _ offset: Int, _ attribute: HTMLAttribute, _ kind: Reference.Kind,
        _ tag: inout HTMLTokenizer
    ) {
        let range = attribute.valueRange
        let isExact = offset > 0 && HTMLText.isPlain(tag.source.slice(range))
        append(
            raw, kind, element: tag.tagName, attribute: tag.name(of: attribute),
            tag.position(at: range.lowerBound + (isExact ? offset : 0)))
    }

    private mutating func append(
        _ raw: String, _ kind: Reference.Kind, element: String, attribute: String,
        _ position: SourcePosition
    ) {
        guard pending.count < limits.maxReferences else {
            result.excess.insert(.references)
            return
        }
        let reference = Reference(
            raw: raw, target: .failure(WebURLError(.relativeWithoutBase)), kind: kind,
            element: element, attribute: attribute, position: position)
        pending.append(Pending(reference: reference, isAfterBase: hasBase))
    }

    // MARK: Text

    private mutating func text(_ tokenizer: inout HTMLTokenizer) {
        if hidden > 0 { return }
        if isInStyle { return styleSheet(&tokenizer) }
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
        pending[link.index].reference.text = text.isEmpty ? link.alternative : text
    }

    // MARK: End

    mutating func finish(_ excess: HTMLExcess) -> HTMLReferences {
        closeLink()
        let base = result.base ?? documentURL
        result.references = pending.map { item in
            var reference = item.reference
            let isBased = item.isAfterBase || reference.kind.isFollowedLater
            reference.target = .resolving(reference.raw, against: isBased ? base : documentURL)
            return reference
        }
        result.canonical = result.references.first { $0.kind == .canonical }?.url
        result.excess.formUnion(excess)
        let title = HTMLText.collapsing(titleBytes ?? [], limit: 4096)
        result.title = title.isEmpty ? nil : title
        return result
    }
}

extension UnsafeBufferPointer<UInt8> {
    func find(_ byte: UInt8, in range: Range<Int>) -> Bool {
        find(byte, from: range.lowerBound, to: range.upperBound) != nil
    }
}

extension HTMLText {
    /// Without white space at both ends, each run of it inside one space, cut off between
    /// characters after `limit` bytes.
    static func collapsing(_ bytes: [UInt8], limit: Int) -> String {
        var result: [UInt8] = []
        var isAfterSpace = true
        for byte in bytes {
            if byte.isASCIIWhitespace {
                if !isAfterSpace { result.append(0x20) }
                isAfterSpace = true
            } else {
                if result.count >= limit, byte & 0xC0 != 0x80 { break }
                result.append(byte)
                isAfterSpace = false
            }
        }
        if result.last == 0x20 { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }
}
