import FaultSupport
import TenureSystem

/// A file system of our own, in an image file, that can be filled to the last block and freed.
///
/// Mounting needs root. The rig then runs in a mount namespace of its own, so that the mount goes
/// with its last process, however that ends.
struct SmallDisk: Sendable {
    let folder: String
    private var ballast: String { "\(folder)/ballast" }

    private static let marker = "TENURE_RIG_NAMESPACE"

    /// Becomes the same program inside of a new mount namespace; returns why it can't.
    static func enterNamespace() async throws -> String? {
        if getenv(marker) != nil { return nil }
        guard geteuid() == 0 else { return "mounting a file system needs root" }
        let unshare = "/usr/bin/unshare"
        let words = [unshare, "-m", "--propagation", "private"]
        guard access(unshare, X_OK) == 0,
            try await ChildProcess(words + ["/bin/true"]).end() == 0
        else { return "no mount namespace can be made here" }
        setenv(marker, "1", 1)
        let command = words + [ChildProcess.beside("fault-rig")] + CommandLine.arguments.dropFirst()
        var arguments = command.map { strdup($0) } + [nil]
        execv(unshare, &arguments)
        return "exec of \(unshare) failed"
    }

    /// - Throws: `ProcessFailure` where file systems can't be mounted.
    init(in parent: String, gigabytes: Int) async throws {
        folder = "\(parent)/disk"
        let image = "\(parent)/disk.img"
        try Files.makeFolder(folder)
        try Files.write([], to: image)
        guard truncate(image, gigabytes << 30) == 0 else {
            throw ProcessFailure(what: "truncate \(image)", errno: errno)
        }
        for command in [
            ["/usr/bin/env", "mkfs.ext4", "-q", "-F", "-m", "0", "-i", "65536", image],
            ["/usr/bin/env", "mount", "-o", "loop", image, folder],
        ] where try await ChildProcess(command).end() != 0 {
            throw ProcessFailure(what: "\(command[1]) failed")
        }
        chmod(folder, 0o755)
        // The mount holds it; nothing is left of it when that goes.
        unlink(image)
    }

    /// Takes every free block.
    func fill() throws {
        let descriptor = open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ProcessFailure(what: "open \(ballast)", errno: errno) }
        defer { close(descriptor) }
        var size = 0
        var piece = 1 << 30
        while piece >= 4096 {
            if posix_fallocate(descriptor, size, piece) == 0 { size += piece } else { piece /= 2 }
        }
    }

    func free() { unlink(ballast) }
}
