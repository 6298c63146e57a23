import TenureLibcurl

/// The event thread's life: hear commands, let libcurl work, pass on what came, watch the clocks,
/// wait.
final class EventLoop {
    typealias Instant = ContinuousClock.Instant

    private let multi: UnsafeMutableRawPointer
    private let thread: EventThread
    private var transfers: [UInt64: Transfer] = [:]

    init(multi: UnsafeMutableRawPointer, thread: EventThread) {
        self.multi = multi
        self.thread = thread
    }

    func run() {
        while true {
            let (commands, isClosing) = thread.takeCommands()
            for command in commands { perform(command) }
            if isClosing { break }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            for transfer in transfers.values { transfer.deliver() }
            collectFinished()
            wait(until: watchClocks())
        }
        for transfer in Array(transfers.values) {
            end(transfer, transfer.plan.failure(.closed, "the transport is shut down"))
        }
    }

    private func perform(_ command: EventThread.Command) {
        switch command {
        case .start(let plan): start(plan)
        case .resolved(let id, let stop, let answer): resolved(id, stop, answer)
        case .resume(let id): transfers[id]?.resume(now: .now)
        case .cancel(let id): transfers[id].map(remove)
        }
    }

    private func wait(until next: Instant?) {
        let delay = next.map { max(.zero, $0 - .now) } ?? .seconds(600)
        let milliseconds = Int32(min(600_000, delay / .milliseconds(1) + 1))
        curl_multi_poll(multi, nil, 0, milliseconds, nil)
    }
}

/// Beginning: name, addresses, connection.
extension EventLoop {
    private func start(_ plan: TransferPlan) {
        guard plan.handle.isLive else { return }
        let transfer = Transfer(
            plan, via: thread.proxy, capacity: thread.configuration.bodyBufferBytes)
        transfers[plan.id] = transfer
        advance(transfer)
    }

    /// The next name, or the connection. One refused address refuses the name: an answer that
    /// mixes them has no good reason.
    private func advance(_ transfer: Transfer) {
        for address in transfer.route.addresses ?? [] {
            if let refusal = transfer.plan.refusal(of: address) { return end(transfer, refusal) }
        }
        guard let (stop, host) = transfer.route.next else { return connect(transfer) }
        let id = transfer.plan.id
        transfer.lookup = thread.resolver.resolve(host) { [thread] answer in
            thread.post(.resolved(id, stop, answer))
        }
    }

    private func resolved(
        _ id: UInt64, _ stop: Route.Stop, _ answer: Result<[IPAddress], LookupFailure>
    ) {
        guard let transfer = transfers[id], transfer.easy == nil else { return }
        let failed: HTTPTransportError.Code
        switch (answer, stop) {
        case (.success(let addresses), _):
            transfer.route.resolved(stop, addresses)
            return advance(transfer)
        case (.failure(.notFound), .target): failed = .dnsNotFound
        case (.failure(.temporary), .target): failed = .dnsTemporary
        case (.failure, .proxy): failed = .proxyFailed
        }
        if case .failure(let failure) = answer {
            end(transfer, transfer.plan.failure(failed, failure.text))
        }
    }

    private func connect(_ transfer: Transfer) {
        transfer.clock.resolved(now: .now)
        guard let easy = EasyHandle() else {
            return end(transfer, transfer.plan.failure(.internalFailure, "out of memory"))
        }
        easy.configure(
            transfer.plan, thread.configuration, transfer.route,
            connect: transfer.clock.connectBudget(now: .now))
        transfer.installCallbacks(on: easy)
        easy.tag = transfer.plan.id
        transfer.easy = easy
        curl_multi_add_handle(multi, easy.raw)
    }
}

/// Ending: by itself, by the clock, by somebody's wish.
extension EventLoop {
    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left)?.pointee {
            guard message.msg == CURLMSG_DONE,
                let transfer = transfers[EasyHandle.tag(of: message.easy_handle)]
            else { continue }
            if !retry(transfer) { finish(transfer, message.data.result) }
        }
    }

    /// A kept connection was opened for a request that may go where this one may not: another one.
    private func retry(_ transfer: Transfer) -> Bool {
        guard transfer.hasUnfitConnection, !transfer.insistsOnNewConnection,
            let easy = transfer.easy
        else { return false }
        transfer.hasUnfitConnection = false
        transfer.insistsOnNewConnection = true
        curl_multi_remove_handle(multi, easy.raw)
        easy.set(CURLOPT_FRESH_CONNECT, true)
        curl_multi_add_handle(multi, easy.raw)
        return true
    }

    private func finish(_ transfer: Transfer, _ code: CURLcode) {
        transfer.finish(code)
        remove(transfer)
    }

    /// Fails what is late or has failed; returns when the next one may be.
    private func watchClocks() -> Instant? {
        let now = Instant.now
        for transfer in Array(transfers.values) {
            transfer.checkClock(now: now)
            if let failure = transfer.failure { end(transfer, failure) }
        }
        return transfers.values.map(\.clock.nextCheck).min()
    }

    private func end(_ transfer: Transfer, _ failure: HTTPTransportError) {
        transfer.failure = failure
        finish(transfer, CURLE_OK)
    }

    /// Closes the connection, unless the transfer is complete: then libcurl has already kept it.
    private func remove(_ transfer: Transfer) {
        transfers[transfer.plan.id] = nil
        transfer.lookup?.cancel()
        guard let easy = transfer.easy else { return }
        easy.set(CURLOPT_FORBID_REUSE, true)
        curl_multi_remove_handle(multi, easy.raw)
    }
}
