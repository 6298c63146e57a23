// Turns SQL files into one Swift file, whose name is that of the enum in it, at build time.
//   MigrationEmbedder OUTPUT INPUT…
import Foundation

let output = CommandLine.arguments[1]
let inputs = CommandLine.arguments.dropFirst(2).sorted()
let enumName = URL(fileURLWithPath: output).deletingPathExtension().lastPathComponent
var source = "enum \(enumName) {\n    static let files: [(name: String, sql: String)] = [\n"
for path in inputs {
    let url = URL(fileURLWithPath: path)
    let sql = try String(contentsOf: url, encoding: .utf8)
    let name = url.lastPathComponent
    let entry = [
        "        (", "            name: \"\(name)\",",
        "            sql: ###\"\"\"", sql, "\"\"\"###",
        "        ),", "",
    ]
    source += entry.joined(separator: "\n")
}
source += "    ]\n}\n"
try source.write(to: URL(fileURLWithPath: output), atomically: true, encoding: .utf8)
