import HTTPTypes
import Hummingbird

/// In which form an answer is wanted.
enum Wanted {
    case html, json, events

    init(_ request: Request) {
        let accept = request.headers[.accept] ?? ""
        self =
            accept.contains("text/event-stream")
            ? .events : accept.contains("application/json") ? .json : .html
    }
}
