import Foundation
import Web

// How fast `Web` is on real pages, one core: build with `-c release`, run with the folder of the
// pages (by default, or for `""`, PostgreSQL's manual as Debian ships it) and the names of rows.
// Each row is the best of five rounds.

let arguments = CommandLine.arguments.dropFirst()
let wanted = Set(arguments.dropFirst())
let folder =
    arguments.first.flatMap { $0.isEmpty ? nil : $0 }
    ?? FileManager.default.contentsOfDirectoryOrEmpty("/usr/share/doc")
    .filter { $0.hasPrefix("postgresql-doc-") }.sorted().last
    .map { "/usr/share/doc/\($0)/html" } ?? "."

let names = FileManager.default.contentsOfDirectoryOrEmpty(folder)
    .filter { $0.hasSuffix(".html") }.sorted()
let paths = names.map { "\(folder)/\($0)" }
let pages = paths.compactMap { FileManager.default.contents(atPath: $0).map { Array($0) } }
let bytes = pages.reduce(0) { $0 + $1.count }
let urls = names.compactMap { WebURL("https://manual.example/\($0)") }
guard pages.count == urls.count, !pages.isEmpty else {
    FileHandle.standardError.write(Data("no pages in \(folder)\n".utf8))
    exit(2)
}

/// Runs `body` over all pages and prints megabytes and pages a second.
func measure(_ name: String, _ body: (Int) -> Int) {
    guard wanted.isEmpty || wanted.contains(name) else { return }
    var best = Duration.seconds(3600)
    var sum = 0
    for _ in 1...5 {
        sum = 0
        let time = ContinuousClock().measure {
            for index in pages.indices { sum += body(index) }
        }
        best = min(best, time)
    }
    let seconds = best / .seconds(1)
    let rate = Double(bytes) / seconds / 1e6
    let row = String(
        format: "%@ %8.1f MB/s %10.0f pages/s   (%d)",
        name.padding(toLength: 34, withPad: " ", startingAt: 0), rate,
        Double(pages.count) / seconds, sum)
    FileHandle.standardOutput.write(Data("\(row)\n".utf8))
}

extension FileManager {
    func contentsOfDirectoryOrEmpty(_ path: String) -> [String] {
        // Reason for `try?`: that nothing was found is told where it matters.
        (try? contentsOfDirectory(atPath: path)) ?? []
    }
}

FileHandle.standardOutput.write(
    Data("\(pages.count) pages, \(bytes) bytes, from \(folder)\n".utf8))

measure("tokenizer") { index in
    HTMLTokenizer.scan(pages[index]) { tokenizer in
        var count = 0
        while tokenizer.next() != nil { count += 1 }
        return count
    }
}
measure("decode") { index in
    DecodedText(pages[index]).bytes.count
}
measure("references") { index in
    HTMLReferences.scan(pages[index], documentURL: urls[index]).references.count
}
measure("decode, references") { index in
    HTMLReferences.scan(DecodedText(pages[index]).bytes, documentURL: urls[index]).references.count
}
measure("tree") { index in
    HTMLTree(pages[index]).nodeCount
}
measure("tree, metadata, main text") { index in
    let tree = HTMLTree(pages[index])
    _ = PageMetadata(tree, baseURL: urls[index])
    return MainText(tree).wordCount
}
