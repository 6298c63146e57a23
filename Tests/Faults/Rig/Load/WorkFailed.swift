/// A domain's own error, with what caused it somewhere inside.
struct WorkFailed: Error {
    enum Cause {
        case planned
        case underlying([String: any Error])
    }
    let cause: Cause

    /// A cancellation as three layers of a program would hand it up.
    static func wrapping(_ error: any Error) -> WorkFailed {
        let inner = WorkFailed(cause: .underlying(["transfer": error]))
        return WorkFailed(cause: .underlying(["page": inner]))
    }
}

/// How a handler's error counts for the recording.
enum HandlerEnd {
    /// - Returns: whether a cancellation was thrown, and whether inside of something else.
    static func describe(_ error: any Error) -> (how: String, isWrapped: Bool) {
        if error is CancellationError { return ("cancelled", false) }
        return carriesCancellation(error) ? ("cancelled", true) : ("threw", false)
    }

    private static func carriesCancellation(_ error: any Error) -> Bool {
        guard let error = error as? WorkFailed, case .underlying(let causes) = error.cause else {
            return error is CancellationError
        }
        return causes.values.contains { carriesCancellation($0) }
    }
}
