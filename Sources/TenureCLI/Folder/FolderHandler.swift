import Content
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import TenureFoundation

/// What a request for a path of a served folder is answered with.
struct FolderHandler: Sendable {
    let folder: SiteFolder
    let rules: SiteRules

    func respond(to request: Request) async throws -> Response {
        guard request.method == .get || request.method == .head else {
            return Self.response(405)
        }
        let path = request.uri.path
        if let seconds = rules.delays[path] { try await Task.sleep(for: .seconds(seconds)) }
        if let redirect = rules.redirects[path] {
            return Self.response(redirect.status, [.location: redirect.location])
        }
        if let status = rules.statuses[path] { return Self.response(status) }
        switch folder.answer(path) {
        case .missing: return Self.response(404)
        case .folder:
            return Self.response(301, [.location: "/\(path.trimmingPrefix { $0 == "/" })/"])
        case .list: return Self.response(200, [.contentType: "text/plain; charset=utf-8"])
        case .file(let file): return try answer(with: file)
        }
    }

    /// In pieces, as a client takes them.
    private func answer(with path: String) throws -> Response {
        let file = try OpenFile(path)
        let body = ResponseBody(contentLength: file.size) { writer in
            var left = file.size
            while left > 0 {
                let piece = try file.read(atMost: min(left, 131_072))
                left -= piece.readableBytes
                try await writer.write(piece)
            }
            try await writer.finish(nil)
        }
        let type = FileTypes.mediaType(of: path, in: folder)
        return Response(status: .ok, headers: [.contentType: type], body: body)
    }

    private static func response(_ status: Int, _ headers: HTTPFields = [:]) -> Response {
        Response(status: HTTPResponse.Status(code: status), headers: headers)
    }
}
