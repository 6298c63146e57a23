/// A `meta` that names the encoding further down than the prescan looks, where a browser finds it
/// while parsing and begins anew (HTML standard, "changing the encoding while parsing").
enum LateMeta {
    static func find(_ body: [UInt8]) -> Charset? {
        guard body.count > CharsetPrescan.window else { return nil }
        return HTMLTokenizer.scan(body) { tokenizer in
            while let kind = tokenizer.next() {
                guard kind == .startTag, tokenizer.element == .meta else { continue }
                if let charset = charset(tokenizer) { return CharsetPrescan.believed(charset) }
            }
            return nil
        }
    }

    private static func charset(_ meta: borrowing HTMLTokenizer) -> Charset? {
        if let label = meta.value(.charset) { return Charset(label: label) }
        guard meta.value(.httpEquiv)?.lowercased() == "content-type",
            let content = meta.value(.content)
        else { return nil }
        return CharsetPrescan.charset(inContent: Array(content.utf8))
    }
}
