/// The product's own settings: `contact` is `TENURE_CONTENT_CONTACT`, or `content.contact` in the
/// configuration file.
struct ProductSettings: Sendable {
    let sources: SettingSources

    func text(_ name: String) throws -> String? { try sources.find(product: name)?.text }

    /// - Throws: `Failure` that names the setting and the range.
    func whole(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let given = try sources.find(product: name) else { return nil }
        guard let number = Int(given.text), range.contains(number) else {
            throw Failure(
                "\(given.source) is \"\(given.text)\"; give a whole number from "
                    + "\(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func duration(_ name: String, in range: ClosedRange<Duration>) throws -> Duration? {
        try sources.find(product: name).map { try SettingValue.duration($0, range) }
    }
}
