import FoundationEssentials
import Tenure
import Web

/// Notes a check that begins.
struct InsertRun: PostgresStatement {
    static let sql = """
        INSERT INTO content.check_run (id, kind, start, folder, options)
        VALUES ($1, $2, $3, $4, $5)
        """
    let run: CheckRun

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.id)
        try parameters.append(run.options.kind.rawValue)
        try parameters.append(run.start.href)
        try parameters.append(run.folder)
        try parameters.append(PostgresJSON(bytes: Array(JSONEncoder().encode(run.options))))
    }
}
