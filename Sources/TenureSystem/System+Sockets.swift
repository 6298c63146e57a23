import TenureLibc

/// Sockets that programs which are started beside don't get. Where there is none, it is -1, and
/// `errno` says why.
extension System {
    package static func streamSocket(_ family: Int32) -> Int32 { tenure_stream_socket(family) }

    package static func datagramSocket(_ family: Int32) -> Int32 { tenure_datagram_socket(family) }

    package static func socket(_ family: Int32, type: Int32, protocol: Int32) -> Int32 {
        tenure_socket(family, type, `protocol`)
    }

    /// Two stream sockets, connected with each other; nil, and `errno`, where there are none.
    package static func socketPair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        return tenure_socket_pair(&ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// As `send(2)` without flags, but without a SIGPIPE when the other end is closed.
    package static func send(
        _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
    ) -> Int {
        tenure_send(descriptor, bytes, count)
    }

    /// The option of TCP by which a listener hears of a connection when its first bytes are there;
    /// nil where the system has none.
    package static var deferAcceptOption: Int32? {
        let option = tenure_defer_accept_option()
        return option < 0 ? nil : option
    }

    /// Whether a code of `getaddrinfo` says that there is no such name, or no address of it, as
    /// against that nobody could say.
    package static func saysUnknown(_ code: Int32) -> Bool { tenure_says_unknown(code) != 0 }

    /// How long the path of a socket may be, in bytes: what `sockaddr_un` has room for, without the
    /// final zero.
    package static var longestSocketPath: Int {
        MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
    }
}
