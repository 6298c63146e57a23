/// What tree construction asks about elements (HTML standard, sections 13.1.2 and 13.2.4).
extension HTMLElement {
    /// Elements that have no contents and no end tag.
    var isVoid: Bool {
        switch self {
        case .area, .base, .basefont, .bgsound, .br, .col, .embed, .frame, .hr, .img, .image,
            .input, .keygen, .link, .meta, .param, .source, .track, .wbr:
            true
        default: false
        }
    }

    /// "Formatting": reopened where another element's end cut them off.
    var isFormatting: Bool {
        switch self {
        case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
            true
        default: false
        }
    }

    /// "Special": no end tag of an ordinary element reaches beyond one of these.
    var isSpecial: Bool {
        if closesParagraph || isVoid && self != .image || isTablePart || isHeadContent {
            return true
        }
        switch self {
        case .applet, .body, .button, .dd, .dt, .frameset, .head, .html, .iframe, .li, .marquee,
            .noembed, .object, .select, .table, .textarea, .xmp:
            return true
        default: return false
        }
    }

    /// Start tags before which an open `p` ends.
    var closesParagraph: Bool {
        switch self {
        case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl,
            .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header,
            .hgroup, .hr, .listing, .main, .menu, .nav, .ol, .p, .plaintext, .pre, .search,
            .section, .summary, .ul, .xmp:
            true
        default: false
        }
    }

    var isHeading: Bool {
        switch self {
        case .h1, .h2, .h3, .h4, .h5, .h6: true
        default: false
        }
    }

    /// "Generate implied end tags".
    var hasImpliedEnd: Bool {
        switch self {
        case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
        default: false
        }
    }

    /// Where "in scope" ends.
    var endsScope: Bool {
        switch self {
        case .applet, .caption, .html, .table, .td, .th, .marquee, .object, .template: true
        default: false
        }
    }

    /// Elements that formatting doesn't reach into: a "marker" stands before their contents.
    var hasMarker: Bool {
        switch self {
        case .applet, .caption, .td, .th, .marquee, .object, .template: true
        default: false
        }
    }

    /// What belongs to the head as long as nothing of the body has come.
    var isHeadContent: Bool {
        switch self {
        case .base, .basefont, .bgsound, .link, .meta, .noframes, .noscript, .script, .style,
            .template, .title:
            true
        default: false
        }
    }

    /// What stands only inside of a table.
    var isTablePart: Bool {
        switch self {
        case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr: true
        default: false
        }
    }

    var isRowGroup: Bool { self == .tbody || self == .thead || self == .tfoot }

    /// Inside of these, directly, nothing but parts of a table may stand.
    var holdsTableParts: Bool { self == .table || self == .tr || isRowGroup }
}
