// Turns SQL files into one Swift file, whose name is that of the enum in it, at build time.
//   MigrationEmbedder OUTPUT FILE… --functions FOLDER FILE…
// Files keep the order in which they are given; those of functions are named by their path in
// FOLDER.
import Foundation

let output = CommandLine.arguments[1]
let inputs = CommandLine.arguments.dropFirst(2).split(
    separator: "--functions", omittingEmptySubsequences: false
).map(Array.init)
let enumName = URL(fileURLWithPath: output).deletingPathExtension().lastPathComponent

func list(_ name: String, _ paths: [String], in folder: String? = nil) throws -> String {
    var source = "    static let \(name): [(name: String, sql: String)] = [\n"
    for path in paths {
        let url = URL(fileURLWithPath: path)
        let sql = try String(contentsOf: url, encoding: .utf8)
        let name = folder.map { String(path.dropFirst($0.count)) } ?? url.lastPathComponent
        let entry = [
            "        (", "            name: \"\(name)\",",
            "            sql: ###\"\"\"", sql, "\"\"\"###",
            "        ),", "",
        ]
        source += entry.joined(separator: "\n")
    }
    return source + "    ]\n"
}

let source =
    try "enum \(enumName) {\n" + list("files", inputs[0])
    + list("functions", Array(inputs[1].dropFirst()), in: inputs[1][0]) + "}\n"
try source.write(to: URL(fileURLWithPath: output), atomically: true, encoding: .utf8)
