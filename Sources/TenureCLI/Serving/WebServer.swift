// docs/decisions/metrics-server.md

import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import TenureSystem

/// An HTTP/1.1 server on one address, with one thread of its own and bounds on all that a client
/// can take: connections, time, bytes of a head and of a body.
struct WebServer: Sendable {
    struct CantListen: Error, CustomStringConvertible {
        let description: String
    }

    var host: String
    var port: Int
    var limits: ServingLimits
    var names: HostRule
    /// Nil: plain HTTP.
    var tls: TLSConfiguration?
    /// Given the address of who is connected, too.
    let respond: @Sendable (Request, _ peer: String?) async throws -> Response

    init(
        host: String, port: Int, limits: ServingLimits, names: HostRule,
        tls: TLSConfiguration? = nil,
        respond: @escaping @Sendable (Request, _ peer: String?) async throws -> Response
    ) {
        (self.host, self.port, self.limits, self.names) = (host, port, limits, names)
        (self.tls, self.respond) = (tls, respond)
    }

    init(
        host: String, port: Int, limits: ServingLimits, names: HostRule,
        respond: @escaping @Sendable (Request) async throws -> Response
    ) {
        self.init(host: host, port: port, limits: limits, names: names) { request, _ in
            try await respond(request)
        }
    }

    /// A client that finds the queue of those not yet accepted full tries again after 1 s, then 3:
    /// with a long one a probe waits until all before it are accepted, some milliseconds.
    private static let backlog = 4096

    /// Serves until it is cancelled, or can't.
    /// - Parameter listening: called with the port once clients can connect.
    /// - Throws: `CantListen` when the port can't be had.
    func run(_ listening: @escaping @Sendable (_ port: Int) -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let connections = Connections(atMost: limits.connections)
        let ending: (any Error)?
        do {
            try await withTaskExecutorPreference(LoopExecutor(group.next())) {
                try await withTaskCancellationHandler {
                    try await application(group, connections, listening).run()
                } onCancel: {
                    // A client that doesn't hang up would keep the server from ending.
                    connections.closeAll()
                }
            }
            ending = nil
        } catch {
            ending = error
        }
        try await group.shutdownGracefully()
        if let ending { throw readable(ending) }
    }

    private func application(
        _ group: MultiThreadedEventLoopGroup, _ connections: Connections,
        _ listening: @escaping @Sendable (Int) -> Void
    ) throws -> some ApplicationProtocol {
        let names = names
        let respond = respond
        // Who runs the server tells what became of it.
        var silent = Logger(label: "tenure", factory: { _ in SwiftLogNoOpLogHandler() })
        silent.logLevel = .critical
        return Application(
            responder: CallbackResponder { (request: Request, context: ServingContext) in
                guard names.allows(request.head.authority, port: context.port) else {
                    return .text(.misdirectedRequest, "not by that name\n")
                }
                let response = try await respond(request, context.peer)
                return request.method == .head ? response.createHeadResponse() : response
            },
            server: try server(connections),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), serverName: nil, backlog: Self.backlog),
            onServerRunning: { channel in
                await Self.prepare(channel)
                listening(channel.localAddress?.port ?? 0)
            },
            eventLoopGroupProvider: .shared(group), logger: silent)
    }

    private func server(_ connections: Connections) throws -> HTTPServerBuilder {
        let limits = limits
        let plain = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [ConnectionGuard(connections, limits)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headerBytes,
                    maxHeaderListSize: limits.headerBytes,
                    maxHeaderFieldCount: limits.headerFields)))
        return try tls.map { try .tls(plain, tlsConfiguration: $0) } ?? plain
    }

    /// Linux hands over a connection when its first bytes are there, or after some seconds: who
    /// connects and says nothing costs no descriptor meanwhile, and a probe's request is there
    /// when it is accepted, before a flood could push it out. Longer, and a flood would fill the
    /// line of those that are not handed over yet, in which a probe waits seconds for its place.
    private static func defersAccept(_ channel: any Channel) async -> Bool {
        guard let number = System.deferAcceptOption else { return false }
        let option = ChannelOptions.Types.SocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: number))
        do {
            try await channel.setOption(option, value: 3).get()
            return true
        } catch {
            return false  // the bounds hold all the same
        }
    }

    /// Before anybody is told of the port.
    private static func prepare(_ channel: any Channel) async {
        let sendsSilentAway = await defersAccept(channel)
        let isPrepared = channel.eventLoop.submit {
            channel.keepFromOtherPrograms()
            try channel.pipeline.syncOperations.addHandler(
                NewClients(sendsSilentAway: sendsSilentAway), position: .first)
        }
        // Reason for `try?`: it fails where the server has been closed, and has nobody to look at.
        try? await isPrepared.get()
    }

    private func readable(_ error: any Error) -> any Error {
        guard let error = error as? IOError else { return error }
        return CantListen(description: String(cString: strerror(error.errnoCode)))
    }
}

/// What a response may depend on beside the request.
private struct ServingContext: InitializableFromSource {
    /// The one that was connected to.
    let port: Int?
    /// Who has connected.
    let peer: String?

    init(source: ApplicationRequestContextSource) {
        port = source.channel.localAddress?.port
        peer = source.channel.remoteAddress?.ipAddress
    }
}

extension Response {
    static func text(
        _ status: HTTPResponse.Status, _ text: String, type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(
            status: status, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
