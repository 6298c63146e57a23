import TenureFoundation

/// Something that the command line names, once it is known what it is.
struct NamedInput: Sendable {
    /// One thing to begin at. Files and folders go by their absolute paths, with symbolic links
    /// resolved.
    enum Place: Sendable, Hashable {
        case url(String)
        case item(UUID)
        case folder(String)
        case file(String)
    }

    /// As it stands on the command line.
    let name: String
    let places: [Place]
    /// It was named itself, and not by a list.
    var isDirect = true
    /// Of a list: the line of each place, from 1.
    var lines: [Int] = []
}
