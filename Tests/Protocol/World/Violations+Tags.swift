extension Violations {
    /// Tags, and what runs have logged.
    static let tags = [
        Check(
            "a job's tags are those of its content", "j.id || ' is ' || (j.payload ->> 'tag')",
            """
            FROM tenure.job j WHERE j.payload ? 'tag' AND ARRAY[j.payload ->> 'tag'] <> array(
                SELECT t.tag FROM tenure.job_tag t WHERE t.job_id = j.id)
            """),
        Check(
            "no tag or log is kept of what is forgotten", "k.job_id::text",
            """
            FROM log h JOIN (SELECT t.job_id FROM tenure.job_tag t
                             UNION SELECT l.job_id FROM tenure.job_log l) AS k
                ON k.job_id = (h.old ->> 'id')::uuid
            WHERE h.what = 'history' AND h.op = 'DELETE'
              AND NOT EXISTS (SELECT FROM tenure.job_history p WHERE p.id = k.job_id)
            """),
    ]
}
