-- What an administrator of the server does once, before the first migration: a database, its owner,
-- the roles of docs/operate/roles.md, and a login for each part. That the roles are there already
-- spares the owner CREATEROLE. Passwords come by the environment, and so into no list of processes:
--
--     export OWNER_PASSWORD=… COORDINATOR_PASSWORD=… CREW_PASSWORD=…
--     psql -v ON_ERROR_STOP=1 -f deploy/logins.sql 'postgresql://admin@db.example.org/postgres'
\getenv owner OWNER_PASSWORD
\getenv coordinator COORDINATOR_PASSWORD
\getenv crew CREW_PASSWORD
CREATE ROLE tenure_producer;
CREATE ROLE tenure_worker;
CREATE ROLE tenure_coordinator;
CREATE ROLE tenure_reader;
CREATE ROLE tenure_operator;
CREATE ROLE tenure_owner LOGIN PASSWORD :'owner';
CREATE ROLE coordinator LOGIN PASSWORD :'coordinator' IN ROLE tenure_coordinator;
CREATE ROLE crew LOGIN PASSWORD :'crew' IN ROLE tenure_worker;
CREATE DATABASE tenure OWNER tenure_owner;
