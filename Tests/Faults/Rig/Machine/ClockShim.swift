import FaultSupport
import Synchronization
import TenureSystem

/// The library that shifts a process's wall clock, compiled for this machine.
struct ClockShim: Sendable {
    let library: String

    static func compile(in folder: String) async throws -> ClockShim {
        let source = "\(folder)/clock-shim.c"
        try Files.write(PackageResources.clock_shim_c, to: source)
        let library = "\(folder)/clock-shim.so"
        for compiler in ["cc", "clang", "gcc"] {
            let command = [
                "/usr/bin/env", compiler, "-O2", "-shared", "-fPIC", "-o", library, source,
            ]
            if try await ChildProcess(command).end() == 0 {
                chmod(library, 0o755)
                return ClockShim(library: library)
            }
        }
        throw ProcessFailure(what: "no C compiler made \(library): install one, or clang")
    }
}

/// A wall clock that can be stepped while its process runs.
final class SteppedClock: Sendable {
    private let path: String
    private let offset = Mutex(0)
    private let base: Int
    private let shim: ClockShim

    /// - Parameter base: by how many seconds it is off while it isn't stepped.
    init(_ path: String, _ shim: ClockShim, base: Int = 0) throws {
        self.path = path
        self.base = base
        self.shim = shim
        try Files.write([UInt8](repeating: 0, count: 8), to: path)
        chmod(path, 0o644)
        try step(to: 0)
    }

    /// What the process needs to be started with.
    var environment: [String: String] {
        ["LD_PRELOAD": shim.library, "TENURE_CLOCK_FILE": path]
    }

    /// By how many seconds it is stepped now.
    var seconds: Int { offset.withLock { $0 } }

    /// From now on the process's wall clock is stepped by so much.
    func step(to seconds: Int) throws {
        offset.withLock { $0 = seconds }
        let nanoseconds = Int64(base + seconds) * 1_000_000_000
        try Files.overwrite(withUnsafeBytes(of: nanoseconds, Array.init), path)
    }
}
