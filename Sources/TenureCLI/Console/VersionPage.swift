import Content
import Tenure
import TenureFoundation
import TenureWeb

/// What is different between two versions of an item's text: one, and the one before it or another.
struct VersionPage: Page {
    struct Found: Encodable, Sendable {
        struct Version: Encodable, Sendable {
            let number: Int
            let madeAt: Date
            @OrNull var madeBy: String?
            @OrNull var title: String?

            init(_ version: VersionText) {
                (number, madeAt) = (version.number, version.madeAt)
                (madeBy, title) = (version.madeBy, version.title)
            }
        }
        let version: Version
        /// What it is compared with; nil: there is none.
        @OrNull var other: Version?
        /// Nil where they are too large to be compared.
        @OrNull var lines: [ComparedLine]?
        @OrNull var tooLarge: String?
    }
    let id: UUID
    let number: Int
    let other: Int?
    let tab: Tab? = .items
    var title: String { "Version \(number) of an item" }
    /// No version ever changes.
    let isLive = false

    static func path(_ id: UUID, _ number: Int) -> [String] {
        ["items", id.uuidString.lowercased(), "versions", "\(number)"]
    }

    /// - Throws: `NotThere`, `BadRequest`.
    init(_ id: UUID, _ text: String, _ query: Query) throws {
        guard let number = Self.number(text) else {
            throw NotThere(
                description: "There is no version \(text.prefix(100)): they have numbers from 1.")
        }
        (self.id, self.number) = (id, number)
        other = try query["from"].map { text in
            guard let number = Self.number(text) else {
                throw BadRequest("from is \"\(text.prefix(100))\"; give a version's number")
            }
            return number
        }
    }

    private static func number(_ text: String) -> Int? {
        Int(text).flatMap { (1...Int(Int32.max)).contains($0) ? $0 : nil }
    }

    func look(_ look: Look) async throws -> Found {
        let texts = try await Items(pool: look.pool).texts(of: id, version: number, and: other)
        for wanted in [number, other ?? number]
        where !texts.contains(where: { $0.number == wanted }) {
            throw NotThere(description: "There is no version \(wanted) of it, or none any more.")
        }
        let version = texts.first { $0.number == number } ?? texts[0]
        let before = texts.first { $0.number == other ?? texts[0].number }
        let isOnly = other == nil && texts.count == 1
        return try Self.compared(version, with: isOnly ? nil : before)
    }

    private static func compared(
        _ version: VersionText, with other: VersionText?
    ) throws -> Found {
        var found = Found(version: .init(version), other: other.map { .init($0) })
        do throws(LineDiff.TooLarge) {
            guard let new = version.text, let old = other == nil ? "" : other?.text else {
                throw .bytes
            }
            found.lines = ComparedLine.all(try LineDiff(from: old, to: new))
        } catch {
            found.tooLarge =
                switch error {
                case .bytes: "a text has more than \(LineDiff.mostBytes >> 20) MiB"
                case .lines: "a text has more than \(LineDiff.mostLines) lines"
                case .changes: "more than \(LineDiff.mostChanges) lines are others"
                }
        }
        return found
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        var facts = Facts()
        facts.add("this version", Self.version(found.version))
        facts.add("compared with", found.other.map(Self.version) ?? "nothing: it is the first")
        facts.add("title", Self.titles(found))
        let item = look.links.to("items", id.uuidString.lowercased())
        let back = Markup.link("The item and its versions", to: item)
        return [
            Section(id: "version", body: "\(facts.markup)<p>\(back)</p>"),
            Section(id: "text", body: Self.text(found)),
        ]
    }

    private static func version(_ version: Found.Version) -> Markup {
        "\(version.number), by \(version.madeBy ?? "a fetch") \(Markup.moment(version.madeAt))"
    }

    private static func titles(_ found: Found) -> Markup? {
        let (old, new) = (found.other?.title, found.version.title)
        if old == new || found.other == nil { return new.map { "\($0)" } }
        let parts = [
            old.map { ComparedLine.Change.removed.markup($0) },
            new.map { ComparedLine.Change.added.markup($0) },
        ]
        return Markup.joined(parts.compactMap(\.self), " ")
    }

    private static func text(_ found: Found) -> Markup {
        if let why = found.tooLarge {
            return "<p class=\"notice bad\">The texts are too large to be compared: \(why).</p>"
        }
        let lines = found.lines ?? []
        let counts = [ComparedLine.Change.removed, .added].map { change in
            lines.count { $0.change == change }
        }
        if counts == [0, 0] { return "<p class=\"none\">The text is the same in both.</p>" }
        return """
            <h2>What is different in the text</h2>
            <p>\(CountText.of(counts[0], "line")) removed, \(CountText.of(counts[1], "line")) \
            added.</p>
            <div class="diff" role="region" tabindex="0" aria-label="What is different">\
            \(lines.map(\.markup))</div>
            """
    }
}
