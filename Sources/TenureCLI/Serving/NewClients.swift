import NIOCore
import TenureSystem

/// Looks at each connection before anything is made for it.
///
/// It is this process's alone: without close-on-exec a program that is started meanwhile would keep
/// it open, whatever becomes of it here. A client that says nothing is sent away.
final class NewClients: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel

    /// Only where the system hands a connection over with its first bytes, or when it has waited
    /// for them long enough: elsewhere they may still be on their way.
    private let sendsSilentAway: Bool

    init(sendsSilentAway: Bool) { self.sendsSilentAway = sendsSilentAway }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let client = unwrapInboundIn(data)
        client.keepFromOtherPrograms()
        if sendsSilentAway, client.saysNothing {
            client.close(promise: nil)
        } else {
            context.fireChannelRead(data)
        }
    }
}

/// On the channel's event loop.
extension Channel {
    func keepFromOtherPrograms() { _ = withDescriptor { fcntl($0, F_SETFD, FD_CLOEXEC) } }

    fileprivate var saysNothing: Bool {
        withDescriptor { descriptor in
            var first: UInt8 = 0
            let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
            return recv(descriptor, &first, 1, flags) < 0 && errno == EAGAIN
        } ?? false
    }

    /// Nil when it is closed already, which whoever serves it finds out.
    private func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result? {
        do {
            return try pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self, body)
        } catch {
            return nil
        }
    }
}
