import TenureSystem

/// Who acts, for those who look later: the user's name.
enum Whom {
    static var name: String {
        if let name = SettingSources.variable("SUDO_USER") { return name }
        guard let entry = getpwuid(getuid()) else { return "user \(getuid())" }
        return String(cString: entry.pointee.pw_name)
    }
}
