/// What somebody does with a database of this product: each gets the rights for that, and no more.
enum ProductRole: String, CaseIterable, Sendable {
    case producer, worker, coordinator, reader, `operator`

    var grants: RoleGrants {
        switch self {
        case .producer: .producer
        case .worker: .worker
        case .coordinator: .coordinator
        case .reader: .reader
        case .operator: .operator
        }
    }

    /// For people.
    var purpose: String {
        switch self {
        case .producer: "enqueues jobs and starts batches and checks"
        case .worker: "runs tenure worker, or a program with a Worker"
        case .coordinator: "runs tenure coordinator"
        case .reader: "looks at everything, payloads included, and changes nothing"
        case .operator: "works at the command line: looks, enqueues, and every verb"
        }
    }
}

/// What the roles are called in a database server, where names are everybody's.
struct RoleNames: Sendable {
    let names: [ProductRole: String]

    static let prefix = "tenure_"
    private static let longest = 63

    /// - Parameter given: names that don't follow the prefix.
    /// - Throws: `Failure` that names the flag.
    init(prefix: String = prefix, given: [ProductRole: String] = [:]) throws {
        var names: [ProductRole: String] = [:]
        for role in ProductRole.allCases {
            let flag = given[role] == nil ? "--prefix" : "--\(role.rawValue)"
            let name = given[role] ?? prefix + role.rawValue
            guard Self.isName(name) else {
                throw Failure(
                    "\(flag) makes a role \"\(name)\"; give letters, digits, _ and -, at most "
                        + "\(Self.longest), not beginning with pg_")
            }
            if let other = names.first(where: { $0.value == name })?.key {
                throw Failure(
                    "\(flag) gives \(role.rawValue) and \(other.rawValue) one name, \(name); a "
                        + "role would have the rights of both: give each its own")
            }
            names[role] = name
        }
        self.names = names
    }

    subscript(role: ProductRole) -> String { names[role] ?? "" }

    /// The name where SQL wants a name. It holds nothing that would end the quotes.
    func quoted(_ role: ProductRole) -> String { "\"\(self[role])\"" }

    private static func isName(_ name: String) -> Bool {
        let plain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        let isTaken = name.hasPrefix("pg_") || ["public", "none"].contains(name)
        return plain && !isTaken && (1...longest).contains(name.utf8.count)
    }
}
