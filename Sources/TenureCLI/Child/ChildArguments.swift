/// The command line of a child worker.
enum ChildArguments {
    /// The flags that were given, for the child to read as this process did; what may hold a
    /// password goes by the environment, which other users can't see.
    static func make(
        _ common: CommonFlags, _ worker: [Setting: String], number: Int, metricsPort: Int? = nil
    ) -> [String] {
        var flags = common.values.merging(worker) { $1 }
        flags[.databaseURL] = nil
        flags[.listenURL] = nil
        // Its own port: the parent's, and so many more.
        flags[.metricsPort] = metricsPort.map { String(min($0 + number, 65_535)) } ?? "0"
        if let name = flags[.name] { flags[.name] = "\(name)-\(number)" }
        let switches: [Setting] = [.listen, .pooler]
        var arguments = ["worker", "--end-with-parent"]
        for (setting, text) in flags.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if switches.contains(setting) {
                arguments.append(
                    text == "true" ? setting.flag : "--no-" + setting.flag.dropFirst(2))
            } else {
                arguments.append("\(setting.flag)=\(text)")
            }
        }
        if let config = common.config { arguments.append("--config=\(config)") }
        return arguments
    }
}
