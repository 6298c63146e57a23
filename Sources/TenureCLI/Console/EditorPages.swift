import Content
import Tenure
import TenureFoundation
import TenureWeb

/// A form in which a person sets fields of an item, or lets the next fetch fill them again.
struct ItemEditPage: Page {
    let id: UUID
    /// What was filled in before; empty where nobody has filled in anything.
    let form: Query
    let tab: Tab? = .items
    let title = "Edit an item"
    let isLive = false
    var enter: [String]? { Self.path(id) }

    static func path(_ id: UUID) -> [String] { ["items", id.uuidString.lowercased(), "edit"] }

    init(_ id: UUID, _ form: Query) { (self.id, self.form) = (id, form) }

    func look(_ look: Look) async throws -> ItemReport {
        guard let item = try await Items(pool: look.pool).item(.id(id)) else {
            throw NotThere(description: "There is no item \(id.uuidString.lowercased()).")
        }
        return ItemReport(item: item)
    }

    func sections(_ found: ItemReport, _ look: Look) -> [Section] {
        let address = look.links.to(Array(Self.path(id).dropLast()))
        let back = Markup.link("Back to the item", to: address)
        guard look.mayAct else {
            return [Section(id: "edit", body: "<p>You only look, and edit nothing. \(back)</p>")]
        }
        let known = Dictionary(
            found.item.fields.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
        let fields = FieldName.allCases.flatMap { name -> [FormField] in
            let field = known[name]
            let edit = self.field(name, field, look)
            guard field?.setBy != nil else { return [edit] }
            return [
                edit,
                FormField(
                    name: "clear-\(name.rawValue)",
                    title: "let the next fetch fill \(name.rawValue)", shape: .box,
                    value: form["clear-\(name.rawValue)"] ?? ""),
            ]
        }
        let version = FormField(
            name: Self.version, title: "", shape: .hidden,
            value: form[Self.version] ?? "\(found.item.keptVersion ?? 0)")
        let button = VerbButton(title: "Save", address: look.links.to(Self.path(id)))
        let words: Markup = """
            <p>What you change stays as you set it, whatever fetches bring. What you leave stays \
            as it is. \(back)</p>
            """
        return [Section(id: "edit", body: "\(words)\(FormField.form(fields + [version], button))")]
    }

    /// What a browser would not send back as it is, or what is shown without its secrets, would be
    /// saved as it is shown.
    private func field(_ name: FieldName, _ field: Item.Field?, _ look: Look) -> FormField {
        let title = "\(name.rawValue)\(Self.origin(field))"
        let old = field?.value ?? ""
        guard FormField.keeps(old, isLine: !name.isLong), look.shows(old) else {
            let why = "it is too long for a form, or has what a form does not keep; set it with "
            return FormField(
                name: name.rawValue, title: title, shape: .fixed,
                value: why + "tenure item edit \(id.uuidString.lowercased()) \(name.rawValue)=…")
        }
        return FormField(
            name: name.rawValue, title: title, shape: name.isLong ? .text : .line(),
            value: form.all(name.rawValue).first ?? old)
    }

    private static func origin(_ field: Item.Field?) -> String {
        guard let field else { return "" }
        return field.setBy.map { ", set by \($0)" } ?? ", from \(field.source.rawValue)"
    }

    private static let version = "version"

    /// What is different from what is there.
    /// Refused later where the item has another version than the form was filled in for: what a
    /// fetch has brought since would be set back, and kept from then on.
    func edit(of item: Item, by whom: String) -> Content.ItemEdit {
        var values: [FieldName: String] = [:]
        var cleared: Set<FieldName> = []
        for name in FieldName.allCases {
            if form["clear-\(name.rawValue)"] != nil {
                cleared.insert(name)
                continue
            }
            guard let value = form.all(name.rawValue).first.map(Self.plain) else { continue }
            let old = item.fields.first { $0.name == name }?.value
            if value != old.map(Self.plain) ?? "" { values[name] = value }
        }
        var edit = Content.ItemEdit(values, clearing: cleared, by: whom)
        if let text = form[Self.version] { edit.ofVersion = Int(text) ?? -1 }
        return edit
    }

    /// Whether anything was filled in, be it what is there already.
    var hasFields: Bool { FieldName.allCases.contains { !form.all($0.rawValue).isEmpty } }

    /// Browsers send line ends of their own, and nobody sees those at a text's end.
    private static func plain(_ text: String) -> String {
        var text = text.replacing("\r\n", with: "\n")
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}

extension FieldName {
    fileprivate var isLong: Bool {
        switch self {
        case .text, .description, .excerpt: true
        case .title, .authors, .published, .modified, .siteName, .language, .image: false
        }
    }
}

/// A form in which somebody says of findings that they don't count, and why.
struct IgnorePage: Page {
    let form: Query
    let tab: Tab? = .links
    let title = "Ignore findings"
    let isLive = false
    let enter: [String]? = Self.path
    static let path = ["links", "ignore"]
    /// In the order in which they were made.
    let place: ListPlace<Int64>

    init(form: Query) throws {
        self.form = form
        place = try ListPlace(form, at: "links", "ignore")
    }

    func look(_ look: Look) async throws -> ListPart<IgnoreOutput> {
        let rules = try await IgnoreRules(pool: look.pool).list().map { IgnoreOutput($0) }
        return place.part(of: rules, look) { $0.id ?? 0 }
    }

    func sections(_ found: ListPart<IgnoreOutput>, _ look: Look) -> [Section] {
        let rows = found.rows.map { rule -> [Markup] in
            let remove = VerbButton(
                title: "Remove", address: look.links.to("links", "unignore"),
                value: (name: "rule", value: "\(rule.id ?? 0)"))
            return [
                "<span class=\"long\">\(rule.target)</span>", Markup.optional(rule.code),
                Markup.optional(rule.page), "\(rule.reason)", "\(rule.madeBy)",
                "\(rule.hasEnded ? "ended " : "")\(rule.until ?? "for good")", look.verb(remove),
            ]
        }
        let table = ListTable(
            caption: "Findings that don't count",
            columns: [
                .init("target"), .init("what"), .init("on pages"), .init("because"), .init("by"),
                .init("until"), .init(""),
            ], rows: rows, none: "Every finding counts.")
        let rules = Section(
            id: "rules", body: "\(table.markup)\(place.pages(found.next, look))")
        guard look.mayAct else { return [rules] }
        let button = VerbButton(title: "Ignore them", address: look.links.to(Self.path))
        let words: Markup = """
            <p>They fail no check any more; each report says how many there are, who said so and \
            why. * stands for any text.</p>
            """
        return [
            Section(id: "ignore", body: "\(words)\(FormField.form(fields, button))"), rules,
        ]
    }

    private var fields: [FormField] {
        func field(_ name: String, _ title: String, _ hint: String, must: Bool = false) -> FormField
        {
            FormField(
                name: name, title: title, value: form[name] ?? "", hint: hint, isRequired: must)
        }
        return [
            field("target", "targets, a URL or a pattern", "https://old.example/*", must: true),
            field("reason", "because", "their server moves", must: true),
            field("code", "only findings of this code", "404"),
            field("page", "only on these pages", "https://example.org/drafts/*"),
            field("until", "until the end of this day, in UTC", "for good"),
        ]
    }
}
