-- A beat over every running job of the session, as the worker sends it.
SELECT count(*) FROM tenure.beat(:session, (SELECT ids FROM measure.held),
                                  (SELECT fences FROM measure.held),
                                 (SELECT last FROM measure.held), NULL);
