import Web

/// What a page that says that it isn't there says. Others speak of such pages too, in the same
/// words: so it takes a title of its form, and a second sign in the text.
enum MissingPage {
    /// Reading all of a page costs more than scanning it: only where the title gives reason to.
    static func isOne(_ document: FetchedDocument, _ page: ScannedPage, asked url: WebURL) -> Bool {
        page.isPage && isTold(by: page.title ?? "")
            && Extract(document, asked: url).suspicion == .softMissing
    }

    /// Whether a title is, begins with or ends with what such pages are called. What surrounds it
    /// is the site's name.
    static func isTold(by title: String) -> Bool {
        let title = title.lowercased()
        let searched = SearchedText(title)
        // Taking a title apart costs a hundred times as much.
        guard marks.contains(where: searched.has) else { return false }
        let words = words(of: title)
        if phrases.contains(where: { words.starts(with: $0) || words.ends(with: $0) }) {
            return true
        }
        if words.first.map(numbers.contains) ?? false { return true }
        let parts = title.split { "|-–—·:«»•".contains($0) }
            .map { Self.words(of: String($0)) }
        return parts.contains { $0.count == 1 && numbers.contains($0[0]) }
    }

    /// Whether a text, in lower case, says it as well: or next to nothing.
    static func isTold(by text: SearchedText, words: Int) -> Bool {
        words < fewWords || signs.contains(where: text.has)
    }

    private static let fewWords = 5
    private static let numbers: Set<String> = ["404", "410"]

    private static func words(of text: String) -> [String] {
        text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map { String($0) }
    }

    private static let phrases = [
        "not found", "error 404", "404 error", "http 404", "error 410", "http 410",
        "page doesn't exist", "page does not exist", "seite nicht gefunden", "page introuvable",
        "página no encontrada", "pagina non trovata", "страница не найдена",
        "ページが見つかりません", "no longer available",
    ].map { words(of: $0) }

    /// One of these is in each of them, in letters that can be written in one way only.
    private static let marks: [StaticString] = [
        "404", "410", "found", "exist", "gefunden", "introuvable", "encontrada", "trovata",
        "дена", "つかりません", "longer",
    ]

    private static let signs: [StaticString] = [
        "404", "410", "not found", "can't find", "can’t find", "cannot find", "could not find",
        "couldn't find", "couldn’t find", "can't be found", "can’t be found", "cannot be found",
        "could not be found", "couldn't be found", "does not exist", "doesn't exist",
        "doesn’t exist", "no longer", "been removed", "been moved", "been deleted", "sorry",
        "nicht gefunden", "existiert nicht", "introuvable", "n'existe p", "n’existe p",
        "no encontrada", "no existe", "non trovata", "non esiste", "не найден",
        "не существует", "見つかりません",
    ]
}

extension [String] {
    fileprivate func ends(with other: [String]) -> Bool {
        suffix(other.count).elementsEqual(other)
    }
}
