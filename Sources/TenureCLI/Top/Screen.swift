import Synchronization
import Tenure
import TenureSystem

/// The whole terminal: a screen of its own, and keys as they are pressed. `leave` gives it back as
/// it was, and may be called twice.
final class Screen: Sendable {
    /// How often keys and the size are looked at.
    static let slice = Duration.milliseconds(50)
    private let saved: Mutex<termios?>

    init() {
        var mode = termios()
        let hasKeys = tcgetattr(STDIN_FILENO, &mode) == 0
        saved = Mutex(hasKeys ? mode : nil)
        if hasKeys {
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
            Self.set(&mode, VMIN, 0)
            Self.set(&mode, VTIME, 0)
            // Ctrl-C stays; what would stop or kill the process without a word to it does not.
            Self.set(&mode, VSUSP, 0)
            Self.set(&mode, VQUIT, 0)
            tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        }
        Terminal.write("\u{1B}[?1049h\u{1B}[?25l", to: STDOUT_FILENO)
        Terminal.whenGivenUp { [weak self] in self?.leave() }
    }

    deinit { leave() }

    func leave() {
        let isFirst = isOn.exchange(false, ordering: .relaxed)
        guard isFirst else { return }
        Terminal.write("\u{1B}[?25h\u{1B}[?1049l", to: STDOUT_FILENO)
        saved.withLock { saved in
            if var mode = saved { tcsetattr(STDIN_FILENO, TCSANOW, &mode) }
        }
    }

    private let isOn = Atomic(true)

    var size: TopScreen.Size {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
            window.ws_row > 0
        else { return TopScreen.Size() }
        return TopScreen.Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Line by line over the old ones, so that nothing flickers.
    func draw(_ lines: [String]) {
        let text = lines.map { PlainText.line($0) + "\u{1B}[K" }.joined(separator: "\r\n")
        Terminal.write("\u{1B}[H\(text)\u{1B}[J", to: STDOUT_FILENO)
    }

    /// Reads what has been pressed; never waits.
    func isQuitAsked() -> Bool {
        guard saved.withLock({ $0 != nil }) else { return false }
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == UInt8(ascii: "q") || byte == UInt8(ascii: "Q") { return true }
        }
        return false
    }

    private static func set(_ mode: inout termios, _ key: Int32, _ value: cc_t) {
        withUnsafeMutableBytes(of: &mode.c_cc) { $0[Int(key)] = value }
    }
}
