#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Darwin
    // For iconv, which Darwin's module leaves out.
    @_exported public import TenureLibc
#endif

/// What differs from system to system, beside the C library of each: whoever imports this has both,
/// and no `#if` for a system of their own. Linux, with glibc or musl, and macOS.
package enum System {
    #if os(Linux)
        /// The clock that goes on while the machine sleeps.
        @inlinable package static var clock: clockid_t { CLOCK_BOOTTIME }
    #else
        /// The clock that goes on while the machine sleeps: here it is the monotonic one.
        @inlinable package static var clock: clockid_t { CLOCK_MONOTONIC }
    #endif

    #if os(Linux)
        /// What the kernel has for many sockets, with one wait for all.
        package static func makeSocketSet() -> (any SocketSet)? { EpollSet() }
    #else
        /// Nil: the kernel has nothing for many sockets that would be worth it here.
        package static func makeSocketSet() -> (any SocketSet)? { nil }
    #endif
}
