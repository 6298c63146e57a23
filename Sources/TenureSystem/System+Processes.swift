package import TenureLibc

extension System {
    /// The processes whose working directory is a folder, whose path has no links in it.
    package static func processes(in folder: String) -> [pid_t] {
        var found = [pid_t](repeating: 0, count: 256)
        while true {
            let count = Int(tenure_processes_in(folder, &found, Int32(clamping: found.count)))
            if count <= found.count { return Array(found[..<count]) }
            found = Array(repeating: 0, count: count + 64)
        }
    }

    #if os(Linux)
        /// What starts this process's program again, even where its file has been replaced since.
        package static var ownProgram: String { "/proc/self/exe" }
    #else
        /// What starts this process's program again.
        package static var ownProgram: String { ownPath ?? CommandLine.arguments[0] }
    #endif

    /// Where this process's program lies, without links; nil where that can't be told.
    package static var ownPath: String? {
        text(room: 4096) { tenure_own_path($0, $1) == 0 }
    }

    /// CPU time of all threads of a process, in seconds; 0 when it is gone.
    package static func cpuSeconds(_ id: pid_t) -> Double { tenure_cpu_seconds(id) }

    /// A process's resident memory, in bytes; 0 when it is gone.
    package static func residentBytes(_ id: pid_t) -> Double { tenure_resident_bytes(id) }

    /// Raises the number of descriptors that this process may have to the hard limit.
    ///
    /// - Parameter most: how far it is raised at the most.
    /// - Returns: how many there may be now; nil where that can't be told.
    @discardableResult
    package static func raiseDescriptors(most: Int) -> Int? {
        let count = tenure_raise_descriptors(UInt64(clamping: most))
        return count == 0 ? nil : Int(clamping: min(count, UInt64(clamping: most)))
    }

    /// What a C function writes into a buffer, where it says that it did.
    static func text(
        room: Int, _ write: (UnsafeMutablePointer<CChar>, Int) -> Bool
    ) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
            guard let start = buffer.baseAddress, write(start, room) else { return nil }
            return String(cString: start)
        }
    }
}
