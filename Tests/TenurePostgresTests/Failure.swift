import TenurePostgres
import Testing

/// The error that `body` must throw.
func failure<Result>(
    of body: () async throws -> Result, at location: SourceLocation = #_sourceLocation
) async -> PostgresError? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: location)
    } catch let error as PostgresError {
        return error
    } catch {
        Issue.record("\(error) was thrown", sourceLocation: location)
    }
    return nil
}
