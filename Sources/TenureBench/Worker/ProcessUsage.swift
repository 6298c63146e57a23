import TenureCLI
import TenureSystem

/// What a process has used, as the system tells it.
enum ProcessUsage {
    /// CPU time of all its threads, in seconds; 0 when it is gone.
    static func cpuSeconds(_ id: pid_t) -> Double { System.cpuSeconds(id) }

    /// Resident memory, in MiB; 0 when it is gone.
    static func residentMiB(_ id: pid_t) -> Double { System.residentBytes(id) / 1_048_576 }
}

extension BenchCrew {
    var cpuSeconds: Double { processes.map { ProcessUsage.cpuSeconds($0.id) }.reduce(0, +) }
}
