import Logging
import Tenure

/// Reads settings' texts; every refusal names where the text came from and what is allowed.
enum SettingValue {
    static func whole(_ given: SettingSources.Given, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(given.text), range.contains(number) else {
            throw refusal(
                given, "give a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func duration(
        _ given: SettingSources.Given, _ range: ClosedRange<Duration>
    ) throws -> Duration {
        guard let duration = DurationText.parse(given.text), range.contains(duration) else {
            let samples = ["500ms", "30s", "5m", "1h"].filter {
                DurationText.parse($0).map(range.contains) ?? false
            }
            let such = samples.isEmpty ? "" : ", such as \(samples.joined(separator: " or "))"
            throw refusal(
                given,
                "give \(DurationText.format(range.lowerBound)) to "
                    + "\(DurationText.format(range.upperBound))\(such)")
        }
        return duration
    }

    static func yesOrNo(_ given: SettingSources.Given) throws -> Bool {
        switch given.text.lowercased() {
        case "true", "yes", "1", "on": true
        case "false", "no", "0", "off": false
        default: throw refusal(given, "give true or false")
        }
    }

    /// A connection string that can be read; what it leads to is not asked here.
    static func conninfo(_ given: SettingSources.Given) throws -> String {
        do {
            _ = try PostgresConfiguration(given.text)
            return given.text
        } catch {
            throw Failure("\(given.source): \(error)")
        }
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ given: SettingSources.Given, of: Value.Type
    ) throws -> Value {
        guard let value = Value(rawValue: given.text.lowercased()) else {
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(given, "give one of \(all)")
        }
        return value
    }

    static func refusal(_ given: SettingSources.Given, _ advice: String) -> Failure {
        Failure("\(given.source) is \"\(given.text)\"; \(advice)")
    }
}
