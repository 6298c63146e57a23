extension Operation {
    /// Tags, and what runs have logged.
    static let tagging = [
        Operation(
            "coalesce k3, tagged",
            enqueue(
                #"""
                "key": "k3", "mode": "coalescing", "payload": {"tag": "$me"}, "tags": ["$me"]
                """#)),
        Operation(
            "edit 4, tagged", edit(4, "payload => '{\"tag\": \"$me\"}', tags => '{$me}'")),
        Operation("supersede k3, tagged", enqueue(#""key": "k3", "tags": ["new"]"#)),
        Operation("forget 22 (tagged, logged)", forget(22)).prepared(by: left(by: 22))
            .waitingForNobody.forgetting,
        Operation("drop tags", "SELECT tenure.drop_tags('0', NULL, 10)::text")
            .prepared(by: left(by: 98, 99)),
        Operation("end 6 1 2, logged", end("completed", 6, 2, 1, more: logs)),
        Operation(
            "hold 1, logged", write("p1", job: 1, key: "k1", generation: 11, as: "hold"),
            hold(1, ", log => '[{\"message\": \"on\"}]'")),
        Operation(
            "commit 1, logged", write("p1", job: 1, key: "k1", generation: 11),
            finish(1, ", also => '{\"log\": [{\"message\": \"on\"}]}'")),
    ]

    private static let logs = #", 'also', '{"log": [{"message": "on"}]}'::jsonb"#

    private static func left(by jobs: Int...) -> String {
        """
        WITH tags AS (INSERT INTO tenure.job_tag (tag, job_id)
                      SELECT 'old', i FROM unnest(ARRAY[\(jobs.map(id).joined(separator: ", "))])
                          AS i ON CONFLICT DO NOTHING RETURNING job_id)
        INSERT INTO tenure.job_log (job_id, fence, lines)
        SELECT t.job_id, 1, '[{"message": "on"}]' FROM tags t
        """
    }
}
