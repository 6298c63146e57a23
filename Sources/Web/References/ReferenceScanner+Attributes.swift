/// The attributes that refer to something or can be referred to.
extension ReferenceScanner {
    mutating func take(
        _ attribute: HTMLAttribute, _ name: HTMLAttributeName, _ tag: inout HTMLTokenizer
    ) {
        switch name {
        case .id:
            takeAnchor(attribute, &tag)
        case .name where tag.element == .a || isOfForge:
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
            let items = SourceSet.urlRanges(bytes).map { (bytes[$0], $0.lowerBound) }
            add(items, attribute, kind, &tag)
        case .metaRefresh:
            let bytes = Array(value.utf8)
            guard let range = MetaRefresh.urlRange(bytes) else { return }
            add([(bytes[range], range.lowerBound)], attribute, kind, &tag)
        default:
            // An empty link means its own page; anything else that is empty loads nothing.
            if value.isEmpty, kind != .anchor, kind != .area { return }
            append(
                value, kind, element: tag.tagName, attribute: tag.name(of: attribute),
                tag.position(at: attribute.valueRange.lowerBound))
            if kind == .anchor, !result.excess.contains(.references) {
                openLink = OpenLink(index: result.references.count - 1)
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
        add(found.map { (Array($0.raw.utf8)[...], $0.offset) }, attribute, .cssURL, &tag)
    }

    /// Several references out of one value, each with its offset there.
    private mutating func add(
        _ items: [(raw: ArraySlice<UInt8>, offset: Int)], _ attribute: HTMLAttribute,
        _ kind: Reference.Kind, _ tag: inout HTMLTokenizer
    ) {
        let start = attribute.valueRange.lowerBound
        let isExact = HTMLText.isPlain(tag.source.slice(attribute.valueRange))
        for item in items where !result.excess.contains(.references) {
            append(
                String(decoding: item.raw, as: UTF8.self), kind, element: tag.tagName,
                attribute: tag.name(of: attribute),
                tag.position(at: start + (isExact ? item.offset : 0)))
        }
    }

    mutating func append(
        _ raw: String, _ kind: Reference.Kind, element: String, attribute: String,
        _ position: SourcePosition
    ) {
        guard result.references.count < limits.maxReferences else {
            result.excess.insert(.references)
            return
        }
        result.references.append(
            Reference(
                raw: raw, target: .failure(WebURLError(.relativeWithoutBase)), kind: kind,
                element: element, attribute: attribute, position: position))
    }
}

extension UnsafeBufferPointer<UInt8> {
    func find(_ byte: UInt8, in range: Range<Int>) -> Bool {
        find(byte, from: range.lowerBound, to: range.upperBound) != nil
    }
}
