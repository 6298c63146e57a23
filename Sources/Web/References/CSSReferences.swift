/// What a style sheet refers to: `@import`, `url()` and the strings of `image-set()`.
public enum CSSReferences {
    /// Scans a style sheet in UTF-8 whose URL is `sheetURL`.
    public static func scan(
        _ bytes: [UInt8], sheetURL: WebURL, limits: HTMLLimits = HTMLLimits()
    ) -> [Reference] {
        bytes.withUnsafeBufferPointer { source in
            var scanner = CSSScanner(source)
            scanner.scan(limit: limits.maxReferences)
            var locator = SourceLocator(source)
            let base = URLRecord(sheetURL)
            return scanner.found.map { found in
                Reference(
                    raw: found.raw, target: .resolving(found.raw, against: base),
                    kind: found.isImport ? .cssImport : .cssURL, element: "", attribute: "",
                    position: locator.position(at: found.offset))
            }
        }
    }
}

extension Result where Success == WebURL, Failure == WebURLError {
    /// For many references with one base, which is taken apart only once.
    /// - Parameter charset: that of the document, for queries; style sheets have UTF-8 always.
    static func resolving(
        _ raw: String, against base: URLRecord, _ charset: Charset = .utf8
    ) -> Self {
        var parser = URLParser(raw.utf8, base: base)
        parser.queryCharset = charset
        do {
            try parser.parse()
            return .success(parser.record.serialized())
        } catch {
            return .failure(error)
        }
    }
}
