import Logging
import Tenure

/// What the contexts of all runs of a kind have in common.
final class ContextServices: Sendable {
    let client: TenureClient
    let logger: Logger

    init(client: TenureClient, logger: Logger) {
        self.client = client
        self.logger = logger
    }
}
