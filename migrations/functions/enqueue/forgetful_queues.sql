-- Which of these queues keep no completed jobs.
CREATE OR REPLACE FUNCTION tenure.forgetful_queues(queues text[]) RETURNS SETOF text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT q.name FROM tenure.queue q
                 WHERE q.name = ANY (queues) AND NOT q.keep_completed;
END $$;
