import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// Sends a notice. What a receiver says with a status is all that counts: what it writes isn't
/// read.
struct NoticeDelivery: Sendable {
    let parts: ContentParts
    let context: JobContext

    func run(_ job: NoticeSend) async throws -> JobOutcome {
        let read = ReadDelivery(notice: job.notice, channel: job.channel)
        guard let delivery = try await parts.pool.execute(read).first else {
            return .discard(reason: "the channel was removed, or there is no such notice")
        }
        if delivery.isSent { return .completed }
        if delivery.isPaused { return try await rest(job) }
        let request: HTTPRequest
        do {
            request = try self.request(delivery, of: job)
        } catch let error as ContentError {
            throw try await failure("\(error)", of: job)
        }
        try context.checkRight()
        switch try await send(request) {
        case .arrived:
            return try await context.commit { transaction in
                _ = try await transaction.execute(
                    NoteSent(notice: job.notice, channel: job.channel))
            }
        case .gone:
            let why = "its address answered 410: it wants no more notices"
            return try await context.commit(.discard(reason: why)) { transaction in
                _ = try await transaction.execute(PauseChannel(name: job.channel, why: why))
                _ = try await transaction.execute(
                    NoteUnsent(notice: job.notice, channel: job.channel, error: why))
            }
        case .failed(let why): throw try await failure(why, of: job)
        }
    }

    /// Whoever resumes the channel sends what waits. Who has done so meanwhile may not have seen
    /// this one.
    private func rest(_ job: NoticeSend) async throws -> JobOutcome {
        struct Resumed: Error {}
        do {
            return try await context.commit { transaction in
                let isPaused = try await transaction.execute(HoldPause(channel: job.channel)).first
                if isPaused == false { throw Resumed() }
            }
        } catch is Resumed {
            return .snooze(for: .seconds(1))
        }
    }

    /// Written down before the attempt ends: whoever waits for a test reads it.
    private func failure(_ why: String, of job: NoticeSend) async throws -> ContentError {
        try context.checkRight()
        let note = NoteUnsent(notice: job.notice, channel: job.channel, error: why)
        _ = try await parts.pool.execute(note)
        return ContentError(.notSent, "to \(job.channel): \(why)")
    }

    private func request(
        _ delivery: ReadDelivery.Row, of job: NoticeSend
    ) throws -> HTTPRequest {
        let secret = try delivery.secret.map { text in
            guard let reference = SecretReference(stored: text) else {
                throw ContentError(
                    .noSecret, "where the channel's secret is can't be read; add it anew")
            }
            return try parts.configuration.secrets.text(of: reference)
        }
        var message: NoticeMessage
        var address = delivery.address
        switch delivery.kind {
        case .webhook:
            message = .webhook(delivery.body, notice: job.notice, secret: secret, at: Date())
        case .slack:
            message = try .slack(Notice.decode(delivery.body))
            if let secret { address = address.replacing(Channel.placeholder, with: secret) }
        }
        return try request(message, to: address, isSecret: delivery.kind == .slack)
    }

    private func request(
        _ message: NoticeMessage, to address: String, isSecret: Bool
    ) throws -> HTTPRequest {
        let configuration = parts.configuration
        let url: WebURL
        do {
            url = try CheckableURL.parse(address)
        } catch let error where isSecret {
            // What was refused may be the secret.
            _ = error
            throw ContentError(.refusedURL, "the address with its secret is no URL to send to")
        }
        var message = message
        message.headers["User-Agent"] = configuration.userAgent(for: nil)
        var request = HTTPRequest(
            url: url.href, method: .post, headers: message.headers,
            limits: configuration.limits.lowered(by: Self.limits),
            allowsAddresses: AddressPolicy(allowed: configuration.allowedAddresses))
        request.body = message.body
        return request
    }

    /// A receiver takes a notice, and works on it afterwards.
    private static let limits: HTTPLimits = {
        var limits = HTTPLimits()
        limits.total = .seconds(30)
        return limits
    }()

    private enum Answer {
        case arrived
        /// It says that it wants no more.
        case gone
        case failed(String)
    }

    private func send(_ request: HTTPRequest) async throws -> Answer {
        do {
            let response = try await parts.visitor.transport.send(request)
            response.body.cancel()
            switch response.status {
            case 200..<300: return .arrived
            case 410: return .gone
            case 300..<400:
                return .failed("its address answered \(response.status): redirects aren't followed")
            default: return .failed("its address answered \(response.status)")
            }
        } catch let error as HTTPTransportError {
            try Task.checkCancellation()
            // Without the URL, which may be a secret.
            let reason = error.tlsReason.map { "(\($0.rawValue))" } ?? ""
            return .failed("its address couldn't be asked: \(error.code.rawValue)\(reason)")
        }
    }
}
