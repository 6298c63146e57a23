-- Whether a host is the operator's own: a row then.
CREATE OR REPLACE FUNCTION content.find_own_host(wanted text) RETURNS SETOF boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT true FROM content.own_host o WHERE o.host = wanted;
END $$;
