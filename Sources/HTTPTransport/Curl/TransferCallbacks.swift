import TenureLibcurl
import TenureSystem

/// libcurl's calls, as methods of the transfer they are about. They run on the event thread,
/// inside `curl_multi_perform`.
extension Transfer {
    func installCallbacks(on easy: EasyHandle) {
        let callbacks = tenure_callbacks(
            context: Unmanaged.passUnretained(self).toOpaque(),
            header: { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.from(context).readHeader(line) ? line.count : 0
            },
            body: { bytes, size, count, context in
                let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.from(context).readBody(chunk) ? chunk.count : 0
            },
            open_socket: { context, _, address in
                guard let address else { return CURL_SOCKET_BAD }
                return Transfer.from(context).openSocket(&address.pointee)
            },
            before_request: { context, peer, _, _, _ in
                let isAllowed = Transfer.from(context).mayAsk(
                    peer.map { String(cString: $0) } ?? "")
                return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            before_resolve: { _, _, context in
                Transfer.from(context).mayResolve ? 0 : 1
            })
        let code = tenure_set_callbacks(easy.raw, callbacks)
        precondition(code == CURLE_OK, "libcurl refused a callback: \(code.rawValue)")
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("libcurl lost a callback's context") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Opens a socket to an address that may be reached, and to no other.
    private func openSocket(_ address: inout curl_sockaddr) -> curl_socket_t {
        guard let peer = SocketEnd.peer(&address) else { return CURL_SOCKET_BAD }
        guard mayConnect(peer) else {
            refusedSocket =
                plan.refusal(of: peer)
                ?? plan.failure(.refusedAddress, "\(peer) isn't the proxy's address")
            return CURL_SOCKET_BAD
        }
        return SocketEnd.open(&address)
    }

    /// The proxy's address is the operator's word; any other is vetted.
    private func mayConnect(_ address: IPAddress) -> Bool {
        guard route.proxy == nil else { return route.firstStop.addresses.contains(address) }
        return plan.request.allowsAddresses.permits(address)
    }

    /// Looks at the peer of a connection that stands, above all of one that was kept.
    private func mayAsk(_ peer: String) -> Bool {
        guard let address = IPAddress(peer), mayConnect(address) else {
            hasUnfitConnection = true
            return false
        }
        remoteAddress = route.proxy == nil ? address : route.tunnelEnd
        clock.requestGoesOut(now: .now)
        return true
    }
}
