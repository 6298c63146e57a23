import Foundation
import Testing
import WebFuzz

@Suite struct FuzzCaseTests {
    /// Each file of `Tests/Fuzz/Cases`, through the target that its folder names.
    @Test(arguments: FuzzTarget.allCases)
    func `what fuzzing found stays mended`(target: FuzzTarget) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fuzz/Cases/\(target.rawValue)").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files { target.run(Array(try Data(contentsOf: file))) }
    }
}
