import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A terminal that nobody sits at: the program has one end, the test the other.
final class PseudoTerminal: Sendable {
    let program: Int32
    private let test: Int32

    init(columns: UInt16, rows: UInt16) throws {
        test = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, locked): (Int32, Int32) = (-1, 0)
        // TIOCSPTLCK and TIOCGPTN, whose macros Swift doesn't see.
        guard test >= 0, ioctl(test, 0x4004_5431, &locked) == 0,
            ioctl(test, 0x8004_5430, &number) == 0
        else { throw NeverHappened(what: "a terminal") }
        program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
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
            let count = Glibc.read(test, &bytes, bytes.count)
            if count <= 0 { return String(decoding: all, as: UTF8.self) }
            all += bytes[..<count]
        }
    }
}
