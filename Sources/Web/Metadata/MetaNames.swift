/// The names of `meta` elements that mean something here: those of the OpenGraph protocol, of
/// Twitter cards, of HTML and its registry, of Dublin Core and of what scholars use.
enum MetaNames {
    typealias Meaning = (name: MetadataCollector.Name, source: PageMetadata.Source)

    static func meaning(of key: String) -> Meaning? {
        if key.hasPrefix("og:") || key.hasPrefix("article:") {
            return openGraph[key].map { ($0, .openGraph) }
        }
        if key.hasPrefix("twitter:") { return twitter[key].map { ($0, .twitter) } }
        return html[key].map { ($0, .html) }
    }

    private static let openGraph: [String: MetadataCollector.Name] = [
        "og:title": .title, "og:description": .description, "og:site_name": .siteName,
        "og:locale": .language, "og:image": .image, "og:image:url": .image,
        "og:image:secure_url": .image, "og:url": .canonical, "og:type": .type,
        "article:published_time": .published, "article:modified_time": .modified,
        "og:updated_time": .modified, "article:author": .author, "article:tag": .keywords,
    ]

    private static let twitter: [String: MetadataCollector.Name] = [
        "twitter:title": .title, "twitter:description": .description, "twitter:image": .image,
        "twitter:image:src": .image,
    ]

    private static let html: [String: MetadataCollector.Name] = [
        "description": .description, "author": .author, "keywords": .keywords,
        "application-name": .siteName, "language": .language,
        "date": .published, "pubdate": .published, "publishdate": .published,
        "datepublished": .published, "datecreated": .published, "citation_date": .published,
        "citation_publication_date": .published, "citation_title": .title,
        "citation_author": .author, "last-modified": .modified, "datemodified": .modified,
        "dc.title": .title, "dc.description": .description, "dc.creator": .author,
        "dc.date": .published, "dc.date.issued": .published, "dc.language": .language,
        "dcterms.title": .title, "dcterms.description": .description, "dcterms.creator": .author,
        "dcterms.created": .published, "dcterms.issued": .published, "dcterms.date": .published,
        "dcterms.modified": .modified, "dcterms.language": .language,
    ]
}
