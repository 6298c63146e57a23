# A worker and a coordinator, which an operator sees, and ends.
make_database shop
start shop shop-example
shop=$last
sessions() {
    DATABASE_URL=$database "$tenure" worker list --json \
        | python3 -c 'import json, sys; print(*sorted(s["role"] for s in json.load(sys.stdin)))'
}
until_it_is "coordinator worker" sessions
ok "a worker and a coordinator have a session each"
schedules() { sql "SELECT name FROM tenure.schedule"; }
until_it_is nightly schedules
ok "its schedule is there"
DATABASE_URL=$database "$tenure" enqueue count-stock >"$work/enqueued"
ended() { sql "SELECT outcome FROM tenure.job_history WHERE kind = 'count-stock'"; }
until_it_is completed ended
ok "a job of its kind is completed"
ends_well "$shop"
