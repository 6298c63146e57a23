import FoundationEssentials
import Glibc
import TenureCLI

/// What a process has used, as Linux tells it.
enum ProcessUsage {
    /// CPU time of all its threads, in seconds; 0 when it is gone.
    static func cpuSeconds(_ id: pid_t) -> Double {
        // Reason for `try?`: a process that has ended uses nothing more.
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        // The name may hold spaces; behind it, the user's and the system's ticks are 12 and 13.
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13])
        else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Resident memory, in MiB; 0 when it is gone.
    static func residentMiB(_ id: pid_t) -> Double {
        // Reason for `try?`: as above.
        guard let text = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return 0 }
        return (Double(line.filter(\.isNumber)) ?? 0) / 1024
    }
}

extension BenchCrew {
    var cpuSeconds: Double { processes.map { ProcessUsage.cpuSeconds($0.id) }.reduce(0, +) }
}
