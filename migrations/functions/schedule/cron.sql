-- One field: numbers or names, ranges, steps, lists.
CREATE OR REPLACE FUNCTION tenure.cron_field(
    field text, what text, low integer, high integer, names text[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    part  text;
    spot  text[];
    first integer;
    last  integer;
    step  integer;
    found integer[] := '{}';
BEGIN
    FOREACH part IN ARRAY string_to_array(lower(field), ',') LOOP
        spot := regexp_match(
            part, '^(\*|[0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?(?:/([0-9]{1,2}))?$');
        first := CASE WHEN spot[1] = '*' THEN low WHEN spot[1] ~ '^[0-9]' THEN spot[1]::integer
                      ELSE array_position(names, spot[1]) - 1 + low END;
        last := CASE WHEN spot[1] = '*' AND spot[2] IS NULL THEN high
                     WHEN spot[2] ~ '^[0-9]' THEN spot[2]::integer
                     WHEN spot[2] IS NOT NULL THEN array_position(names, spot[2]) - 1 + low
                     WHEN spot[3] IS NOT NULL THEN high
                     ELSE first END;
        IF what = 'weekday' AND spot[2] = 'sun' THEN
            last := 7;
        END IF;
        step := coalesce(spot[3]::integer, 1);
        IF NOT coalesce(first >= low AND last <= high AND first <= last AND step > 0
                        AND (spot[1] <> '*' OR spot[2] IS NULL), false) THEN
            RAISE EXCEPTION 'the cron %, "%", is wrong', what, field USING ERRCODE = 'TN003',
                HINT = format('give %s to %s, a range such as %s-%s, a step such as */2, a list '
                              'of these, or *', low, high, low + 1, low + 3);
        END IF;
        found := found || array(SELECT generate_series(first, last, step));
    END LOOP;
    RETURN found;
END $$;

CREATE OR REPLACE FUNCTION tenure.read_cron(expression text) RETURNS tenure.cron
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    fields text[] := regexp_split_to_array(trim(CASE lower(trim(expression))
        WHEN '@hourly' THEN '0 * * * *' WHEN '@daily' THEN '0 0 * * *'
        WHEN '@weekly' THEN '0 0 * * 0' WHEN '@monthly' THEN '0 0 1 * *'
        WHEN '@yearly' THEN '0 0 1 1 *' ELSE expression END), '\s+');
    c      tenure.cron;
BEGIN
    IF cardinality(fields) <> 5 THEN
        RAISE EXCEPTION 'the cron expression "%" has % fields', expression, cardinality(fields)
            USING ERRCODE = 'TN003',
            HINT = 'give five: minute, hour, day, month, weekday, such as 30 2 * * mon-fri; or '
                   '@hourly, @daily, @weekly, @monthly, @yearly';
    END IF;
    c.minutes := tenure.cron_field(fields[1], 'minute', 0, 59, '{}');
    c.hours := tenure.cron_field(fields[2], 'hour', 0, 23, '{}');
    c.days := tenure.cron_field(fields[3], 'day', 1, 31, '{}');
    c.months := tenure.cron_field(
        fields[4], 'month', 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}');
    c.weekdays := array(
        SELECT w % 7 FROM unnest(tenure.cron_field(
            fields[5], 'weekday', 0, 7, '{sun,mon,tue,wed,thu,fri,sat}')) AS w);
    c.every_hour := fields[2] = '*';
    c.any_day := fields[3] LIKE '*%';
    c.any_weekday := fields[5] LIKE '*%';
    RETURN c;
END $$;

-- When a time on the wall clock of a zone is. One that the clock skips is as much later; one that
-- it shows twice is the first of the two, or with `twice` both. PostgreSQL knows the zones; of two
-- it means the second, so the first is found by the distance to UTC that held the day before.
CREATE OR REPLACE FUNCTION tenure.wall_time(wall timestamp, zone text, twice boolean)
RETURNS SETOF timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    late  timestamptz := wall AT TIME ZONE zone;
    early timestamptz := (wall - ((late - interval '1 day') AT TIME ZONE zone
                                  - (late - interval '1 day') AT TIME ZONE 'UTC'))
                         AT TIME ZONE 'UTC';
BEGIN
    IF early < late AND early AT TIME ZONE zone = wall THEN
        RETURN NEXT early;
        IF NOT twice THEN
            RETURN;
        END IF;
    END IF;
    RETURN NEXT late;
END $$;

-- The first tick after a moment. As in cron: when days and weekdays are both restricted, either
-- will do. An hour field of * means every hour that passes, also those the wall clock shows twice.
CREATE OR REPLACE FUNCTION tenure.cron_next(cron text, zone text, after timestamptz)
RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    c          tenure.cron := tenure.read_cron(cron);
    day        date := (after AT TIME ZONE zone)::date - 1;  -- a skipped time may be the next day's
    on_day     boolean;
    on_weekday boolean;
    tick       timestamptz;
BEGIN
    FOR ahead IN 0 .. 41 * 366 LOOP  -- 29 February on one weekday comes after 40 years at most
        on_day := extract(day FROM day)::integer = ANY (c.days);
        on_weekday := extract(dow FROM day)::integer = ANY (c.weekdays);
        IF extract(month FROM day)::integer = ANY (c.months)
           AND (on_day AND on_weekday
                OR NOT c.any_day AND NOT c.any_weekday AND (on_day OR on_weekday)) THEN
            SELECT min(t.at) INTO tick
            FROM unnest(c.hours) AS h (hour) CROSS JOIN unnest(c.minutes) AS m (minute)
            CROSS JOIN LATERAL tenure.wall_time(
                day + make_time(h.hour, m.minute, 0), zone, c.every_hour) AS t (at)
            WHERE t.at > after;
            IF tick IS NOT NULL THEN
                RETURN tick;
            END IF;
        END IF;
        day := day + 1;
    END LOOP;
    RAISE EXCEPTION 'the cron expression "%" names a day that never comes', cron
        USING ERRCODE = 'TN003', HINT = 'look at its day and month';
END $$;
