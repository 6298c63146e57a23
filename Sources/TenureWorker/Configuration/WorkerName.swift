import TenureSystem

/// A worker's name for people: host and process.
public enum WorkerName {
    public static var ofThisProcess: String {
        "\(System.hostName ?? "unknown"):\(getpid())"
    }
}
