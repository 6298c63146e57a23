import TenureLibcurl
import TenureSystem

/// Where libcurl is about to connect to.
enum SocketEnd {
    /// Nil for families that aren't IP.
    static func peer(_ address: inout curl_sockaddr) -> IPAddress? {
        withUnsafePointer(to: &address.addr) { IPAddress(socketAddress: $0) }
    }

    /// A socket for it, which programs that are started beside don't get.
    static func open(_ address: inout curl_sockaddr) -> curl_socket_t {
        System.socket(address.family, type: address.socktype, protocol: address.protocol)
    }
}
