import Content

/// Files as they are called from where the command was given.
enum ShownFile {
    static func name(_ file: String, in folder: String?) -> String {
        guard let folder, folder != "." else { return file }
        return "\(folder)/\(file)"
    }
}

extension CheckReport {
    /// What a check of several things is called; nil for one of a site or a folder.
    var shownName: String? {
        guard let inputs, inputs.count > 1 else { return nil }
        let most = 3
        let first = inputs.prefix(most).map(\.name).joined(separator: ", ")
        let more = inputs.count - most
        return more > 0 ? "\(first) and \(more) more" : first
    }
}
