/// Which folder is served, where files of several are checked: all paths are absolute, with
/// symbolic links resolved.
enum LocalRoot {
    /// The folder that was named, or the working directory if it holds them all, or the nearest
    /// that does.
    /// - Throws: `Failure` where there is none.
    static func find(_ paths: [String], in directory: String, root: String?) throws -> String {
        if let root {
            guard try InputPath.kind(of: root) == .folder else {
                throw Failure(
                    "--root \(root) is no folder; give the one that holds what is checked")
            }
            let path = try InputPath.real(root)
            if let other = paths.first(where: { !holds(path, $0) }) {
                throw Failure(
                    "\(other) isn't in --root \(root); give a folder that holds all that is "
                        + "checked")
            }
            return path
        }
        if directory != "/", paths.allSatisfy({ holds(directory, $0) }) { return directory }
        let common = paths.dropFirst().reduce(parents(paths[0])) { common, path in
            zip(common, parents(path)).prefix { $0 == $1 }.map(\.0)
        }
        guard !common.isEmpty else {
            throw Failure("the files that are named have no folder in common; check them apart")
        }
        return common.map { "/" + $0 }.joined()
    }

    /// Those that lie in no other.
    static func outermost(_ folders: [String]) -> [String] {
        folders.sorted().reduce(into: []) { kept, path in
            if !kept.contains(where: { holds($0, path) }) { kept.append(path) }
        }
    }

    static func holds(_ folder: String, _ path: String) -> Bool {
        path == folder || path.hasPrefix(folder + "/")
    }

    /// As it is called from the working directory.
    static func shown(_ path: String, in directory: String) -> String {
        if path == directory { return "." }
        let below = directory == "/" ? "/" : directory + "/"
        return path.hasPrefix(below) ? String(path.dropFirst(below.count)) : path
    }

    private static func parents(_ path: String) -> [Substring] {
        path.split(separator: "/").dropLast()
    }
}
