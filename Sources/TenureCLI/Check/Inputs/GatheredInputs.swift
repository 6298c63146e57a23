import Content
import TenureFoundation

/// All that a check begins at, put together: which folder is served, and what of it is checked.
struct GatheredInputs: Sendable {
    /// What is served; nil where there are URLs alone.
    let folder: SiteFolder?
    /// The folder, as its files are called by who gave the command.
    let shownFolder: String?
    /// Whether a whole folder is checked.
    let hasFolder: Bool
    /// Those that are looked up in the database.
    let items: [UUID]
    private let named: [NamedInput]
    /// Documents of each folder, by their absolute paths.
    private let documents: [String: [String]]

    /// - Parameters:
    ///   - root: the folder that is to be served, as it was named.
    ///   - directory: the working directory, with symbolic links resolved.
    /// - Throws: `Failure`, or `ContentError` with `.badFolder`.
    init(_ named: [NamedInput], root: String?, in directory: String? = nil) throws {
        self.named = named
        let places = named.flatMap(\.places)
        items = places.compactMap { if case .item(let id) = $0 { id } else { nil } }
        let folders = places.compactMap { if case .folder(let path) = $0 { path } else { nil } }
        let files = places.compactMap { if case .file(let path) = $0 { path } else { nil } }
        hasFolder = !folders.isEmpty
        documents = try Self.documents(of: folders)
        let directory = try directory ?? InputPath.real(".")
        let outer = LocalRoot.outermost(folders)
        if folders.isEmpty, files.isEmpty {
            (folder, shownFolder) = (nil, nil)
        } else if root == nil, let only = outer.first, outer.count == 1,
            files.allSatisfy({ LocalRoot.holds(only, $0) })
        {
            folder = try SiteFolder(only)
            let name = named.first { $0.isDirect && $0.places == [.folder(only)] }?.name
            shownFolder = name ?? LocalRoot.shown(only, in: directory)
        } else {
            let path = try LocalRoot.find(folders + files, in: directory, root: root)
            let all = Set(files + documents.values.joined())
            folder = try SiteFolder(
                path, holding: Set(all.map { String($0.dropFirst(path.count + 1)) }))
            shownFolder = LocalRoot.shown(path, in: directory)
        }
    }

    private static func documents(of folders: [String]) throws -> [String: [String]] {
        var documents: [String: [String]] = [:]
        for path in folders where documents[path] == nil {
            let folder = try SiteFolder(path)
            documents[path] = try folder.pages().compactMap { SiteFolder.name(ofPath: $0) }
                .map { "\(path)/\($0)" }
        }
        return documents
    }

    /// - Parameter items: the URLs of those that are named.
    func start(items: [UUID: String]) -> CheckInputs {
        var start = CheckInputs()
        start.named = named.map { input in
            var found = CheckInputs.Named(input.name)
            found.isList = !input.isDirect
            for (index, place) in input.places.enumerated() {
                let line = input.lines.indices.contains(index) ? [input.lines[index]] : []
                switch place {
                case .url(let url):
                    found.urls.append(url)
                    found.lines += line
                case .item(let id):
                    guard let url = items[id] else { break }
                    found.urls.append(url)
                    found.lines += line
                case .folder(let path): found.paths += (documents[path] ?? []).map(urlPath)
                case .file(let path): found.paths.append(urlPath(path))
                }
            }
            return found
        }
        start.folders = documents.keys.sorted().map { path in
            path == folder?.path ? "/" : urlPath(path) + "/"
        }
        start.isSingle = isSingle
        return start
    }

    private var isSingle: Bool {
        guard named.count == 1, named[0].isDirect, named[0].places.count == 1 else { return false }
        return switch named[0].places[0] {
        case .url, .item: true
        case .folder(let path): path == folder?.path
        case .file: false
        }
    }

    /// What a file or folder is called by the server.
    private func urlPath(_ path: String) -> String {
        "/" + SiteFolder.encode(String(path.dropFirst((folder?.path ?? "").count + 1)))
    }
}
