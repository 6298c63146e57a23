/// Where SVG and MathML begin and end, as far as the tokenizer and the scanners must know it:
/// there `<title>` and `<style>` hold markup, and `<![CDATA[` is not a comment.
///
/// This follows the rules of the tree builder for foreign content (HTML standard, section
/// 13.2.6.5) with a stack of only those elements that change which rules hold.
struct ForeignContent {
    private var stack: [HTMLElement] = []
    private(set) var isTooDeep = false

    /// Whether anything is open, so that tags must be told.
    var isFollowing: Bool { !stack.isEmpty }

    /// Whether the current place is in SVG or MathML and not in HTML inside of it.
    var isForeign: Bool { stack.last.map { !ForeignContent.holdsHTML($0) } ?? false }

    /// Takes note of a start tag. Returns whether the element is a foreign one.
    mutating func open(_ element: HTMLElement?, isSelfClosing: Bool, _ maxDepth: Int) -> Bool {
        guard let element else { return isForeign }
        if isForeign, ForeignContent.breaksOut(element) {
            while isForeign { stack.removeLast() }
            return false
        }
        let starts = element == .svg || element == .math
        guard isForeign || starts else { return false }
        if !isSelfClosing, starts || ForeignContent.holdsHTML(element) {
            if stack.count < maxDepth { stack.append(element) } else { isTooDeep = true }
        }
        return true
    }

    mutating func close(_ element: HTMLElement?) {
        guard let element, let index = stack.lastIndex(of: element) else { return }
        stack.removeSubrange(index...)
    }

    /// Integration points: HTML inside of SVG or MathML.
    static func holdsHTML(_ element: HTMLElement) -> Bool {
        switch element {
        case .foreignObject, .desc, .title, .mi, .mo, .mn, .ms, .mtext, .annotationXML: true
        default: false
        }
    }

    /// The start tags that end all foreign content around them.
    private static func breaksOut(_ element: HTMLElement) -> Bool {
        switch element {
        case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed,
            .h1, .h2, .h3, .h4, .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta,
            .nobr, .ol, .p, .pre, .ruby, .s, .small, .span, .strong, .strike, .sub, .sup, .table,
            .tt, .u, .ul, .var:
            true
        default: false
        }
    }
}
