import Configuration
import TenureFoundation
import TenureSystem

/// Where settings come from, the strongest first: flags, `TENURE_…`, the customary variables of
/// PostgreSQL, a file.
struct SettingSources: Sendable {
    /// A text as it was given, and by what: for error messages.
    struct Given: Sendable {
        let text: String
        let source: String
    }

    private enum Place: Sendable {
        case flags, environment, postgres
        case file(String)
    }
    private let providers: [(place: Place, provider: any ConfigProvider)]

    /// - Parameter product: flags for settings of the product's own section.
    init(
        flags: [Setting: String], product: [String: String] = [:], file: String?
    ) async throws {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (setting, text) in flags {
            values[[setting.rawValue]] = ConfigValue(.string(text), isSecret: true)
        }
        for (name, text) in product {
            values[[Setting.productSection, name]] = ConfigValue(.string(text), isSecret: true)
        }
        var providers: [(Place, any ConfigProvider)] = [
            (.flags, InMemoryProvider(name: "flags", values: values)),
            (.environment, EnvironmentVariablesProvider()),
            (.postgres, InMemoryProvider(name: "PostgreSQL", values: Self.customary())),
        ]
        if let path = file ?? Self.variable("TENURE_CONFIG") {
            providers.append((.file(path), try await Self.open(path)))
        }
        self.providers = providers
    }

    /// The strongest source's text; nil when nobody gave any.
    func find(_ setting: Setting) throws -> Given? {
        for (place, provider) in providers {
            guard let text = try text([setting.rawValue], of: place, provider, setting.rawValue)
            else { continue }
            return Given(text: text, source: source(of: setting, place))
        }
        return nil
    }

    /// A setting of the product's own section.
    func find(product name: String) throws -> Given? {
        let key = [Setting.productSection, name]
        for (place, provider) in providers {
            guard let text = try text(key, of: place, provider, key.joined(separator: "."))
            else { continue }
            return Given(text: text, source: key.joined(separator: "."))
        }
        return nil
    }

    private func source(of setting: Setting, _ place: Place) -> String {
        switch place {
        case .flags: setting.flag
        case .environment: setting.environment
        case .postgres: "DATABASE_URL or PG*"
        case .file(let path): "\(setting.rawValue) in \(path)"
        }
    }

    private func text(
        _ key: [String], of place: Place, _ provider: any ConfigProvider, _ name: String
    ) throws -> String? {
        if case .file(let path) = place { return try Self.text(inFile: path, key, provider) }
        let components = if case .environment = place { ["tenure"] + key } else { key }
        let found = try provider.value(forKey: AbsoluteConfigKey(components), type: .string)
        guard case .string(let text) = found.value?.content else { return nil }
        // An empty variable is one that is not set.
        if case .environment = place, text.isEmpty { return nil }
        return text
    }

    /// The value at a key of any type, as the text that a flag would have.
    private static func text(
        inFile path: String, _ key: [String], _ provider: any ConfigProvider
    ) throws -> String? {
        for type in [ConfigType.string, .stringArray, .int, .double, .bool] {
            do {
                let found = try provider.value(forKey: AbsoluteConfigKey(key), type: type)
                guard let content = found.value?.content else { return nil }
                switch content {
                case .string(let text): return text
                case .stringArray(let texts): return texts.joined(separator: ",")
                case .int(let number): return String(number)
                case .double(let number): return String(number)
                case .bool(let yes): return String(yes)
                default: continue
                }
            } catch {
                continue  // of another type: the next one is tried
            }
        }
        throw Failure("\(key.joined(separator: ".")) in \(path) is neither text nor a number")
    }
}

extension SettingSources {
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `DATABASE_URL`; or nothing but the `PG*` variables, which libpq reads by itself.
    private static func customary() -> [AbsoluteConfigKey: ConfigValue] {
        let key: AbsoluteConfigKey = [Setting.databaseURL.rawValue]
        if let url = variable("DATABASE_URL") {
            return [key: ConfigValue(.string(url), isSecret: true)]
        }
        let named = ["PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE"]
        guard named.contains(where: { variable($0) != nil }) else { return [:] }
        return [key: ConfigValue(.string(""), isSecret: false)]
    }

    private static func open(_ path: String) async throws -> any ConfigProvider {
        let keys: FileKeys
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            keys = try JSONDecoder().decode(FileKeys.self, from: data)
        } catch is DecodingError {
            throw Failure(#"\#(path) is not a JSON object, such as {"lease": "30s"}"#)
        } catch {
            throw Failure("can't read the configuration file \(path): check its path and mode")
        }
        let known = Setting.allCases.map(\.rawValue) + [Setting.productSection]
        if let unknown = keys.names.first(where: { !known.contains($0) }) {
            throw Failure(
                "\(path) has an unknown setting \"\(unknown)\"; there are "
                    + known.joined(separator: ", "))
        }
        if let section = keys.sections.first(where: { $0 != Setting.productSection }) {
            throw Failure(
                "\(section) in \(path) is an object; give text, a number or a list of texts")
        }
        do {
            let place = InMemoryProvider(values: [
                "filePath": ConfigValue(.string(path), isSecret: false)
            ])
            return try await FileProvider<JSONSnapshot>(config: ConfigReader(provider: place))
        } catch {
            throw Failure("can't read the configuration file \(path): \(error)")
        }
    }
}

/// The names at the top of a JSON object.
private struct FileKeys: Decodable {
    let names: [String]
    /// Those whose value is an object.
    let sections: [String]

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        names = container.allKeys.map(\.stringValue).sorted()
        sections = container.allKeys.filter { key in
            // Reason for `try?`: that it is no object is an answer.
            (try? container.nestedContainer(keyedBy: Key.self, forKey: key)) != nil
        }.map(\.stringValue).sorted()
    }
}
