-- Nobody calls anything that nobody granted. The schema may have another name.
DO $$
BEGIN
    EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA %s FROM PUBLIC',
                   (SELECT c.relnamespace::regnamespace FROM pg_class c
                    WHERE c.oid = 'content.target'::regclass));
END $$;
