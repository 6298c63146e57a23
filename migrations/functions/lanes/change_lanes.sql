-- What runs do to lanes as they end. Their jobs are locked.
CREATE OR REPLACE FUNCTION tenure.change_lanes(endings tenure.ending[], decisions tenure.decision[])
RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    changes tenure.ending[] := array(
        SELECT e FROM unnest(endings) AS e
        JOIN unnest(decisions) AS d ON d.id = e.id AND d.fence = e.fence
        WHERE e.also ? 'hold'
           OR e.also ? 'move' AND d.became IN ('available', 'scheduled'));
    moved   tenure.new_job[];
BEGIN
    INSERT INTO tenure.lane_hold (queue, lane, until, reason)
    SELECT e.also #>> '{hold,queue}', e.also #>> '{hold,lane}',
           tenure.moment_after((e.also #>> '{hold,for}')::interval),
           e.also #>> '{hold,reason}'
    FROM unnest(changes) AS e WHERE e.also ? 'hold';
    WITH news AS (
        SELECT e.id, e.also -> 'move' AS move FROM unnest(changes) AS e WHERE e.also ? 'move'
    ), gone AS (
        UPDATE tenure.job j
        SET lane = n.move ->> 'lane', payload = coalesce(n.move -> 'payload', j.payload),
            payload_version = coalesce(
                (n.move ->> 'payload_version')::smallint, j.payload_version),
            -- Who could not read the old payload may read the new one.
            hold_versions = CASE WHEN n.move ? 'payload' THEN NULL ELSE j.hold_versions END
        FROM news n WHERE j.id = n.id AND j.id = ANY (array(SELECT m.id FROM news m))
        RETURNING j.queue, j.run_at, n.move
    )
    SELECT array_agg(jsonb_populate_record(NULL::tenure.new_job, jsonb_build_object(
        'queue', g.queue, 'run_at', g.run_at, 'lane', g.move ->> 'lane',
        'lane_max_running', g.move -> 'max_running', 'lane_burst', g.move -> 'burst',
        'lane_weight', g.move -> 'weight', 'lane_strict', g.move -> 'strict',
        'lane_min_interval', tenure.lane_pause(
            (g.move ->> 'min_interval')::interval))))
    INTO moved FROM gone g;
    PERFORM tenure.make_lanes(moved) WHERE moved IS NOT NULL;
END $$;
