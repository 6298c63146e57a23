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
                <label>\(title)<input\(own)\(must)\(place) value="\(value)" placeholder="\(hint)" \
                autocomplete="off"></label>\(options)
                """
        case .moment:
            return """
                <label>\(title)<input type="datetime-local" step="1"\(own)\(must) \
                value="\(value)"></label>
                """
        case .text:
            return """
                <label>\(title)<textarea\(own)\(must) rows="8" cols="60" placeholder="\(hint)" \
                spellcheck="false">\(document: value)</textarea></label>
                """
        case .choice(let words):
            let options = words.map { word -> Markup in
                let mark: Markup = word == value ? " selected" : ""
                return "<option value=\"\(word)\"\(mark)>\(word.isEmpty ? hint : word)</option>"
            }
            return "<label>\(title)<select\(own)>\(options)</select></label>"
        case .hidden: return "<input type=\"hidden\"\(own) value=\"\(value)\">"
        case .box:
            let mark: Markup = value.isEmpty ? "" : " checked"
            return """
                <label class="check"><input type="checkbox"\(own) value="1"\(mark)>\(title)</label>
                """
        }
    }

    package static func form(_ fields: [FormField], _ button: VerbButton) -> Markup {
        """
        <div class="fields">\(fields.map(\.markup))</div>
        <div class="verbs">\(button.markup)</div>
        """
    }
}
