import Foundation
import Web

// The main text of many pages: paths come on standard input, a line each; for each of them a line
// of JSON goes out, in the same order. `Tests/Extraction/run` judges it. A path that can't be read
// ends the program: a page that is left out in silence would spoil a figure. With `--utf-8` pages
// are in UTF-8, whatever they say of themselves.

struct Page: Encodable {
    var file: String
    var text: String
    var words: Int
}

let isUTF8 = CommandLine.arguments.dropFirst() == ["--utf-8"]
let encoder = JSONEncoder()
encoder.outputFormatting = .withoutEscapingSlashes
while let path = readLine() {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let main = MainText(HTMLTree(isUTF8 ? bytes : DecodedText(bytes).bytes))
    let line = try encoder.encode(Page(file: path, text: main.text, words: main.wordCount))
    FileHandle.standardOutput.write(line + Data("\n".utf8))
}
