package import TenureFoundation
import TenurePostgres

/// The jobs of a batch, and which wait for which.
package struct BatchGraph: Sendable {
    package struct Node: Sendable, Hashable {
        package let job: JobID
        package let kind: JobKind
        package let status: JobStatus
    }
    package struct Edge: Sendable, Hashable {
        package let job: JobID
        /// It may be of no batch, or of another.
        package let needs: JobID
        /// However that one ends.
        package let goesOn: Bool
    }
    /// So many jobs are listed, those that were made first.
    package static let most = 1000

    package let nodes: [Node]
    package let edges: [Edge]
    /// There are more jobs.
    package let isCut: Bool
}

extension Inspector {
    /// - Returns: no job for a batch that is unknown, or whose jobs history has forgotten.
    package func graph(ofBatch batch: UUID) async throws -> BatchGraph {
        let (nodes, edges) = try await withRemedy {
            try await pool.pipeline(ListBatchJobs(batch: batch), ListBatchEdges(batch: batch))
        }
        let shown = Set(nodes.prefix(BatchGraph.most).map(\.job))
        return BatchGraph(
            nodes: Array(nodes.prefix(BatchGraph.most)),
            edges: edges.filter { shown.contains($0.job) }, isCut: nodes.count > BatchGraph.most)
    }
}

/// The jobs of a batch, in the order of their ids: one more than are listed.
struct ListBatchJobs: PostgresStatement {
    static let sql = """
        SELECT b.id, b.kind, b.status FROM (
            SELECT j.id, j.kind, j.state::text AS status FROM tenure.job j WHERE j.batch_id = $1
            UNION ALL
            SELECT h.id, h.kind, h.outcome::text FROM tenure.job_history h WHERE h.batch_id = $1
        ) AS b ORDER BY b.id LIMIT 1001
        """
    let batch: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(batch) }

    static func decode(_ row: borrowing PostgresRow) throws -> BatchGraph.Node {
        BatchGraph.Node(
            job: JobID(try row.decode(0)), kind: JobKind(try row.decode(1)),
            status: try JobStatus(text: try row.decode(2)))
    }
}

/// What the jobs of a batch wait for, or have waited for.
struct ListBatchEdges: PostgresStatement {
    static let sql = """
        SELECT a.job_id, a.needs, a.goes_on FROM (
            SELECT j.id FROM tenure.job j WHERE j.batch_id = $1
            UNION ALL
            SELECT h.id FROM tenure.job_history h WHERE h.batch_id = $1
            ORDER BY 1 LIMIT 1000) AS b
        CROSS JOIN LATERAL (
            SELECT a.* FROM tenure.job_after a WHERE a.job_id = b.id ORDER BY a.needs LIMIT 10000
        ) AS a
        ORDER BY a.job_id, a.needs LIMIT 20000
        """
    let batch: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(batch) }

    static func decode(_ row: borrowing PostgresRow) throws -> BatchGraph.Edge {
        BatchGraph.Edge(
            job: JobID(try row.decode(0)), needs: JobID(try row.decode(1)),
            goesOn: try row.decode(2))
    }
}
