# A report that is enqueued with its row, watched, and seen in the console.
make_database web
port=$(free_port)
export PORT=$port ADMIN_PASSWORD=open-sesame
at=http://127.0.0.1:$port
start web web-example
web=$last
until_it_is yes answers "$at/"

report() { post "$1" "$at/reports"; }
log_in() { status POST "$at/login" -c "$work/cookies" -d "name=ada&password=$1"; }
as_ada() { status "$1" "$at/admin$2" -b "$work/cookies" "${@:3}"; }
is 400 "$(report '{"title": "all", "pages": 0}')" "a report without pages"
is 0 "$(sql "SELECT (SELECT count(*) FROM report) + (SELECT count(*) FROM tenure.job)")" \
    "its row and its job"
is 200 "$(report '{"title": "all", "pages": 12}')" "a report of 12 pages"
job=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["job"])' <"$work/body")
is "$job" "$(sql "SELECT job FROM report WHERE id = 1")" "its row knows its job"

curl --silent --no-buffer --max-time 60 "$at/reports/1/events" >"$work/events" \
    || fail "the stream did not end by itself"
is "event: end" "$(grep '^event: ' "$work/events" | tail -n 1)" "what the stream ends with"
grep -q '"state":"completed"' "$work/events" || fail "no completed in the events"
seen=$(grep -c '^event: progress' "$work/events")
((seen >= 3)) || fail "$seen events of progress"
grep -q '"note":"page [0-9]*"' "$work/events" || fail "no page in the events"
ok "$seen events said how far it was"
is "page 12" "$(json "$at/reports/1" 'v["body"].splitlines()[-1]')" "its text is there"
is 404 "$(status GET "$at/reports/2/events")" "events of a report that isn't there"

is 303 "$(status GET "$at/admin/jobs")" "the console, to a stranger"
is 401 "$(log_in wrong)" "a wrong password"
is 303 "$(log_in open-sesame)" "the right one"
is 200 "$(as_ada GET "/jobs/$job")" "the job in the console"
grep -q 'href="/admin/queues"' "$work/body" || fail "the console's links leave its path"
is 200 "$(as_ada GET "")" "its first page"
is 403 "$(as_ada POST /queues/default/pause)" "a verb from another site"
token=$(curl --silent -b "$work/cookies" "$at/admin/queues/default" \
    | sed -n 's/.*name="token" value="\([0-9a-f]*\)".*/\1/p' | head -n 1)
[[ -n $token ]] || fail "no token in the queue's page"
is 303 "$(as_ada POST /queues/default/pause -d "token=$token")" "the same from its page"
is ada "$(sql "SELECT paused_by FROM tenure.queue WHERE name = 'default'")" "who paused the queue"

# Somebody watches while it is shut down.
report '{"title": "waits", "pages": 1}' >/dev/null
curl --silent --no-buffer --max-time 60 "$at/reports/2/events" >"$work/events" &
watcher=$!
sleep 1
ends_well "$web"
wait "$watcher" || true
