import Content
import Foundation
import TestSupport

/// Debian's policy manual on a local web server, with faults that can be put in and taken out, and
/// links to another origin on its first page.
struct RealSite: Sendable {
    let web: LocalWeb
    let foreign: LocalWeb
    let pages: [String]
    private let bodies: [String: [UInt8]]
    private static let folder = "/usr/share/doc/debian-policy/policy.html"

    struct NoManual: Error, CustomStringConvertible {
        let description = "debian-policy is missing: bin/setup --tests installs it"
    }

    init(foreignPaths: [String]) throws {
        web = try LocalWeb()
        let foreign = try LocalWeb()
        self.foreign = foreign
        let files = FileManager.default
        guard files.fileExists(atPath: Self.folder + "/index.html") else { throw NoManual() }
        var bodies: [String: [UInt8]] = [:]
        for case let name as String in files.enumerator(atPath: Self.folder) ?? .init() {
            let path = "\(Self.folder)/\(name)"
            // Scripts of other packages, which may be there or not: here they never are.
            let type = try files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard type == .typeRegular, let data = files.contents(atPath: path) else { continue }
            bodies["/" + name] = name.hasSuffix(".html") ? Self.alone(data) : Array(data)
        }
        let links = foreignPaths.map { "<a href=\"\(foreign.url)\($0)\">foreign</a>\n" }
        bodies["/index.html", default: []] += Array(links.joined().utf8)
        self.bodies = bodies
        pages = bodies.keys.filter { $0.hasSuffix(".html") }.sorted()
        restore()
        for path in foreignPaths { foreign.answer(path, .page("well")) }
    }

    /// Without a way out: tests ask nobody but themselves.
    private static func alone(_ data: Data) -> [UInt8] {
        let text = String(decoding: data, as: UTF8.self)
        return Array(text.replacing(#/https?:\/\//#, with: "gopher://").utf8)
    }

    var start: String { web.url + "/index.html" }

    /// Everything as it is on disk.
    func restore() {
        for path in bodies.keys { restore(path) }
    }

    func restore(_ path: String) { serve(bodies[path] ?? [], at: path) }

    /// The page comes, later than others.
    func delay(_ path: String) { serve(bodies[path] ?? [], at: path, delay: .milliseconds(400)) }

    func serve(_ body: [UInt8], at path: String, delay: Duration = .zero) {
        let type =
            path.hasSuffix(".html") ? "text/html" : path.hasSuffix(".css") ? "text/css" : "x/x"
        let tag = "\"\(body.count)-\(body.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) })\""
        web.answer(path) { request in
            Thread.sleep(forTimeInterval: delay / .seconds(1))
            if request["If-None-Match"] == tag { return .status(304) }
            return LocalWeb.Answer(
                headers: ["Content-Type: \(type)", "ETag: \(tag)"], body: body)
        }
    }

    /// Takes an anchor out, leaving every other byte of the page where it is.
    func loseAnchor(_ name: String, of path: String) {
        let text = String(decoding: bodies[path] ?? [], as: UTF8.self)
        let other = String(repeating: "z", count: name.utf8.count)
        serve(Array(text.replacing("id=\"\(name)\"", with: "id=\"\(other)\"").utf8), at: path)
    }

    /// The page is somewhere else now.
    /// - Returns: where.
    func move(_ path: String, _ status: Int) -> String {
        let other = String(path.dropLast(5)) + "-elsewhere.html"
        serve(bodies[path] ?? [], at: other)
        web.answer(path, .redirect(status, other))
        return other
    }
}
