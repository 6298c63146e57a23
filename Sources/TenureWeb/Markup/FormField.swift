import Tenure

/// A field of the page's one form, which a verb takes along. Nothing in it is replaced while
/// somebody fills it in: its page isn't live.
package struct FormField {
    package enum Shape {
        case line(known: [String] = [])
        /// A date and a time, in UTC.
        case moment
        case text
        case choice([String])
        case box
        /// Nobody sees it: what the form was filled in for.
        case hidden
        /// Not to be changed here: its value says why.
        case fixed
    }
    let name: String
    let title: String
    let shape: Shape
    let value: String
    /// What stands in it while it is empty.
    let hint: String
    let isRequired: Bool

    package init(
        name: String, title: String, shape: Shape = .line(), value: String = "", hint: String = "",
        isRequired: Bool = false
    ) {
        (self.name, self.title, self.shape, self.value) = (name, title, shape, value)
        (self.hint, self.isRequired) = (hint, isRequired)
    }

    var markup: Markup {
        let own: Markup = " form=\"\(VerbButton.form)\" name=\"\(name)\""
        let must: Markup = isRequired ? " required" : ""
        switch shape {
        case .line(let known):
            let list = known.map { text -> Markup in "<option value=\"\(text)\"></option>" }
            let place: Markup = known.isEmpty ? "" : " list=\"known-\(name)\""
            let options: Markup =
                known.isEmpty ? "" : "<datalist id=\"known-\(name)\">\(list)</datalist>"
            return """
                <label>\(title)<input\(own)\(must)\(place) value="\(field: value)" \
                placeholder="\(hint)" autocomplete="off"></label>\(options)
                """
        case .moment:
            return """
                <label>\(title)<input type="datetime-local" step="1"\(own)\(must) \
                value="\(value)"></label>
                """
        case .text:
            return """
                <label>\(title)<textarea\(own)\(must) rows="8" cols="60" placeholder="\(hint)" \
                spellcheck="false">\n\(field: value)</textarea></label>
                """
        case .choice(let words):
            let options = words.map { word -> Markup in
                let mark: Markup = word == value ? " selected" : ""
                return "<option value=\"\(word)\"\(mark)>\(word.isEmpty ? hint : word)</option>"
            }
            return "<label>\(title)<select\(own)>\(options)</select></label>"
        case .hidden: return "<input type=\"hidden\"\(own) value=\"\(field: value)\">"
        case .fixed: return "<p><b>\(title)</b>: \(value)</p>"
        case .box:
            let mark: Markup = value.isEmpty ? "" : " checked"
            return """
                <label class="check"><input type="checkbox"\(own) value="1"\(mark)>\(title)</label>
                """
        }
    }

    /// Whether a browser sends it back as it went out. A line has no line ends.
    package static func keeps(_ value: String, isLine: Bool) -> Bool {
        PlainText.field(value) == value && value.utf8.count <= longest
            && !(isLine && value.utf8.contains(UInt8(ascii: "\n")))
    }

    /// Three bytes for each go into a form's body, at most.
    private static let longest = 100_000

    package static func form(_ fields: [FormField], _ button: VerbButton) -> Markup {
        """
        <div class="fields">\(fields.map(\.markup))</div>
        <div class="verbs">\(button.markup)</div>
        """
    }
}
