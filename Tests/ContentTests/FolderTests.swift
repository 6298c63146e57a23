import Content
import TenureFoundation
import Testing

@Suite struct FolderTests {
    /// A folder with a page, a subfolder, and links inside and out.
    private func folder() throws -> SiteFolder {
        let files = FileManager.default
        let root = files.temporaryDirectory.appending(path: "site-\(UUID())").path()
        try files.createDirectory(atPath: "\(root)/sub dir", withIntermediateDirectories: true)
        for name in ["index.html", "sub dir/page.html", "plain.txt"] {
            try Data("x".utf8).write(to: URL(filePath: "\(root)/\(name)"))
        }
        try files.createSymbolicLink(atPath: "\(root)/inside", withDestinationPath: "sub dir")
        try files.createSymbolicLink(atPath: "\(root)/outside", withDestinationPath: "/etc")
        try files.createSymbolicLink(atPath: "\(root)/nowhere", withDestinationPath: "missing")
        return try SiteFolder(root)
    }

    @Test func `paths mean files inside of the folder only`() throws {
        let folder = try folder()
        #expect(folder.answer("/") == .file("\(folder.path)/index.html"))
        #expect(folder.answer("/sub%20dir/page.html") == .file("\(folder.path)/sub dir/page.html"))
        #expect(folder.answer("/inside/page.html") == .file("\(folder.path)/sub dir/page.html"))
        #expect(folder.answer("/sub%20dir") == .folder)
        for path in [
            "/outside/passwd", "/nowhere", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
            "/sub%20dir/", "/plain.txt/", "/..%2fetc/passwd", "/index.html%00", "/sub%2Fdir",
        ] {
            #expect(folder.answer(path) == .missing, "\(path)")
        }
    }

    @Test func `all documents are found, each link to a folder once`() throws {
        #expect(try folder().pages() == ["/index.html", "/sub%20dir/page.html"])
    }

    @Test func `URLs lead back to files`() {
        #expect(SiteFolder.name(ofPath: "/") == "index.html")
        #expect(SiteFolder.name(ofPath: "/a%20b/") == "a b/index.html")
        #expect(SiteFolder.name(ofPath: "/a/%C3%A9.html") == "a/é.html")
    }

    @Test func `what is no folder is refused in one line`() {
        #expect(throws: ContentError.self) { try SiteFolder("/etc/passwd") }
        #expect(throws: ContentError.self) { try SiteFolder("/does/not/exist") }
    }
}
