import HTTPTransport
import Tenure
import TenureFoundation
import Web

/// A notice made up for its channel.
enum NoticeParcel: Sendable {
    case post(HTTPRequest)
    case mail(MailRequest)

    /// What became of it.
    enum Answer: Sendable {
        case arrived
        /// The receiver wants no more, ever.
        case gone(String)
        /// This one isn't taken, however often it comes.
        case refused(String)
        case failed(String)
    }

    /// - Throws: `ContentError` when it can't be sent as the channel stands.
    init(
        _ delivery: ReadDelivery.Row, of job: NoticeSend, _ configuration: ContentConfiguration
    ) throws {
        let secret = try delivery.secret.map { text in
            guard let reference = SecretReference(stored: text) else {
                throw ContentError(
                    .noSecret, "where the channel's secret is can't be read; add it anew")
            }
            return try configuration.secrets.text(of: reference)
        }
        switch delivery.kind {
        case .webhook:
            let message = NoticeMessage.webhook(
                delivery.body, notice: job.notice, secret: secret, at: Date())
            self = .post(try Self.request(message, to: delivery.address, configuration))
        case .slack:
            let message = try NoticeMessage.slack(Self.notice(delivery))
            let address = delivery.address.replacing(Channel.placeholder, with: secret ?? "")
            do {
                self = .post(
                    try Self.request(
                        message, to: secret == nil ? delivery.address : address, configuration))
            } catch let error as ContentError where error.code == .refusedURL {
                // What was refused may be the secret.
                throw ContentError(.refusedURL, "the address with its secret is no URL to send to")
            }
        case .mail:
            let route = try delivery.route()
            let message = MailMessage(
                try Self.notice(delivery), for: job.channel, by: route)
            self = .mail(Self.request(message, by: route, secret: secret, configuration))
        }
    }

    private static func notice(_ delivery: ReadDelivery.Row) throws -> Notice {
        do {
            return try Notice.decode(delivery.body)
        } catch {
            throw ContentError(
                .newerDatabase,
                "the notice can't be read: \(PayloadMismatch.text(error)); use a newer release")
        }
    }

    private static func request(
        _ message: NoticeMessage, to address: String, _ configuration: ContentConfiguration
    ) throws -> HTTPRequest {
        let url = try CheckableURL.parse(address)
        var headers = message.headers
        headers["User-Agent"] = configuration.userAgent(for: nil)
        var request = HTTPRequest(
            url: url.href, method: .post, headers: headers,
            limits: configuration.limits.lowered(by: limits(total: .seconds(30))),
            allowsAddresses: AddressPolicy(allowed: configuration.allowedAddresses))
        request.body = message.body
        return request
    }

    private static func request(
        _ message: MailMessage, by route: MailRoute, secret: String?,
        _ configuration: ContentConfiguration
    ) -> MailRequest {
        MailRequest(
            server: route.server, sender: "\(route.sender)", recipient: "\(route.recipient)",
            message: message.bytes,
            login: route.user.map { MailLogin(user: $0, password: secret ?? "") },
            encryption: route.isPlain ? .none : .unlessLocal,
            limits: configuration.limits.lowered(by: limits(total: .seconds(90))),
            allowsAddresses: AddressPolicy(allowed: configuration.allowedAddresses))
    }

    /// A receiver takes a notice, and works on it afterwards; a mail server looks into it first.
    /// Both are shorter than the job's own time.
    private static func limits(total: Duration) -> HTTPLimits {
        var limits = HTTPLimits()
        limits.total = total
        return limits
    }
}

/// Sending.
extension NoticeParcel {
    /// - Throws: `CancellationError`, and what says nothing of the receiver.
    func send(_ parts: ContentParts) async throws -> Answer {
        do {
            switch self {
            case .post(let request):
                let response = try await parts.visitor.transport.send(request)
                response.body.cancel()
                return Self.answer(response.status)
            case .mail(let request): return Self.answer(try await parts.mail().send(request))
            }
        } catch let error as HTTPTransportError {
            try Task.checkCancellation()
            return .failed(Self.text(error))
        }
    }

    private static func answer(_ status: Int) -> Answer {
        switch status {
        case 200..<300: .arrived
        case 410: .gone("its address answered 410: it wants no more notices")
        case 300..<400: .failed("its address answered \(status): redirects aren't followed")
        default: .failed("its address answered \(status)")
        }
    }

    /// A password may be right again, as a mailbox that is none never is.
    private static func answer(_ answer: MailAnswer) -> Answer {
        guard case .refused(let refusal) = answer else { return .arrived }
        let text = "its server answered \(refusal)"
        guard refusal.isPermanent else { return .failed(text) }
        return switch refusal.step {
        case .sender, .recipient: .gone(text)
        case .data, .message: .refused(text)
        case .greeting, .hello, .startTLS, .login: .failed(text)
        }
    }

    /// Without the URL, which may be a secret.
    private static func text(_ error: HTTPTransportError) -> String {
        let reason = error.tlsReason.map { "(\($0.rawValue))" } ?? ""
        let remedy =
            switch error.code {
            case .refusedAddress:
                ": one that isn't public needs workers with TENURE_CONTENT_ALLOW"
            case .noStartTLS:
                ": it doesn't encrypt; add the channel with smtps://, or with --plain"
            default: ""
            }
        return "its address couldn't be asked: \(error.code.rawValue)\(reason)\(remedy)"
    }
}
