// docs/decisions/encryption.md

import TenureFoundation

/// What content is, and whose: a ``PayloadCodec`` binds it to that.
public struct PayloadContext: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case payload
        case result
        /// By the step's name.
        case step(String)
        /// By the signal's name.
        case signal(String)
    }
    public enum Owner: Sendable, Hashable {
        case job(JobID)
        /// Whichever job of the kind has this key: the payload of a coalescing or debounced job,
        /// which a pending one may take in, and a signal that was sent to a key.
        case key(String)
    }
    public let content: Content
    public let owner: Owner
    /// Nil for results, and for signals to a job: whoever writes or reads them may not know it, and
    /// the job's id says the same.
    public let kind: JobKind?

    /// All of it as bytes: of two contexts that differ never the same.
    public var bytes: [UInt8] {
        var bytes = Array("tenure sealed 1".utf8)
        let (what, name) = words
        for text in [what, name, whose.kind, whose.name, kind?.rawValue ?? ""] {
            withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian) { bytes += $0 }
            bytes += text.utf8
        }
        return bytes
    }

    private var words: (what: String, name: String) {
        switch content {
        case .payload: ("payload", "")
        case .result: ("result", "")
        case .step(let name): ("step", name)
        case .signal(let name): ("signal", name)
        }
    }

    private var whose: (kind: String, name: String) {
        switch owner {
        case .job(let id): ("job", id.description)
        case .key(let key): ("key", key)
        }
    }

    package init(_ content: Content, of owner: Owner, kind: JobKind?) {
        (self.content, self.owner) = (content, owner)
        switch (content, owner) {
        case (.result, _), (.signal, .job): self.kind = nil
        default: self.kind = kind
        }
    }
}

extension PayloadContext.Content {
    /// For people.
    package var words: String {
        switch self {
        case .payload: "the payload"
        case .result: "the result"
        case .step(let name): "step \"\(name)\""
        case .signal(let name): "signal \"\(name)\""
        }
    }
}
