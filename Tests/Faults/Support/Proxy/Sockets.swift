import TenureSystem

enum Sockets {
    /// A socket that listens on 127.0.0.1, and its port.
    static func listenOnLoopback() throws -> (descriptor: Int32, port: Int) {
        let descriptor = System.streamSocket(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(descriptor, pointer, size) == 0, listen(descriptor, 128) == 0 else {
                    return Int32(-1)
                }
                return getsockname(descriptor, pointer, &size)
            }
        }
        guard status == 0 else { throw ProcessFailure(what: "listen", errno: errno) }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A connection to a unix socket; nil when nobody listens there.
    static func connect(to path: String) -> Int32? {
        let descriptor = System.streamSocket(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                TenureSystem.connect(descriptor, $0, size)
            }
        }
        if status == 0 { return descriptor }
        close(descriptor)
        return nil
    }
}
