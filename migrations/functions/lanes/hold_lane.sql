-- No job of the lane starts for a while. It waits for nobody: in any transaction, at any place.
-- What nobody does by name, a handler does: that is no act of an operator's.
CREATE OR REPLACE FUNCTION tenure.hold_lane(
    wanted_queue text, wanted_lane text, pause interval, why text, by_whom text,
    note jsonb DEFAULT NULL) RETURNS void
LANGUAGE sql AS $$
    SELECT tenure.check_name('queue', wanted_queue, 128), tenure.check_name('lane', wanted_lane);

    INSERT INTO tenure.lane_hold (queue, lane, until, reason, held_by)
    VALUES (wanted_queue, wanted_lane, tenure.moment_after(pause), why, by_whom);

    SELECT tenure.note_action(
        'hold', 'lane', jsonb_build_object(
            'queue', wanted_queue, 'name', wanted_lane, 'seconds', extract(epoch FROM pause)),
        NULL, by_whom, jsonb_build_object('reason', why) || coalesce(note, '{}'))
    WHERE by_whom IS NOT NULL;
$$;
