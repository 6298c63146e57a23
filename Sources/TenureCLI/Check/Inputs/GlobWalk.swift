import Content
import Tenure
import TenureFoundation
import TenureSystem

/// The files that a pattern matches. Folders are walked through as far as the pattern may lead,
/// and no symbolic link to one is followed that it doesn't name.
struct GlobWalk {
    struct Options: Sendable {
        var showsHidden = false
        var readsIgnoreFiles = true
        var ignoresCase = false
    }

    private struct Folder {
        let path: String
        let states: PathGlob.States
        /// From the outermost: each with what leads from its folder to this one.
        var ignoring: [(file: IgnoreFile, below: [String])]
        let depth: Int
    }

    private let pattern: String
    let base: String
    private let glob: PathGlob
    private let options: Options

    /// Names that are looked at, and folders in one another.
    private static let mostNames = 2_000_000
    private static let deepest = 128

    /// - Throws: `Failure` for what is no pattern.
    init(_ pattern: String, _ options: Options) throws {
        (self.pattern, self.options) = (PlainText.line(String(pattern.prefix(200))), options)
        do {
            let whole = try PathGlob(pattern, ignoresCase: options.ignoresCase)
            let fixed = Self.fixed(whole.parts)
            let path = fixed.joined(separator: "/")
            base = pattern.hasPrefix("/") ? "/" + path : path.isEmpty ? "." : path
            glob = PathGlob(parts: Array(whole.parts.dropFirst(fixed.count)))
        } catch {
            throw Failure(
                "'\(self.pattern)' is no pattern: \(error); put \\ before what means itself")
        }
    }

    /// What leads to the first name that isn't fixed; folders alone.
    private static func fixed(_ parts: [PathGlob.Part]) -> [String] {
        var names: [String] = []
        for part in parts.dropLast() {
            guard case .name(let name) = part, let literal = name.literal ?? name.step else {
                break
            }
            names.append(literal)
        }
        return names
    }

    /// In order.
    /// - Throws: `Failure` for a folder that can't be read, or for more than is looked at.
    func files() throws -> [String] {
        guard try InputPath.kind(of: base) == .folder else { return [] }
        var files: [String] = []
        var folders = [
            Folder(path: base, states: glob.start, ignoring: try outerIgnoreFiles(), depth: 0)
        ]
        var names = 0
        while let folder = folders.popLast() {
            let inside = try withIgnoreFile(folder)
            for name in try Self.names(in: folder.path) {
                names += 1
                guard names <= Self.mostNames else { throw tooMuch("\(Self.mostNames) names") }
                try look(at: name, in: inside, &files, &folders)
            }
        }
        return files.sorted()
    }

    private func look(
        at name: String, in folder: Folder, _ files: inout [String], _ folders: inout [Folder]
    ) throws {
        let states = glob.next(folder.states, name, showsHidden: options.showsHidden)
        if states.isEmpty || name == ".git" { return }
        let path = Self.join(folder.path, name)
        var status = stat()
        // One that has gone meanwhile, or leads nowhere, is no file.
        guard lstat(path, &status) == 0 else { return }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink, stat(path, &status) != 0 { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if isIgnored(name, isFolder: isFolder && !isLink, in: folder) { return }
        if status.st_mode & S_IFMT == S_IFREG, glob.isAtEnd(states) {
            if try isLink && leadsElsewhere(path) { return }
            files.append(path)
        }
        guard isFolder, !isLink else { return }
        guard folder.depth < Self.deepest else { throw tooMuch("\(Self.deepest) folders deep") }
        let ignoring = folder.ignoring.map { ($0.file, $0.below + [name]) }
        folders.append(
            Folder(path: path, states: states, ignoring: ignoring, depth: folder.depth + 1))
    }

    /// Out of the folder that the pattern names, or to what is no document: who wrote the link need
    /// not be who runs the check.
    private func leadsElsewhere(_ link: String) throws -> Bool {
        let (file, folder) = (try InputPath.real(link), try InputPath.real(base))
        let isInside = file.utf8.starts(with: (folder == "/" ? "/" : "\(folder)/").utf8)
        return !isInside || !SiteFolder.isDocument(file)
    }

    private static func join(_ folder: String, _ name: String) -> String {
        if folder == "." { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    private func tooMuch(_ what: String) -> Failure {
        Failure("'\(pattern)' leads through more than \(what); give one that leads to less")
    }

    private static func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw Failure("\(folder) can't be read: \(error)")
        }
    }

    // MARK: What Git leaves out

    /// The inner file has the last word.
    private func isIgnored(_ name: String, isFolder: Bool, in folder: Folder) -> Bool {
        folder.ignoring.reversed().lazy.compactMap { outer in
            outer.file.ignores(outer.below + [name], isFolder: isFolder)
        }.first ?? false
    }

    private func withIgnoreFile(_ folder: Folder) throws -> Folder {
        guard options.readsIgnoreFiles, let file = try IgnoreFile.read("\(folder.path)/.gitignore")
        else { return folder }
        var inside = folder
        inside.ignoring.append((file, []))
        return inside
    }

    /// Those of the folders above, up to the repository's own.
    private func outerIgnoreFiles() throws -> [(file: IgnoreFile, below: [String])] {
        guard options.readsIgnoreFiles else { return [] }
        let parts = try InputPath.real(base).split(separator: "/").map(String.init)
        let folders = (0...parts.count).reversed().map { count in
            "/" + parts.prefix(count).joined(separator: "/")
        }
        let isRepository = { FileManager.default.fileExists(atPath: $0 + "/.git") }
        guard let top = folders.firstIndex(where: isRepository) else { return [] }
        let info = try IgnoreFile.read("\(folders[top])/.git/info/exclude")
        let depth = { (index: Int) in parts.count - index }
        var found = info.map { [($0, Array(parts[depth(top)...]))] } ?? []
        for index in (0...top).reversed() where index > 0 {
            guard let file = try IgnoreFile.read("\(folders[index])/.gitignore") else { continue }
            found.append((file, Array(parts[depth(index)...])))
        }
        return found
    }
}

extension PathGlob {
    init(parts: [Part]) { self.parts = parts }
}
