package import Tenure

/// A kind that a worker runs, and the newest payload version that it reads. A literal reads all.
package struct ReadableKind: Hashable, Sendable, ExpressibleByStringLiteral {
    package let kind: JobKind
    package let newestVersion: Int16

    package init(_ kind: JobKind, upTo newestVersion: Int16 = .max) {
        self.kind = kind
        self.newestVersion = newestVersion
    }

    package init(stringLiteral value: String) { self.init(JobKind(value)) }

    package func reads(_ version: Int16) -> Bool { version <= newestVersion }
}

extension [ReadableKind] {
    package func reads(_ kind: JobKind, _ version: Int16) -> Bool {
        contains { $0.kind == kind && $0.reads(version) }
    }
}
