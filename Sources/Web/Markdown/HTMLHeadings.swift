/// The texts of headings that stand in Markdown as HTML: they get names as others do.
enum HTMLHeadings {
    static func texts(in html: [UInt8]) -> [String] {
        HTMLTokenizer.scan(html) { tokenizer in
            var texts: [String] = []
            var open: [UInt8]?
            while let kind = tokenizer.next() {
                switch kind {
                case .startTag where levels.contains(tokenizer.element): open = []
                case .endTag where levels.contains(tokenizer.element):
                    if let text = open {
                        texts.append(HTMLText.collapsing(text, limit: longest))
                    }
                    open = nil
                case .text where open != nil: tokenizer.appendText(to: &open!)
                default: break
                }
            }
            return texts
        }
    }

    private static let levels: [HTMLElement?] = [.h1, .h2, .h3, .h4, .h5, .h6]
    private static let longest = 4096
}
