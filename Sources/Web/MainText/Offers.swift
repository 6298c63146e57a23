/// Lines that offer something else: other pages, a newsletter, a place to share. They stand in the
/// text without a box of their own, as a heading or as a short paragraph.
///
/// A phrase counts at the start of a line; with a full stop behind it only as the whole line. Only
/// ASCII is read without case: other capitals are phrases of their own.
enum Offers {
    static func begins(_ text: String) -> Bool {
        let utf8 = text.utf8
        guard let first = utf8.first, let second = utf8.dropFirst().first,
            let phrases = phrases[beginning(first.asciiLowercased, second.asciiLowercased)]
        else { return false }
        // A closure: a key path is looked up for each byte.
        let line = utf8.prefix(64).map { $0.asciiLowercased }
        return phrases.contains { phrase in
            if phrase.last != UInt8(ascii: ".") { return line.starts(with: phrase) }
            let whole = phrase.dropLast()
            return line.starts(with: whole)
                && line.dropFirst(whole.count).allSatisfy { $0 == 0x3A || $0.isASCIIWhitespace }
        }
    }

    /// In UTF-8, by how they begin: few lines of a page begin like one of them.
    private static let phrases = Dictionary(
        grouping: lines.split { $0 == "\n" || $0 == "|" }.map { Array($0.utf8) }
    ) { beginning($0[0], $0[1]) }

    private static func beginning(_ first: UInt8, _ second: UInt8) -> UInt16 {
        UInt16(first) << 8 | UInt16(second)
    }

    private static let lines = """
        related.|related articles|related posts|related stories|related content|related news
        related:|related topics|read more.|read more:|read also|also read|read next|more from
        more stories|more news|you may also|you might also|recommended for you|recommended.
        don't miss|most popular|most read|trending.|follow us|sign up for|subscribe to|subscribe.
        subscribe now|share this|share on|about the author|leave a comment|leave a reply
        post a comment|join the conversation|advertisement|sponsored content|up next|filed under
        posted in|tags:|tagged:|no comments|this entry was posted|download our app
        mehr zum thema|mehr zu |mehr aus |mehr von |weitere artikel|weitere themen|weitere beiträge
        weiterführende links|lesen sie auch|lesen sie hier|lesen sie mehr|lies auch|das könnte
        auch interessant
        ähnliche beiträge|ähnliche artikel|Ähnliche beiträge|Ähnliche artikel|verwandte
        zum weiterlesen|folgen sie|folge uns|jetzt abonnieren
        abonnieren sie|newsletter.|artikel teilen|diesen artikel teilen|anzeige.|anzeige -|werbung.
        über den autor|über die autorin|Über den autor|Über die autorin|schreibe einen kommentar
        kommentar schreiben|kommentare.
        keine kommentare|bisher keine kommentare|schlagwörter|neueste artikel|neueste beiträge
        zurück zu
        à lire aussi|à lire.|À lire aussi|À lire.|lire aussi|lire la suite|voir aussi
        sur le même sujet|articles similaires
        partager.|partager cet|abonnez-vous|publicité.|suivez-nous|commentaires.|vos réactions
        lea también|lee también|lea además|leer más|leé también|te puede interesar|te recomendamos
        más sobre|más noticias|noticias relacionadas|temas relacionados|artículos relacionados
        puedes ver|mira también|mire:|síguenos|siguenos|suscríbete|compartir.|publicidad.
        notas relacionadas
        leia também|leia mais|veja também|saiba mais|compartilhe|publicidade.|siga-nos|nos siga
        leggi anche|leggi tutto|articoli correlati|potrebbe interessarti|ti potrebbe|condividi.
        lees ook|lees meer|meer over|gerelateerde|deel dit
        zobacz także|zobacz również|zobacz też|czytaj także|czytaj też|czytaj więcej|czytaj również
        polecamy.|reklama.|udostępnij|powiązane
        читайте также|смотрите также|подписывайтесь|по теме.|Читайте также
        Смотрите также|Подписывайтесь|По теме.
        関連記事|あわせて読みたい|相关阅读|相关文章|推荐阅读|延伸阅读|相關文章|延伸閱讀
        """
}
