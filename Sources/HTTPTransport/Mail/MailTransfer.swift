import TenureLibcurl
import TenureSystem

/// A message on its way, on a thread of its own: what was said last, and what came of it.
final class MailTransfer {
    private let plan: MailPlan
    private var step = MailRefusal.Step.greeting
    /// What the server said last.
    private var reply: (code: Int, enhanced: String?) = (0, nil)
    private var sentBytes = 0
    /// An address was refused when its socket was to be opened.
    private var refusedSocket: HTTPTransportError?
    /// When we took our leave.
    private var quitAt: ContinuousClock.Instant?
    /// A server that doesn't take its leave is not waited for: the message is its own by then.
    private static let patience: Duration = .seconds(1)

    init(_ plan: MailPlan) {
        self.plan = plan
    }

    /// Returns when it has arrived, was refused, or nobody waits for it any more.
    func run() {
        guard let easy = EasyHandle() else {
            return plan.answer.give(.failure(plan.failure(.internalFailure, "out of memory")))
        }
        easy.configure(plan)
        installCallbacks(on: easy)
        let code = curl_easy_perform(easy.raw)
        plan.answer.give(outcome(code, easy))
    }

    private func outcome(_ code: CURLcode, _ easy: EasyHandle) -> Result<MailAnswer, any Error> {
        if code == CURLE_OK { return .success(.accepted) }
        if let refusedSocket { return .failure(refusedSocket) }
        if (400..<600).contains(reply.code) {
            return .success(
                .refused(MailRefusal(step, reply.code, enhancedCode: reply.enhanced)))
        }
        // libcurl's own clock may be a moment ahead of ours.
        let isConnected = easy.offset(CURLINFO_CONNECT_TIME_T) > .zero
        let ours =
            code == CURLE_OPERATION_TIMEDOUT && isConnected
            ? .totalTimeout : easy.translated(code, hasHead: false)
        let failure = plan.failure(
            plan.route.proxy != nil && step == .greeting ? .proxyFailed : ours,
            easy.explanation(of: code), tlsReason: ours == .tls ? easy.tlsReason(code) : nil,
            curlCode: Int32(code.rawValue))
        return .failure(failure)
    }
}

/// libcurl's calls.
extension MailTransfer {
    private func installCallbacks(on easy: EasyHandle) {
        let callbacks = tenure_mail_callbacks(
            context: Unmanaged.passUnretained(self).toOpaque(),
            reply: { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                MailTransfer.from(context).read(line)
                return line.count
            },
            message: { bytes, size, count, context in
                let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return MailTransfer.from(context).write(into: room)
            },
            talk: { _, kind, bytes, count, context in
                if kind == CURLINFO_HEADER_OUT {
                    let said = UnsafeRawBufferPointer(start: bytes, count: count)
                    MailTransfer.from(context).note(said)
                }
                return 0
            },
            progress: { context, _, _, _, _ in
                MailTransfer.from(context).isWanted ? 0 : 1
            },
            open_socket: { context, _, address in
                guard let address else { return CURL_SOCKET_BAD }
                return MailTransfer.from(context).openSocket(&address.pointee)
            },
            before_resolve: { _, _, context in
                MailTransfer.from(context).mayResolve ? 0 : 1
            })
        let code = tenure_set_mail_callbacks(easy.raw, callbacks)
        precondition(code == CURLE_OK, "libcurl refused a callback: \(code.rawValue)")
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MailTransfer {
        guard let context else { preconditionFailure("libcurl lost a callback's context") }
        return Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// A line of a reply: `550 5.1.1 …`, or `550-…` where more come.
    private func read(_ line: UnsafeRawBufferPointer) {
        // What a server says after our leave is no answer to the message.
        guard quitAt == nil else { return }
        let words = line.prefix(64).split(maxSplits: 2) { $0 <= 0x20 || $0 == UInt8(ascii: "-") }
        let code = words.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard let code, (200..<600).contains(code) else { return }
        reply = (code, words.dropFirst().first.flatMap(Self.enhancedCode))
    }

    /// RFC 3463: class, subject and detail.
    private static func enhancedCode(_ word: some Sequence<UInt8>) -> String? {
        let text = String(decoding: Array(word), as: UTF8.self)
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        let isCode =
            numbers.count == 3
            && numbers.allSatisfy { number in
                (1...3).contains(number.utf8.count)
                    && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }
        return isCode ? text : nil
    }

    private static let steps: [(start: String, step: MailRefusal.Step)] = [
        ("EHLO ", .hello), ("HELO ", .hello), ("STARTTLS", .startTLS), ("AUTH ", .login),
        ("MAIL FROM:", .sender), ("RCPT TO:", .recipient), ("DATA\r", .data),
    ]

    /// What we say: with which words, and no more of it, for a password is said, too.
    private func note(_ said: UnsafeRawBufferPointer) {
        if said.starts(with: "QUIT\r".utf8) { quitAt = .now }
        if let found = Self.steps.first(where: { said.starts(with: $0.start.utf8) }) {
            step = found.step
        }
    }

    private func write(into room: UnsafeMutableRawBufferPointer) -> Int {
        step = .message
        let rest = plan.mail.message[sentBytes...].prefix(room.count)
        room.copyBytes(from: rest)
        sentBytes += rest.count
        return rest.count
    }

    private var isWanted: Bool {
        if let quitAt { return .now - quitAt < Self.patience }
        return !plan.answer.isKnown
    }

    private func openSocket(_ address: inout curl_sockaddr) -> curl_socket_t {
        guard let peer = SocketEnd.peer(&address) else { return CURL_SOCKET_BAD }
        // Those that were vetted, and no other: by them it was decided what may travel in the open.
        guard plan.route.firstStop.addresses.contains(peer) else {
            refusedSocket = plan.failure(.refusedAddress, "\(peer) isn't the server's address")
            return CURL_SOCKET_BAD
        }
        return SocketEnd.open(&address)
    }

    /// Only for a host that is an address does libcurl get to turn it into one.
    private var mayResolve: Bool { plan.route.firstStop.target.literalAddress != nil }
}
