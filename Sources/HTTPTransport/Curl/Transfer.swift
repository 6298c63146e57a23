import TenureLibcurl

/// A transfer as the event thread sees it: everything here belongs to that thread.
///
/// libcurl's callbacks only take notes; the loop passes them on afterwards, when it may also stop,
/// resume or end the transfer.
final class Transfer {
    let plan: TransferPlan
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
    private var meter: BodyMeter
    private var received: [UInt8] = []
    private var isHeadDelivered = false
    private var isPaused = false

    init(_ plan: TransferPlan) {
        self.plan = plan
        let limits = plan.request.limits
        clock = TransferClock(limits: limits, start: plan.start)
        reader = HeadReader(maxBytes: limits.headerBytes)
        meter = BodyMeter(limits: limits)
    }

    /// Only for a host that is an address does libcurl get to turn it into one.
    var mayResolve: Bool { plan.target.literalAddress != nil }

    var hasHead: Bool { reader.isComplete }

    private var wireBytes: Int { easy?.offset(CURLINFO_SIZE_DOWNLOAD_T) ?? 0 }
}

/// Taking notes, inside libcurl's callbacks. False ends the transfer.
extension Transfer {
    func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        clock.received(now: .now)
        switch reader.read(line) {
        case .more:
            return true
        case .complete:
            judgeHead()
            return true
        case .tooLarge:
            let limit = plan.request.limits.headerBytes
            failure = plan.failure(.headersTooLarge, "more than \(limit) bytes of headers")
        case .malformed:
            failure = plan.failure(.protocolError, "not an HTTP response")
        }
        return false
    }

    /// What the head says of a body that won't be accepted. The head itself is delivered: whoever
    /// only wants to know whether there is an answer has one.
    private func judgeHead() {
        guard let head = reader.head, plan.request.method != .head, head.mayHaveBody else { return }
        let limits = plan.request.limits
        if plan.request.decodesContent, head.encodings > limits.encodings {
            failure = plan.failure(.badEncoding, "\(head.encodings) encodings around each other")
        } else if let length = head.contentLength, length > limits.wireBytes {
            failure = plan.failure(.bodyTooLarge, "\(length) bytes are announced")
        }
    }

    func readBody(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil else { return false }
        // libcurl counts a chunked body after it has handed out what it read, any other before.
        let slack = reader.head?.isChunked == true ? EasyHandle.readBytes : 0
        if let excess = meter.count(decoded: chunk.count, wire: wireBytes, slack: slack) {
            failure = plan.failure(excess.code, excess.detail)
            return false
        }
        received.append(contentsOf: chunk)
        return true
    }
}

/// Passing on, between libcurl's calls.
extension Transfer {
    func deliver() {
        if hasHead, !isHeadDelivered, let head = reader.head {
            isHeadDelivered = true
            noteTimings()
            plan.handle.report(clock.timings, meter.progress)
            plan.handle.deliver(ArrivedHead(head: head, remoteAddress: remoteAddress))
        }
        guard !received.isEmpty else { return }
        plan.handle.report(clock.timings, meter.progress)
        let pauses = plan.handle.deliver(received)
        received = []
        if pauses { pause() }
    }

    private func pause() {
        guard let easy, failure == nil else { return }
        isPaused = true
        clock.paused()
        curl_easy_pause(easy.raw, CURLPAUSE_RECV)
    }

    func resume(now: ContinuousClock.Instant) {
        guard isPaused, let easy else { return }
        isPaused = false
        clock.resumed(now: now, bytes: reader.bytes + wireBytes)
        curl_easy_pause(easy.raw, CURLPAUSE_RECV_CONT)
    }

    func checkClock(now: ContinuousClock.Instant) {
        guard failure == nil,
            let lateness = clock.check(now: now, bytes: reader.bytes + wireBytes)
        else { return }
        failure = plan.failure(lateness.code, lateness.detail)
    }

    /// The end, as the reader sees it: after everything that was received.
    func finish(_ code: CURLcode) {
        deliver()
        if failure == nil, code == CURLE_OK,
            let excess = meter.count(decoded: 0, wire: wireBytes)
        {
            failure = plan.failure(excess.code, excess.detail)
        }
        if failure == nil, code != CURLE_OK { failure = curlFailure(code) }
        clock.ended(now: .now)
        plan.handle.report(clock.timings, meter.progress)
        plan.handle.finish(failure.map { .failure($0) } ?? .success(()))
    }

    private func noteTimings() {
        guard let easy else { return }
        let lookedUp = easy.offset(CURLINFO_NAMELOOKUP_TIME_T)
        let connected = easy.offset(CURLINFO_CONNECT_TIME_T)
        let secured = easy.offset(CURLINFO_APPCONNECT_TIME_T)
        clock.connected(
            connect: .microseconds(max(0, connected - lookedUp)),
            tls: .microseconds(max(0, secured - connected)))
    }
}
