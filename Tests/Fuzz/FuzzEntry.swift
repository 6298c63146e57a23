#if FUZZING
    import Foundation

    /// The function that libFuzzer calls; the target is that of `FUZZ_TARGET`.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        FuzzEntry.target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }

    enum FuzzEntry {
        static let target: FuzzTarget = {
            let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
            guard let target = FuzzTarget(rawValue: name) else {
                fatalError("FUZZ_TARGET is none of \(FuzzTarget.allCases.map(\.rawValue))")
            }
            return target
        }()
    }
#endif
