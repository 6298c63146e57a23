import Foundation
import TenureSystem

/// A terminal that nobody sits at: the program has one end, the test the other.
final class PseudoTerminal: Sendable {
    let program: Int32
    private let test: Int32

    init(columns: UInt16, rows: UInt16) throws {
        guard let ends = System.openTerminal() else { throw NeverHappened(what: "a terminal") }
        (program, test) = (ends.program, ends.user)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(program, UInt(TIOCSWINSZ), &size)
        _ = fcntl(test, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(test)
        close(program)
    }

    /// Whether it reads line by line and echoes, as a shell leaves it.
    var isCooked: Bool {
        var mode = termios()
        tcgetattr(program, &mode)
        return mode.c_lflag & tcflag_t(ICANON) != 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }

    func press(_ key: Character) {
        var bytes = Array(String(key).utf8)
        _ = write(test, &bytes, bytes.count)
    }

    /// What has been written since the last call.
    func read() -> String {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = TenureSystem.read(test, &bytes, bytes.count)
            if count <= 0 { return String(decoding: all, as: UTF8.self) }
            all += bytes[..<count]
        }
    }
}
