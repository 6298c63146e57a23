import TenureLibpq

/// The fields of an error or a notice: the letters of the protocol, as macros of
/// `postgres_ext.h` that Swift doesn't import.
enum ResultField: Unicode.Scalar {
    case severity = "V"
    case sqlState = "C"
    case message = "M"
    case detail = "D"
    case hint = "H"
    case position = "P"
    case constraint = "n"
    case sourceFunction = "R"

    func read(_ result: OpaquePointer) -> String? {
        PQresultErrorField(result, Int32(rawValue.value)).map { String(cString: $0) }
    }
}

extension PostgresError {
    /// What a failed result says. Without SQLSTATE it is libpq itself that lost the connection;
    /// without a place in the server's source it is a pooler that lost the server ("server conn
    /// crashed?", as a mere ERROR): what the server made of the statement isn't known.
    init(result: OpaquePointer, statement: String?) {
        let sqlState = ResultField.sqlState.read(result)
        let severity = ResultField.severity.read(result)
        let isForeign = ResultField.sourceFunction.read(result) == nil
        let isLost =
            sqlState == nil || isForeign || severity == "FATAL" || severity == "PANIC"
        let message =
            ResultField.message.read(result)
            ?? String(cString: PQresultErrorMessage(result)).replacingNewlines()
        self.init(
            isLost ? .connectionLost : .server, message, sqlState: sqlState,
            hint: ResultField.hint.read(result) ?? sqlState.flatMap(Self.advice),
            statement: statement)
        detail = ResultField.detail.read(result)
        position = ResultField.position.read(result).flatMap { Int($0) }
        constraint = ResultField.constraint.read(result)
    }

    /// Where it is most often a setting that nobody thought of.
    private static func advice(_ sqlState: String) -> String? {
        switch sqlState {
        case "25006":
            "Is it a standby, or is default_transaction_read_only on for this role or database?"
        case "57014":
            "Did somebody cancel it, or is statement_timeout of this role or database too short?"
        case "25P04":  // from PostgreSQL 17 on
            "Is transaction_timeout of this role or database too short for it?"
        case "25P02":
            "An earlier statement of the transaction failed: let its error through, or run what "
                + "may fail in savepoint { }"
        case "42501":
            "Grant the role this right; those for Tenure's own tables and functions: tenure roles"
        case "55P03": "A lock was not had in time: is lock_timeout of this role too short?"
        default: nil
        }
    }
}
