/// The elements that anything here asks for by name.
public enum HTMLElement: String, CaseIterable, Sendable {
    case a, address, applet, area, article, aside, audio, b, base, basefont, bgsound, big
    case blockquote, body, br, button, caption, center, code, col, colgroup, dd, del, details
    case dfn, dialog, dir, div, dl, dt, em, embed, fieldset, figcaption, figure, font, footer
    case form, frame, frameset, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html, i
    case iframe, image, img, input, ins, keygen, label, li, link, listing, main, marquee, math
    case menu, meta, nav, nobr, noembed, noframes, noscript, object, ol, optgroup, option, p
    case param, picture, plaintext, pre, q, rb, rp, rt, rtc, ruby, s, script, search, section
    case select, small, source, span, strike, strong, style, sub, summary, sup, svg, table
    case tbody, td, template, textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul
    case `var`, video, wbr, xmp
    // Of SVG and MathML.
    case annotationXML = "annotation-xml"
    case desc, mi, mn, mo, ms, mtext, use
    case foreignObject = "foreignobject"
    case feImage = "feimage"
}

/// The attributes that anything here asks for by name.
public enum HTMLAttributeName: String, CaseIterable, Sendable {
    case action, alt, archive, background, charset, cite, `class`, classid, codebase, color
    case content, data, datetime, dir, domain, encoding, face, formaction, hidden, href, id
    case imagesrcset, imagesizes, itemprop, label, lang, length, longdesc, manifest, media
    case method, name, ping, poster, profile, property, rel, role, shadowrootmode, size, sizes
    case src, srcdoc, srcset, style, target, term, title, type, url, usemap, value, version
    case httpEquiv = "http-equiv"
    case isPermaLink = "ispermalink"
    case rdfAbout = "rdf:about"
    case xlinkHref = "xlink:href"
    case xmlBase = "xml:base"
    case xmlLang = "xml:lang"
}
