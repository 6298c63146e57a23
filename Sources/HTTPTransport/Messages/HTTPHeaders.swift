/// Header fields in the order they came, names compared without regard to case.
public struct HTTPHeaders: Sendable, Hashable {
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var fields: [Field]

    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The first value of that name; setting replaces every field of that name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// Every value of that name, one per field, unsplit.
    public func values(of name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// The values of a header that is a list, over all its fields: split at commas, trimmed,
    /// empty ones left out. Not for headers with quoted commas or dates.
    public func list(_ name: String) -> [String] {
        values(of: name)
            .flatMap { $0.split(separator: ",") }
            .map { String($0.trimmingASCIISpaces()) }
            .filter { !$0.isEmpty }
    }

    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    mutating func continueLast(_ more: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += " " + more
    }

    public mutating func remove(_ name: String) {
        fields.removeAll { $0.isNamed(name) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders.Field {
    func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Whether this can be sent without breaking out of its line.
    var isSendable: Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isHTTPToken)
            && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
