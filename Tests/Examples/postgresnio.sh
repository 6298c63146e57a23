# A ledger of another driver's: its invoices and Tenure's jobs are one transaction.
make_database billing
sql "CREATE TABLE invoice (id bigint PRIMARY KEY, sent_at timestamptz)"
PGHOST=$(sed -n "s/.*host='\{0,1\}\([^' ]*\).*/\1/p" <<<"$conninfo")
PGUSER=$(sed -n "s/.*user='\{0,1\}\([^' ]*\).*/\1/p" <<<"$conninfo")
PGPORT=$(sed -n "s/.*port='\{0,1\}\([^' ]*\).*/\1/p" <<<"$conninfo")
export PGHOST PGUSER=${PGUSER:-$(id -un)} PGPORT=${PGPORT:-5432} PGDATABASE=billing
both() { sql "SELECT (SELECT count(*) FROM invoice), (SELECT count(*) FROM tenure.job)"; }
"$built/postgresnio-example" bill 7 2>"$work/bill.log" || fail "bill 7"
is "1 1" "$(both)" "an invoice and its job"
if "$built/postgresnio-example" bill 7 2>"$work/bill.log"; then fail "bill 7, again"; fi
is "1 1" "$(both)" "the same invoice again adds neither"
start billing postgresnio-example worker
billing=$last
sent() {
    sql "SELECT (SELECT count(sent_at) FROM invoice), (SELECT outcome FROM tenure.job_history)"
}
until_it_is "1 completed" sent
ok "the mark and the end of the run are there"
ends_well "$billing"
unset PGHOST PGUSER PGPORT PGDATABASE
