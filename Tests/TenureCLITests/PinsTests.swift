import Foundation
import Testing

/// `bin/pins`, in a repository of the test's own.
@Suite struct PinsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path()

    private static let resolved = """
        {
          "pins" : [
            {
              "identity" : "one",
              "state" : {
                "revision" : "abc",
                "version" : "1.2.3"
              }
            },
            {
              "identity" : "two",
              "state" : {
                "branch" : "main",
                "revision" : "def"
              }
            }
          ],
          "version" : 3
        }
        """

    /// What it says, and with which code, of a file that names these packages.
    private func pins(_ packages: String) async throws -> String {
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: "\(folder)/bin", withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: "\(Self.root)bin/pins", toPath: "\(folder)/bin/pins")
            let files = [
                "bin/packages.txt": "# why\n" + packages, "Package.resolved": Self.resolved,
            ]
            for (name, text) in files {
                try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            return try await output(of: "/bin/bash", "-c", "\(folder)/bin/pins 2>&1; echo $?")
        }
    }

    @Test func `what was resolved as it is named passes in silence`() async throws {
        #expect(try await pins("one 1.2.3\ntwo def\n") == "0\n")
    }

    @Test(arguments: [
        ("one 1.2.4\ntwo def\n", "one is 1.2.3, and bin/packages.txt says 1.2.4"),
        ("one 1.2.3\n", "two def is used, and bin/packages.txt doesn't name it"),
        ("one 1.2.3\ntwo def\nthree 1\n", "three is not used, and bin/packages.txt names it"),
    ])
    func `what differs is named, and ends the build`(packages: String, line: String) async throws {
        let said = try await pins(packages)
        #expect(said.contains("✘ packages: \(line)\n") && said.hasSuffix("\n1\n"), "\(said)")
    }
}
