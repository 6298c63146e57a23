/// What the process's exit code says.
enum Exit {
    static let clean: Int32 = 0
    /// It worked, and found something that isn't right.
    static let findings: Int32 = 1
    /// Bad input, configuration or database.
    static let failed: Int32 = 2
    static let cancelled: Int32 = 3
}
