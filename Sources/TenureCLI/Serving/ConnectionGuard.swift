import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Holds one connection to its limits: how long a request may take to arrive, however busily its
/// bytes trickle in, how long its answer may take, and how large a body may be.
///
/// Idle time-outs begin anew with every byte and part; these deadlines don't.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections
    private let limits: ServingLimits
    private var deadline: Scheduled<Void>?
    /// Whole requests without an end of their answer yet. Below zero where an answer was early.
    private var unanswered = 0
    private var bodyBytes = 0
    /// An answer to the newest request has begun.
    private var isAnswering = false
    /// What comes is passed over: its sender has been told that it is too much.
    private var isRefusing = false

    init(_ connections: Connections, _ limits: ServingLimits) {
        self.connections = connections
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connections.add(context.channel)
        expect(within: limits.request, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        connections.remove(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        connections.remove(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefusing { return passOver(unwrapInboundIn(data), context) }
        switch unwrapInboundIn(data) {
        case .head(let head):
            (bodyBytes, isAnswering) = (0, false)
            let length = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
            if length > limits.bodyBytes { return refuse(context) }
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            if bodyBytes > limits.bodyBytes { return refuse(context) }
        case .end:
            unanswered += 1
            if unanswered == 1 { turn(busy: true, context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isRefusing {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        isAnswering = true
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            // What the client is slow to take is still being answered.
            let written = promise ?? context.eventLoop.makePromise()
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            written.futureResult.whenSuccess {
                let (own, context) = bound.value
                if own.unanswered <= 0 { own.turn(busy: false, context) }
            }
            context.write(data, promise: written)
        } else {
            context.write(data, promise: promise)
        }
    }

    /// Whoever sends too much hears so, if nobody else's answer is in the way. A while later the
    /// connection is closed: at once, and the answer could be lost with what is on its way here.
    private func refuse(_ context: ChannelHandlerContext) {
        isRefusing = true
        guard unanswered <= 0, !isAnswering else { return context.close(promise: nil) }
        let text = ByteBuffer(string: "more than \(limits.bodyBytes) bytes\n")
        let head = HTTPResponse(
            status: .contentTooLarge,
            headerFields: [
                .contentType: "text/plain; charset=utf-8", .connection: "close",
                .contentLength: "\(text.readableBytes)",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(text)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        expect(within: limits.farewell, context)
    }

    private func passOver(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        guard case .body(let bytes) = part else { return }
        bodyBytes += bytes.readableBytes
        if bodyBytes > limits.farewellBytes { context.close(promise: nil) }
    }

    private func turn(busy: Bool, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        connections.mark(context.channel, busy: busy)
        expect(within: busy ? limits.answer : limits.request, context)
    }

    private func expect(within time: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(time)) {
            channel.close(promise: nil)
        }
    }
}
