import TenureSystem

/// How many times as long as otherwise something may take. 1, but for the runs under a sanitizer,
/// which make a program several times slower (`Tests/Sanitizers/run`): for upper bounds only.
public let patience = getenv("TENURE_TEST_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 1
