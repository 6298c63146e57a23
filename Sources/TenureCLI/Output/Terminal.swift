import Synchronization
import Tenure
import TenureSystem

/// Where output goes: results to standard output, everything else to standard error. Secrets that
/// can be told from other text are taken out on the way, and nothing that is shown does anything.
package enum Terminal {
    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    package static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    package static func output(_ text: String) {
        write(document(text) + "\n", to: STDOUT_FILENO)
    }

    /// One line, whatever is in the names that it tells of.
    static func line(_ text: String) { output(PlainText.line(text)) }

    package static func error(_ text: String) {
        write(shown(text) + "\n", to: STDERR_FILENO)
    }

    /// A line that the next one replaces; nothing when nobody watches.
    package static func progress(_ text: String) {
        if errorIsTerminal {
            write("\r\u{1B}[K\(PlainText.line(shown(text)))", to: STDERR_FILENO)
        }
    }

    package static func endProgress() {
        if errorIsTerminal { write("\r\u{1B}[K", to: STDERR_FILENO) }
    }

    /// As it may be shown to anybody, on a terminal or in a file.
    static func shown(_ text: String) -> String {
        PlainText.escaped(Redaction.secrets(in: text))
    }

    /// The same for what a program may read: its form stays whole, whatever is in its fields.
    static func document(_ text: String) -> String {
        PlainText.escaped(Redaction.secrets(in: text, isDocument: true))
    }

    private static let lastWords = Mutex<(@Sendable () -> Void)?>(nil)

    /// What to do before the process is given up without coming back to whoever runs.
    static func whenGivenUp(_ body: @escaping @Sendable () -> Void) {
        lastWords.withLock { $0 = body }
    }

    static func giveUp() { lastWords.withLock { $0 }?() }

    /// In one call where the system takes it whole, so that lines of several processes stay whole.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                TenureSystem.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                return  // nobody reads any more: there is nobody to tell
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
