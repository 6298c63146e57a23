import FaultSupport
import TenureSystem

/// What a handler leaves behind that is about to kill its process.
struct CrashNote {
    let job: String
    /// Boot time, just before.
    let boot: Double

    init(job: String) {
        self.job = job
        boot = bootTime()
    }

    func write(in folder: String) throws {
        try Files.write(Array("\(job) \(boot)".utf8), to: Self.path(folder, getpid()))
    }

    /// Nil when the process ended in another way.
    init?(in folder: String, of pid: pid_t) {
        let words = Files.read(Self.path(folder, pid))?.split(separator: " ") ?? []
        guard words.count == 2, let boot = Double(words[1]) else { return nil }
        job = String(words[0])
        self.boot = boot
    }

    private static func path(_ folder: String, _ pid: pid_t) -> String {
        "\(folder)/crash-\(pid)"
    }
}
