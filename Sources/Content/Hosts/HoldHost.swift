import Tenure
import TenureFoundation

/// Leaves a host alone for a while, whoever wants something of it.
struct HoldHost: PostgresStatement {
    static let sql = """
        INSERT INTO content.host AS h (origin, hold_until)
        VALUES ($1, clock_timestamp() + $2::interval)
        ON CONFLICT (origin) DO UPDATE SET hold_until = greatest(h.hold_until, EXCLUDED.hold_until)
        """
    let origin: String
    let pause: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(origin)
        try parameters.append(pause)
    }
}
