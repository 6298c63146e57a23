import Web

/// The lane that all jobs of a host share.
enum HostLane {
    static func name(of url: String) -> String {
        "host:" + (WebURL(url)?.host ?? "none")
    }
}
