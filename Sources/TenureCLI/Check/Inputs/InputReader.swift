import Content
import Tenure
import TenureFoundation
import TenureSystem

/// Reads what a command line names. Whatever is wrong with it is one line, before anything is
/// written or asked for.
struct InputReader {
    private let flags: InputFlags
    private var hasReadInput = false

    init(_ flags: InputFlags) { self.flags = flags }

    /// - Throws: `Failure`, or `ContentError` with `.refusedURL` or `.badFolder`.
    static func read(_ flags: InputFlags) throws -> [NamedInput] {
        var reader = InputReader(flags)
        var inputs = try flags.asked.map { try reader.input($0) }
        for file in flags.list { inputs.append(try reader.list(file, as: "--list \(file)")) }
        return inputs
    }

    private mutating func input(_ text: String) throws -> NamedInput {
        if text == "-" { return try list("-", as: "-") }
        if !text.contains("://"), Self.mayBeList(text), try InputPath.kind(of: text) == .file {
            return try list(text, as: text)
        }
        if !text.contains("://"), Self.mayBeSitemap(text), try InputPath.kind(of: text) == .file {
            return try sitemap(text)
        }
        return NamedInput(name: text, places: try places(text))
    }

    private static func mayBeList(_ path: String) -> Bool { path.lowercased().hasSuffix(".txt") }

    private static func mayBeSitemap(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".xml") || name.hasSuffix(".xml.gz")
    }

    private func sitemap(_ file: String) throws -> NamedInput {
        let shown = PlainText.line(String(file.prefix(200)))
        let named: CheckInputs.SitemapList?
        do {
            named = try CheckInputs.sitemap(InputPath.read(file, as: shown))
        } catch let error as ContentError {
            throw Failure("\(shown): \(error)")
        }
        guard let named else {
            throw Failure(
                "\(shown) is no sitemap; give one with <urlset> or <sitemapindex>, or HTML or "
                    + "Markdown under its own name")
        }
        guard !named.urls.isEmpty else {
            throw Failure("\(shown) names no page with http or https")
        }
        if named.unusable > 0 {
            let others = CountText.of(named.unusable, "URL")
            Terminal.error("tenure: \(shown) has \(others) that nobody asks for: no http or https")
        }
        return NamedInput(
            name: file, places: named.urls.map { .url($0) }, isDirect: false, lines: named.lines)
    }

    private mutating func list(_ file: String, as name: String) throws -> NamedInput {
        let isInput = file == "-"
        if isInput, hasReadInput {
            throw Failure("\(name): standard input is read once; name - once")
        }
        hasReadInput = hasReadInput || isInput
        let shown = isInput ? "standard input" : file
        let lines = try URLList.lines(InputPath.read(isInput ? nil : file, as: shown), of: shown)
        var found: [NamedInput.Place] = []
        var numbers: [Int] = []
        for line in lines {
            do {
                found += try places(line.text)
            } catch {
                throw Failure("\(shown):\(line.number): \(error); nothing was checked")
            }
            numbers += Array(repeating: line.number, count: found.count - numbers.count)
            try Self.requireRoom(found, for: name)
        }
        return NamedInput(
            name: isInput ? "-" : file, places: found, isDirect: false, lines: numbers)
    }

    private func places(_ text: String) throws -> [NamedInput.Place] {
        let shown = PlainText.line(String(text.prefix(200)))
        if text.contains("://") {
            try CheckInputs.requireURL(text)
            return [.url(text)]
        }
        switch try InputPath.kind(of: text) {
        case .folder:
            let folder = try SiteFolder(text)
            guard try !folder.pages().isEmpty else {
                throw Failure(
                    "\(shown) has no HTML documents, and no Markdown at its top; name files or a "
                        + "pattern, such as '\(shown)/**/*.md'")
            }
            return [.folder(folder.path)]
        case .file:
            if Self.mayBeList(text) || Self.mayBeSitemap(text) {
                throw Failure(
                    "\(shown) names what is to be checked, and is named in a list itself; give it "
                        + "on the command line, beside the list")
            }
            guard SiteFolder.isDocument(text) else {
                throw Failure(
                    "\(shown) is no document that is checked; give HTML (.html, .htm, .xhtml), "
                        + "Markdown (.md, .markdown), a sitemap (.xml, .xml.gz) or a list of URLs "
                        + "(.txt)")
            }
            return [.file(try InputPath.real(text))]
        case nil where PathGlob.isPattern(text): return try files(matching: text, shown)
        case nil:
            if let id = UUID(uuidString: text) { return [.item(id)] }
            throw Failure(
                "\(shown) is neither a file, a folder nor a URL with http:// or https://, nor an "
                    + "item's id")
        }
    }

    private func files(matching pattern: String, _ shown: String) throws -> [NamedInput.Place] {
        let found = try GlobWalk(pattern, flags.walk).files()
        let documents = found.filter(SiteFolder.isDocument)
        guard !documents.isEmpty else {
            let hint = "names with a dot need --hidden, what .gitignore leaves out --no-ignore"
            throw Failure(
                found.isEmpty
                    ? "'\(shown)' matches no file; \(hint)"
                    : "'\(shown)' matches \(CountText.of(found.count, "file")), none of them HTML "
                        + "or Markdown; give a pattern that matches some")
        }
        if documents.count < found.count {
            let others = CountText.of(found.count - documents.count, "file")
            Terminal.error("tenure: '\(shown)' also matches \(others) that are no documents")
        }
        let places = try documents.map { NamedInput.Place.file(try InputPath.real($0)) }
        try Self.requireRoom(places, for: "'\(shown)'")
        return places
    }

    private static func requireRoom(_ places: [NamedInput.Place], for name: String) throws {
        guard places.count <= CheckInputs.mostPages else {
            throw Failure(
                "\(name) names more than \(CheckInputs.mostPages) pages; check them in parts")
        }
    }
}
