/// The members of one object by number, with the complaints that a reader of the file needs.
struct Members {
    let values: [JSONValue]
    let names: [String]

    func integer(_ index: Int) throws(JSONError) -> Int {
        guard let value = try optionalInteger(index) else { throw missing(index) }
        return value
    }

    func optionalInteger(_ index: Int) throws(JSONError) -> Int? {
        switch values[index] {
        case .integer(let value): value
        case .absent, .null: nil
        default: throw wrong(index, "an integer")
        }
    }

    func seconds(_ index: Int) throws(JSONError) -> Double {
        guard let value = try optionalSeconds(index) else { throw missing(index) }
        return value
    }

    func optionalSeconds(_ index: Int) throws(JSONError) -> Double? {
        switch values[index] {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .absent, .null: nil
        default: throw wrong(index, "a number")
        }
    }

    func flag(_ index: Int) throws(JSONError) -> Bool {
        switch values[index] {
        case .bool(let value): value
        case .absent, .null: false
        default: throw wrong(index, "true or false")
        }
    }

    func knownFlag(_ index: Int) throws(JSONError) -> Bool {
        if isNothing(index) { throw missing(index) }
        return try flag(index)
    }

    func slice(_ index: Int) throws(JSONError) -> JSONSlice {
        switch values[index] {
        case .text(let value): value
        case .absent, .null: throw missing(index)
        default: throw wrong(index, "a text")
        }
    }

    func text(_ index: Int) throws(JSONError) -> String { try slice(index).string }

    func optionalText(_ index: Int) throws(JSONError) -> String? {
        if isNothing(index) { return nil }
        return try slice(index).string
    }

    /// A text, or an integer that serves as one.
    func label(_ index: Int) throws(JSONError) -> String {
        if case .integer(let value) = values[index] { return "\(value)" }
        return try text(index)
    }

    func job(_ index: Int) throws(JSONError) -> JobID {
        guard let job = JobID(try slice(index)) else { throw wrong(index, "a lower-case UUID") }
        return job
    }

    func optionalJob(_ index: Int) throws(JSONError) -> JobID? {
        if isNothing(index) { return nil }
        return try job(index)
    }

    /// One of the words that an enumeration knows.
    func word<Word: RawRepresentable<String>>(
        _ index: Int, _ type: Word.Type
    ) throws(JSONError) -> Word {
        let text = try text(index)
        guard let word = Word(rawValue: text) else {
            throw JSONError("`\(names[index])` is `\(text)`, which the format doesn't know")
        }
        return word
    }

    func optionalWord<Word: RawRepresentable<String>>(
        _ index: Int, _ type: Word.Type
    ) throws(JSONError) -> Word? {
        if isNothing(index) { return nil }
        return try word(index, type)
    }

    func container(_ index: Int) throws(JSONError) -> JSONSlice {
        switch values[index] {
        case .container(let slice): slice
        case .absent, .null: throw missing(index)
        default: throw wrong(index, "an object or a list")
        }
    }

    func isNothing(_ index: Int) -> Bool {
        switch values[index] {
        case .absent, .null: true
        default: false
        }
    }

    func missing(_ index: Int) -> JSONError { JSONError("`\(names[index])` is missing") }

    func wrong(_ index: Int, _ wanted: String) -> JSONError {
        JSONError("`\(names[index])` is not \(wanted)")
    }
}

/// The members of one object, found by name: for lines of which there are not millions.
struct NamedMembers {
    private let numbers: [String: Int]
    private let members: Members

    init(_ scanner: inout JSONScanner) throws(JSONError) {
        var names: [String] = []
        var values: [JSONValue] = []
        try scanner.expect(ASCII.openBrace)
        if scanner.peek() == ASCII.closeBrace {
            try scanner.expect(ASCII.closeBrace)
        } else {
            repeat {
                names.append(try scanner.text().string)
                try scanner.expect(ASCII.colon)
                values.append(try scanner.value())
            } while try scanner.goesOn(until: ASCII.closeBrace)
        }
        numbers = Dictionary(zip(names, 0...), uniquingKeysWith: { _, last in last })
        members = Members(values: values, names: names)
    }

    func has(_ name: String) -> Bool {
        guard let number = numbers[name] else { return false }
        return !members.isNothing(number)
    }

    /// Reads a member that must be there.
    func get<Value>(
        _ name: String, _ read: (Members) -> (Int) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        guard let number = numbers[name] else { throw JSONError("`\(name)` is missing") }
        return try read(members)(number)
    }

    /// Reads a member that may be absent.
    func find<Value>(
        _ name: String, _ read: (Members) -> (Int) throws(JSONError) -> Value
    ) throws(JSONError) -> Value? {
        has(name) ? try get(name, read) : nil
    }

    /// Reads a member that is one of the words of an enumeration.
    func word<Word: RawRepresentable<String>>(
        _ name: String, _ type: Word.Type
    ) throws(JSONError) -> Word {
        guard let number = numbers[name] else { throw JSONError("`\(name)` is missing") }
        return try members.word(number, type)
    }
}
