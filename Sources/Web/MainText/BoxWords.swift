/// The words that names of boxes are made of, in the languages whose sites use their own.
enum BoxWords {
    private static let words: [(BoxName, String)] = [
        (.owner, "article artikel articulo entry story post single blog news page td"),
        (.part, "body content text copy inhalt contenido cuerpo corps main markdown"),
        (.body, "articlebody articletext articlecontent bodytext entrycontent postcontent"),
        (.body, "postbody storybody storytext storycontent newsbody newstext maintext"),
        (.comments, "comment comments commentlist commentform kommentar kommentare"),
        (.comments, "comentarios commentaires commenti disqus respond reactions nocomments"),
        (.related, "related relatedposts relatednews relatedlinks relatedarticles relatedtopics"),
        (.related, "recommended recommendations recommendation recommend taboola outbrain yarpp"),
        (.related, "verwandte aehnliche empfehlung empfehlungen relacionadas relacionados"),
        (.related, "relacionada destacadas correlati mostread mostpopular latest"),
        (.related, "nextread nextpost nextstory readmore readnext crp similar suggested trending"),
        (.teaser, "teaser teasers card cards tile tiles"),
        (.beside, "nav navi navbar navigation menu submenu breadcrumb breadcrumbs pagination"),
        (.beside, "pager paging sidebar toolbar masthead footer toc widget skiplink skip dropdown"),
        (.beside, "share sharing shares sharedaddy sharebar shariff social socials socialmedia"),
        (.beside, "addthis addtoany follow ad ads adv advert advertisement advertising adsense"),
        (.beside, "adsbygoogle promo promotion promoted sponsor sponsored banner banners werbung"),
        (.beside, "anzeige publicidad reklama subscribe subscription newsletter signup login cta"),
        (.beside, "donate donation spenden cookie cookies consent gdpr popup modal overlay"),
        (.beside, "tooltip noprint screenreader visuallyhidden visually sr invisible sticky"),
        (.beside, "postnav prevnext sitemap feedback bookmark whatsapp telegram poll affiliate"),
        (.beside, "disclosure advertorial plista abo abonnement premium linkbox linklist flair"),
        (.about, "author authors authorbox byline bio vcard autor meta metadata postmeta date"),
        (.about, "datetime dateline timestamp tags taglist tagcloud keywords topics categories"),
        (.about, "etiquetas source sources fuente quelle autorbox"),
        (.about, "rating ratings likes vote votes copyright disclaimer published"),
        (.about, "postmetadata utility"),
        (.caption, "caption captions credit credits figcaption bildunterschrift legend"),
        (.other, "has no not with without use enable enabled show can category tag template"),
        (.other, "elementor col status format type"),
    ]

    /// What longer words begin with, in six letters: `relatedposts`, `kommentarmodul`.
    private static let stems: [(BoxName, String)] = [
        (.comments, "commen kommen disqus"),
        (.related, "relate recomm verwan empfeh"),
        (.teaser, "teaser"),
        (.beside, "social newsle breadc sideba advert sponso subscr cookie naviga footer werbun"),
        (.beside, "widget sharin shareb promot pagina abonne"),
        (.about, "author tagclo taglis"),
        (.caption, "captio"),
    ]

    private static let slots: [(key: NameKey, name: BoxName)] = {
        var slots = Array(repeating: (key: NameKey(), name: BoxName()), count: 1024)
        let all = words.map { ($0, $1, false) } + stems.map { ($0, $1, true) }
        for (name, list, isStem) in all {
            for word in list.split(separator: " ") {
                let key = isStem ? NameKey(String(word)).stem : NameKey(String(word))
                var index = slot(key)
                while slots[index].key.count > 0 { index = (index + 1) & 1023 }
                slots[index] = (key, name)
            }
        }
        return slots
    }()

    static func find(_ word: NameKey) -> BoxName {
        let name = exact(word)
        return name.isEmpty && word.count > 6 ? exact(word.stem) : name
    }

    private static func exact(_ key: NameKey) -> BoxName {
        var index = slot(key)
        while slots[index].key.count > 0 {
            if slots[index].key == key { return slots[index].name }
            index = (index + 1) & 1023
        }
        return []
    }

    private static func slot(_ key: NameKey) -> Int {
        Int(truncatingIfNeeded: ((key.head ^ key.tail) &* 0x9E37_79B9_7F4A_7C15) >> 54)
    }
}

extension NameKey {
    /// The first six letters, as no whole name is written.
    fileprivate var stem: NameKey {
        var stem = NameKey()
        stem.head = head & 0xFFFF_FFFF_FFFF
        stem.tail = .max
        stem.count = 6
        return stem
    }
}
