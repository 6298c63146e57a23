/// What SARIF 2.1.0 has that a report needs.
struct SARIFLog: Encodable {
    enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }
    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let version = "2.1.0"
    let runs: [SARIFRun]
}

struct SARIFRun: Encodable {
    struct Tool: Encodable { let driver: Driver }
    struct Driver: Encodable {
        let name = "tenure"
        let semanticVersion: String
        let rules: [SARIFRule]
    }
    struct Invocation: Encodable { let executionSuccessful: Bool }
    struct Base: Encodable { let description: SARIFText }
    struct Properties: Encodable {
        let check: String
        var site: String?
        let pages: Int
        var references: Int?
        var endedRules: [String]?
    }

    let tool: Tool
    let invocations: [Invocation]
    let columnKind = "unicodeCodePoints"
    let originalUriBaseIds: [String: Base]
    let results: [SARIFResult]
    let properties: Properties
}

struct SARIFText: Encodable {
    let text: String
}

struct SARIFRule: Encodable {
    struct Configuration: Encodable { let level: String }
    struct Properties: Encodable { let tags = ["links"] }
    let id: String
    let shortDescription: SARIFText
    let fullDescription: SARIFText
    let help: SARIFText
    let defaultConfiguration = Configuration(level: "error")
    let properties = Properties()
}

/// A place that is to be mended.
struct SARIFResult: Encodable {
    struct Location: Encodable { let physicalLocation: Physical }
    struct Physical: Encodable {
        let artifactLocation: Artifact
        var region: Region?
    }
    struct Artifact: Encodable {
        let uri: String
        var uriBaseId: String?
    }
    struct Region: Encodable {
        let startLine: Int
        let startColumn: Int
    }
    struct Suppression: Encodable {
        let kind = "external"
        let status = "accepted"
        let justification: String
    }
    struct Properties: Encodable {
        let target: String
        let isHard: Bool
        var kind: String?
        var raw: String?
        var firstBrokenAt: String?
        var lastOkAt: String?
    }

    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: SARIFText
    let locations: [Location]
    let partialFingerprints: [String: String]
    var suppressions: [Suppression]?
    var baselineState: String?
    let properties: Properties
}
