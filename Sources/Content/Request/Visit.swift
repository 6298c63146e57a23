import HTTPTransport
import Web

/// What one request for one URL came to. A redirect is an answer: where it leads is visited by
/// itself.
struct Visit: Sendable {
    var state: TargetState
    /// Why it isn't ok: `404`, `redirectLoop`, `connectRefused`.
    var code: String?
    var status: Int?
    var detail: String?
    var failure: FailureClass?
    /// Where it redirects to.
    var next: WebURL?
    /// How long the host wants to be left alone.
    var retryAfter: Duration?
    var document: FetchedDocument?
    /// A document was read, although it isn't the one that was asked for.
    var wasRead = false
    /// The head was refused: a request for the whole may say more.
    var wantsWhole = false
    /// The check's rules say that such an answer is well. The memory of all checks takes it for
    /// what it is.
    var isAccepted = false
    /// Of the request, if one was made.
    var figures: RequestFigures?

    static func failed(_ error: HTTPTransportError) -> Visit {
        Visit(
            state: .broken, code: error.visitCode, detail: URLRedaction.text(error.description),
            failure: error.visitClass)
    }

    static func failed(
        _ code: String, _ detail: String, _ failure: FailureClass = .permanent, status: Int? = nil
    ) -> Visit {
        Visit(
            state: failure == .blocked ? .blocked : .broken, code: code, status: status,
            detail: URLRedaction.text(detail), failure: failure)
    }

    /// Whoever reads it is told that there is nothing; programs are told that there is.
    static func softMissing(
        status: Int?, code: String = Suspicion.softMissing.rawValue
    ) -> Visit {
        var visit = Visit.failed(code, "a page that says it isn't there", status: status)
        visit.wasRead = code == Suspicion.softMissing.rawValue
        return visit
    }

    /// As the check sees it whose rules accept it.
    var accepted: Visit {
        Visit(state: .ok, code: "accepted", status: status, detail: detail)
    }

    static func skipped(_ code: String, _ detail: String) -> Visit {
        Visit(state: .skipped, code: code, detail: detail)
    }
}

/// A response that arrived, with its body if it was wanted.
struct FetchedDocument: Sendable {
    var url: WebURL
    var headers: HTTPHeaders
    var mediaType: MediaType?
    /// Nil when nobody reads bodies of its type.
    var body: [UInt8]?

    /// It came for what one check's rules said: whoever asks without that has to ask anew, and not
    /// whether it is still the same.
    mutating func isForNobodyElse() {
        headers = HTTPHeaders(headers.fields.filter { $0.name.lowercased() == "content-type" })
        headers.add("Cache-Control", "no-store")
    }
}
