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
