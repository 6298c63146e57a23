import TenureFoundation

/// Where a worker finds the secrets of channels: variables of its environment whose names begin
/// with ``prefix``, and files of one folder. Nothing else can be named: whoever may add a channel
/// could have anything that the worker can read sent to an address of theirs.
public struct ChannelSecrets: Sendable {
    /// What a variable's name begins with.
    public static let prefix = "TENURE_SECRET_"
    /// A folder of their own: beside them would lie the database's password.
    public static let usualFolder = "/run/secrets/tenure"

    private let variables: [String: String]
    private let folder: String
    private static let longest = 64 << 10

    /// - Parameter environment: what doesn't begin with ``prefix`` is left out.
    public init(environment: [String: String] = [:], folder: String = usualFolder) {
        variables = environment.filter { $0.key.hasPrefix(Self.prefix) }
        self.folder = folder
    }

    /// - Throws: `ContentError` with `.noSecret`, which names the place and shows nothing of it.
    func text(of secret: SecretReference) throws -> String {
        let text =
            switch secret {
            case .environment(let name): variables[name]
            case .file(let name): try Self.read("\(folder)/\(name)")
            }
        guard let text, !text.isEmpty else { throw missing(secret) }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw ContentError(.noSecret, "the secret \(secret) has more than one line of text")
        }
        return text
    }

    private func missing(_ secret: SecretReference) -> ContentError {
        switch secret {
        case .environment(let name):
            ContentError(
                .noSecret, "the worker's environment has no \(name); set it, and start it anew")
        case .file(let name):
            ContentError(
                .noSecret,
                "the worker can't read \(name) in \(folder); put it there, or set "
                    + "TENURE_CONTENT_SECRETS to the folder that has it")
        }
    }

    /// Without the line's end that editors add. Nil where it can't be read.
    private static func read(_ path: String) throws -> String? {
        // Reason for `try?`: whatever keeps it from being read, the message says what is needed.
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= longest else {
            return nil
        }
        var text = String(decoding: data, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}

/// Where a secret is, by name: what the database has of it.
public enum SecretReference: Sendable, Hashable, CustomStringConvertible {
    /// A variable of the worker's environment.
    case environment(String)
    /// A file in the worker's folder of secrets.
    case file(String)

    /// - Throws: `ContentError` with `.badOption`.
    public init(variable name: String) throws {
        let isName = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
        guard isName, name.hasPrefix(ChannelSecrets.prefix), name.utf8.count <= 200,
            name != ChannelSecrets.prefix
        else {
            throw ContentError(
                .badOption,
                "the secret's variable is \"\(name.storable.prefix(200))\"; give a name that "
                    + "begins with \(ChannelSecrets.prefix), of capitals, digits and _")
        }
        self = .environment(name)
    }

    /// - Throws: `ContentError` with `.badOption`.
    public init(file name: String) throws {
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), !name.utf8.contains(0),
            name.utf8.count <= 200
        else {
            throw ContentError(
                .badOption,
                "the secret's file is \"\(name.storable.prefix(200))\"; give the name of a file "
                    + "in the worker's folder of secrets, without a path")
        }
        self = .file(name)
    }

    /// As the database has it.
    init?(stored text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        do {
            switch parts[0] {
            case "env": try self.init(variable: parts[1])
            case "file": try self.init(file: parts[1])
            default: return nil
            }
        } catch {
            return nil  // what can't be used is no reference, and its reader says so
        }
    }

    public var description: String {
        switch self {
        case .environment(let name): "env:\(name)"
        case .file(let name): "file:\(name)"
        }
    }
}
