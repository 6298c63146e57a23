import TenureCLI
import TenureFoundation
import TenureSystem

/// The product's own program, which is measured: it lies beside this one.
enum ProductProgram {
    /// - Throws: `Failure` where it has not been built.
    static func path() throws -> String {
        let mine = System.ownPath ?? CommandLine.arguments[0]
        let path = mine.prefix(upTo: mine.lastIndex(of: "/") ?? mine.startIndex) + "/tenure"
        guard FileManager.default.isExecutableFile(atPath: String(path)) else {
            throw Failure("\(path) is missing: build it with: swift build --product tenure")
        }
        return String(path)
    }
}
