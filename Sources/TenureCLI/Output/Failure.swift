import EmbeddedPostgres
import Tenure

/// Why a command could not do what it was asked, in one line that says what to do.
package struct Failure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

package enum ErrorLine {
    /// One line for any error, without a secret in it.
    package static func text(_ error: any Error) -> String {
        switch error {
        case let error as PostgresError where error.code == .poolTimedOut && error.cause != nil:
            error.cause.map(text) ?? ""  // waiting for a connection that could not be made
        case let error as PostgresError where error.sqlState == "42501":
            oneLine("\(error). Give the user rights on the schema, or use another user")
        case let error as PostgresError
        where error.sqlState == "3F000" || error.sqlState == "42P01":
            oneLine("\(error). Is the schema there? Run: tenure migrate up")
        default: oneLine("\(error)")
        }
    }

    package static func oneLine(_ text: String) -> String {
        Redaction.secrets(
            in: text.split(whereSeparator: \.isNewline).joined(separator: " ")
                .replacing("?. ", with: "? "))
    }
}
