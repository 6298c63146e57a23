import TenureLibcurl

/// The one thread that owns every transfer, seen from the others: they post commands, it wakes.
final class EventThread: @unchecked Sendable {  // `multi` is only woken, holding the lock
    enum Command: Sendable {
        case start(TransferPlan)
        case resolved(UInt64, Route.Stop, Result<[IPAddress], LookupFailure>)
        case resume(UInt64)
        case cancel(UInt64)
    }

    private struct Mailbox {
        var commands: [Command] = []
        var isClosing = false
        var isClosed = false
        var closeWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: CurlConfiguration
    let resolver: any HostResolver
    let proxy: Route.Proxy?
    private let multi: UnsafeMutableRawPointer
    private let mailbox = Lock(Mailbox())

    init(_ configuration: CurlConfiguration, resolver: any HostResolver) throws {
        self.configuration = configuration
        self.resolver = resolver
        proxy = try configuration.proxy.map { try Route.Proxy($0) }
        multi = try Self.makeMulti(configuration)
    }

    func start() {
        HelperThread.start {
            let loop = EventLoop(multi: self.multi, thread: self)
            loop.run()
            self.finish()
        }
    }

    /// Never blocks. After ``close()`` only the loop's own leftovers are heard.
    func post(_ command: Command) {
        let isRefused = mailbox.withLock { mailbox in
            guard !mailbox.isClosing else { return true }
            mailbox.commands.append(command)
            if mailbox.commands.count == 1 { curl_multi_wakeup(multi) }
            return false
        }
        if isRefused, case .start(let plan) = command {
            plan.handle.finish(.failure(plan.failure(.closed, "the transport is shut down")))
        }
    }

    /// What has been posted since the last time, and whether to stop.
    func takeCommands() -> (commands: [Command], isClosing: Bool) {
        mailbox.withLock { mailbox in
            defer { mailbox.commands = [] }
            return (mailbox.commands, mailbox.isClosing)
        }
    }

    /// Ends every transfer with `closed` and the thread after it.
    func close() {
        resolver.close()
        mailbox.withLock { mailbox in
            guard !mailbox.isClosing else { return }
            mailbox.isClosing = true
            curl_multi_wakeup(multi)
        }
    }

    func closed() async {
        await withCheckedContinuation { waiter in
            let isClosed = mailbox.withLock { mailbox in
                if !mailbox.isClosed { mailbox.closeWaiters.append(waiter) }
                return mailbox.isClosed
            }
            if isClosed { waiter.resume() }
        }
    }

    private func finish() {
        curl_multi_cleanup(multi)
        let waiters = mailbox.withLock { mailbox in
            mailbox.isClosed = true
            return mailbox.closeWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension EventThread {
    private static let initialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// - Throws: `internalFailure`.
    static func initialise() throws {
        guard initialised == CURLE_OK else {
            throw HTTPTransportError(.internalFailure, url: "", detail: "libcurl can't be used")
        }
    }

    /// One transfer per connection: a reader that lags stops its own connection and no other,
    /// and giving a transfer up closes one, with HTTP/2 too.
    private static func makeMulti(
        _ configuration: CurlConfiguration
    ) throws -> UnsafeMutableRawPointer {
        try initialise()
        guard let multi = curl_multi_init() else {
            throw HTTPTransportError(.internalFailure, url: "", detail: "libcurl can't be used")
        }
        tenure_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        tenure_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maxIdleConnections)
        return multi
    }
}
