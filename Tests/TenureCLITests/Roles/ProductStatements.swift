import Foundation
import TenurePostgres

/// Every statement that the product declares, found in its sources.
struct ProductStatement: Sendable {
    let name: String
    /// Of its file.
    let path: String
    let sql: String

    /// Run in databases of their own, as their owner.
    private static let apart = ["Sources/TenureBench/", "Sources/TenureTestKit/"]

    static func all() throws -> [ProductStatement] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let walk = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)
        var found: [ProductStatement] = []
        while let file = walk?.nextObject() as? String {
            let path = "Sources/\(file)"
            guard path.hasSuffix(".swift"), !apart.contains(where: path.hasPrefix) else { continue }
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            found += try declared(in: text, path)
        }
        return found.sorted { $0.name < $1.name }
    }

    private static func declared(in text: String, _ path: String) throws -> [ProductStatement] {
        let declaration =
            #/
            ^(?<indent>\x20*)(?:\w+\x20)*(?:struct|enum|extension)\x20(?<name>\w+)
            [^\n:{]*:[^{]*\bPostgres\w*Statement\b[^{]*\{
            /#.anchorsMatchLineEndings()
        return try text.matches(of: declaration).map { match in
            let name = String(match.name)
            let module = path.split(separator: "/")[1]
            let mangled = "\(module.count)\(module)\(name.count)\(name)V"
            guard match.indent.isEmpty,
                let type = _typeByName(mangled) as? any PostgresStatement.Type
            else { throw HiddenStatement(name: name, path: path) }
            return ProductStatement(name: name, path: path, sql: type.sql)
        }
    }
}

struct HiddenStatement: Error, CustomStringConvertible {
    let name: String
    let path: String
    var description: String {
        "\(name) in \(path) can't be tried under the roles: declare it at the top of its file, "
            + "not private and not generic"
    }
}
