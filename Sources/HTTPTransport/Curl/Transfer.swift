import TenureLibcurl

/// A transfer as the event thread sees it: everything here belongs to that thread.
///
/// libcurl's callbacks only take notes; the loop passes them on afterwards, when it may also stop,
/// resume or end the transfer.
final class Transfer {
    let plan: TransferPlan
    var route: Route
    var clock: TransferClock
    var lookup: (any HostLookup)?
    var easy: EasyHandle?
    var failure: HTTPTransportError?
    /// An address was refused when its socket was to be opened; others may do.
    var refusedSocket: HTTPTransportError?
    var remoteAddress: IPAddress?
    /// The connection libcurl chose leads to an address that this request may not reach.
    var hasUnfitConnection = false
    var insistsOnNewConnection = false
    private var reader: HeadReader
    private var received: [UInt8] = []
    private var bodyBytes = 0
    /// Of the body as it travels; known with the head.
    private var byteLimit = 0
    private var isHeadDelivered = false
    /// Stopped because the reader lags.
    private var isPaused = false
    /// Stopped until what was received is passed on.
    private var isHeld = false
    private let capacity: Int

    init(_ plan: TransferPlan, via proxy: Route.Proxy?, capacity: Int) {
        self.plan = plan
        route = Route(to: plan.target, via: proxy)
        self.capacity = capacity
        let limits = plan.request.limits
        clock = TransferClock(limits: limits, start: plan.start)
        reader = HeadReader(maxBytes: limits.headerBytes)
    }

    /// Only for a host that is an address does libcurl get to turn it into one.
    var mayResolve: Bool { route.firstStop.target.literalAddress != nil }

    var hasHead: Bool { reader.isComplete }

    private var progress: HTTPBodyProgress {
        var progress = HTTPBodyProgress()
        progress.wireBytes = bodyBytes
        progress.decodedBytes = bodyBytes
        return progress
    }
}

/// Taking notes, inside libcurl's callbacks. False ends the transfer.
extension Transfer {
    func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        clock.received(now: .now)
        switch reader.read(line) {
        case .more:
            return true
        case .complete:
            return judgeHead()
        case .tooLarge:
            let limit = plan.request.limits.headerBytes
            failure = plan.failure(.headersTooLarge, "more than \(limit) bytes of headers")
        case .malformed:
            failure = plan.failure(.protocolError, "not an HTTP response")
        }
        return false
    }

    /// What the head says of a body that won't be accepted. The head itself is delivered: whoever
    /// only wants to know whether there is an answer has one. But libcurl would undo a transfer
    /// coding before it hands anything out, without a limit: that ends it here.
    private func judgeHead() -> Bool {
        guard let head = reader.head, plan.request.method != .head, head.mayHaveBody else {
            return true
        }
        if let coding = head.transferCodings.first {
            failure = plan.failure(
                .badEncoding, "the transfer coding '\(coding.prefix(40))' wasn't asked for")
            return false
        }
        let limits = plan.request.limits
        let isDecoded = plan.request.decodesContent && !head.codings.isEmpty
        // What isn't going to be decoded has to keep both limits.
        byteLimit = isDecoded ? limits.wireBytes : min(limits.wireBytes, limits.decodedBytes)
        if let length = head.contentLength, length > byteLimit {
            failure = plan.failure(.bodyTooLarge, "\(length) bytes are announced")
        }
        return true
    }

    func readBody(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil else { return false }
        bodyBytes += chunk.count
        guard bodyBytes <= byteLimit else {
            failure = plan.failure(.bodyTooLarge, "more than \(byteLimit) bytes")
            return false
        }
        received.append(contentsOf: chunk)
        holdIfFull()
        return true
    }

    /// libcurl reads up to a hundred times before it returns.
    private func holdIfFull() {
        guard received.count >= capacity, !isHeld, let easy else { return }
        isHeld = true
        curl_easy_pause(easy.raw, CURLPAUSE_RECV)
    }
}

/// Passing on, between libcurl's calls.
extension Transfer {
    func deliver() {
        if hasHead, !isHeadDelivered, let head = reader.head {
            isHeadDelivered = true
            noteTimings()
            plan.handle.report(clock.timings, progress)
            plan.handle.deliver(ArrivedHead(head: head, remoteAddress: remoteAddress))
        }
        guard !received.isEmpty else { return }
        plan.handle.report(clock.timings, progress)
        let pauses = plan.handle.deliver(received)
        received = []
        guard let easy, failure == nil else { return }
        let wasHeld = isHeld
        isHeld = false
        if pauses {
            isPaused = true
            clock.paused()
            curl_easy_pause(easy.raw, CURLPAUSE_RECV)
        } else if wasHeld && !isPaused {
            curl_easy_pause(easy.raw, CURLPAUSE_RECV_CONT)
        }
    }

    func resume(now: ContinuousClock.Instant) {
        guard isPaused, let easy else { return }
        isPaused = false
        clock.resumed(now: now, bytes: reader.bytes + bodyBytes)
        curl_easy_pause(easy.raw, CURLPAUSE_RECV_CONT)
    }

    func checkClock(now: ContinuousClock.Instant) {
        guard failure == nil,
            let lateness = clock.check(now: now, bytes: reader.bytes + bodyBytes)
        else { return }
        failure = plan.failure(lateness.code, lateness.detail)
    }

    /// The end, as the reader sees it: after everything that was received.
    func finish(_ code: CURLcode) {
        deliver()
        if failure == nil, code != CURLE_OK { failure = curlFailure(code) }
        clock.ended(now: .now)
        plan.handle.report(clock.timings, progress)
        plan.handle.finish(failure.map { .failure($0) } ?? .success(()))
    }

    private func noteTimings() {
        guard let easy else { return }
        let lookedUp = easy.offset(CURLINFO_NAMELOOKUP_TIME_T)
        let connected = easy.offset(CURLINFO_CONNECT_TIME_T)
        let secured = easy.offset(CURLINFO_APPCONNECT_TIME_T)
        clock.connected(
            // Bounded: libcurl's own clock.
            connect: .microseconds(max(0, connected - lookedUp)),
            // Bounded: libcurl's own clock.
            tls: .microseconds(max(0, secured - connected)))
    }
}
