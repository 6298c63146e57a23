import Glibc

/// Who acts, for those who look later.
enum Whom {
    static var name: String {
        SettingSources.variable("SUDO_USER") ?? SettingSources.variable("USER")
            ?? "user \(getuid())"
    }
}
