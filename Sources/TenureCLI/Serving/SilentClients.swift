import Glibc
import NIOCore

/// Sends away who has connected and said nothing, before anything is made for the connection.
///
/// Only where the system hands a connection over with its first bytes, or when it has waited for
/// them long enough: elsewhere they may still be on their way.
final class SilentClients: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let client = unwrapInboundIn(data)
        if saysNothing(client) {
            client.close(promise: nil)
        } else {
            context.fireChannelRead(data)
        }
    }

    private func saysNothing(_ client: any Channel) -> Bool {
        guard client.eventLoop.inEventLoop else { return false }
        do {
            return try client.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { descriptor in
                var first: UInt8 = 0
                let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
                return recv(descriptor, &first, 1, flags) < 0 && errno == EAGAIN
            } ?? false
        } catch {
            return false  // closed already: whoever serves it finds out
        }
    }
}
