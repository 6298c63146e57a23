import Tenure

/// What programs find at the addresses of a part of the console: the OpenAPI document is made of
/// these.
package struct APIDescription: Sendable {
    /// One address, and what is answered there.
    package struct Place: Sendable {
        let path: String
        let words: String
        /// Of the query or, where something is done, of the form: `name: type  words`.
        let parameters: [String]
        let answer: String
        let isVerb: Bool
        /// What the rows of a list are; nil for what is none.
        var row: String?

        /// - Parameters:
        ///   - path: `/jobs/{id}`.
        ///   - answer: a type, as `SchemaText` has it.
        package static func look(
            _ path: String, _ words: String, _ answer: String, _ parameters: [String] = []
        ) -> Place {
            Place(
                path: path, words: words, parameters: parameters, answer: answer, isVerb: false)
        }

        /// A list that comes in parts: `rows` and the address of the `next` one.
        package static func list(
            _ path: String, _ words: String, of row: String, _ parameters: [String] = []
        ) -> Place {
            Place(
                path: path, words: words, parameters: parameters + Self.part,
                answer: "\(row)Part", isVerb: false, row: row)
        }

        /// What an address of one part of a list says, as `next` has it.
        package static let part = [
            "\(ListParameter.after): text  the part behind this row: part of what `next` gives",
            "\(ListParameter.skip): whole  and behind so many more: part of what `next` gives",
        ]
        /// Where the next part is.
        package static let next = "next: text?  the address of the next part; null for the last"

        package static func verb(
            _ path: String, _ words: String, _ parameters: [String] = []
        ) -> Place {
            Place(
                path: path, words: words, parameters: parameters, answer: "Done", isVerb: true)
        }

        /// A verb whose reason is kept.
        var askingWhy: Place {
            isVerb ? .verb(path, words, parameters + [Reason.parameter]) : self
        }
    }
    let places: [Place]
    /// By name, as `SchemaText` has them.
    let schemas: [String: String]

    package init(places: [Place] = [], schemas: [String: String] = [:]) {
        (self.places, self.schemas) = (places, schemas)
    }

    static func document(_ parts: [APIDescription], prefix: String) -> PayloadValue {
        var paths: [String: PayloadValue] = [:]
        for place in parts.flatMap(\.places) {
            var methods: [String: PayloadValue] = [:]
            if case .object(let others) = paths[place.path] { methods = others }
            methods[place.isVerb ? "post" : "get"] = place.operation
            paths[place.path] = .object(methods)
        }
        let lists = parts.flatMap(\.places).compactMap(\.row).map { row in
            ("\(row)Part", SchemaText(lines: "rows: [\(row)]\n\(Place.next)"))
        }
        let objects = parts.flatMap { part in
            part.schemas.map { ($0.key, SchemaText(lines: $0.value)) }
        }
        let schemas = objects + lists
        return .object([
            "openapi": .text("3.1.0"),
            "info": .object([
                "title": .text("Tenure’s console"), "version": .text("1"),
                "description": .text(
                    "Each page of the console is JSON for who sends “Accept: application/json”. "
                        + "Fields may be added; those that are here stay. A list comes in parts "
                        + "of \(ListLength.most) rows at most, each with the address of the next."),
            ]),
            "servers": .array([.object(["url": .text(prefix.isEmpty ? "/" : prefix)])]),
            "security": .array([.object(["token": .array([])])]),
            "paths": .object(paths),
            "components": .object([
                "schemas": .object(
                    Dictionary(schemas.map { ($0.0, $0.1.object) }) { first, _ in first }),
                "securitySchemes": .object([
                    "token": .object(["type": .text("http"), "scheme": .text("bearer")])
                ]),
            ]),
        ])
    }
}

extension APIDescription.Place {
    fileprivate var operation: PayloadValue {
        var operation: [String: PayloadValue] = [
            "summary": .text(words), "responses": .object(responses),
            "operationId": .text((isVerb ? "post" : "get") + path),
        ]
        var given = names.map { parameter("\($0): text", in: "path") }
        if isVerb {
            // What a form says beside the query's filters.
            let fields = parameters.joined(separator: "\n")
            if !fields.isEmpty {
                operation["requestBody"] = .object([
                    "content": .object([
                        "application/x-www-form-urlencoded": .object([
                            "schema": SchemaText(lines: fields).object
                        ])
                    ])
                ])
            }
        } else {
            given += parameters.map { parameter($0, in: "query") }
        }
        if !given.isEmpty { operation["parameters"] = .array(given) }
        return .object(operation)
    }

    /// What stands between braces in its path.
    private var names: [String] {
        path.split(separator: "/").filter { $0.first == "{" }
            .map { String($0.dropFirst().dropLast()) }
    }

    private func parameter(_ line: String, in place: String) -> PayloadValue {
        let line = SchemaLine(line)
        var parameter: [String: PayloadValue] = [
            "name": .text(line.name), "in": .text(place), "required": .bool(place == "path"),
            "schema": SchemaText.type(line.type),
        ]
        if let words = line.words { parameter["description"] = .text(words) }
        return .object(parameter)
    }

    private var responses: [String: PayloadValue] {
        func answer(_ words: String, _ type: String) -> PayloadValue {
            .object([
                "description": .text(words),
                "content": .object([
                    "application/json": .object(["schema": SchemaText.type(type)])
                ]),
            ])
        }
        var responses = [
            "200": answer(isVerb ? "It is done." : "What the page shows.", self.answer),
            "default": answer(
                "400 can’t be read, 401 nobody is logged in, 403 the role may not, 404 there is "
                    + "no such thing, 413 too long, 503 the database can’t be asked.", "Problem"),
        ]
        if isVerb { responses["409"] = answer("It was so already, or can’t be now.", "Done") }
        return responses
    }
}
