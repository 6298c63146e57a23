# Orders that are paid, paid twice, not paid, cancelled; and the program killed in the middle.
make_database orders
port=$(free_port)
export PORT=$port WEBHOOK_SECRET=open-sesame PAYMENT_DEADLINE=60 REVIEW_AFTER=2
at=http://127.0.0.1:$port
# Somebody else's program, so it lives on when ours is killed.
start payments orders-example payments
payments=$last
export PAYMENTS_URL=http://127.0.0.1:$((port + 1))
start orders orders-example
orders=$last
until_it_is yes answers "$at/"

place() { post "{\"id\": $1, \"item\": \"book\"}" "$at/orders"; }
state() { json "$at/orders/$1" 'v["state"]'; }
mails() { json "$at/orders/$1" '" ".join(v["mails"])'; }
charge() {
    json "$PAYMENTS_URL/charges" "[(c['requests'], c['isVoid']) for c in v if c['order'] == $1]"
}
waits() {
    sql "SELECT w.signal FROM tenure.job_wait AS w JOIN tenure.job AS j ON j.id = w.job_id
          WHERE j.key = 'order-$1' AND j.state <> 'running'"
}
pay() {
    post "{\"id\": \"$2\", \"order\": $1, \"by\": \"ada\"}" "$at/webhooks/payments" \
        -H "Authorization: Bearer ${3:-$WEBHOOK_SECRET}"
}
ended() { sql "SELECT outcome, reason FROM tenure.job_history WHERE key = 'order-$1' AND $2"; }
event=0198f4b2-0000-7000-8000-00000000000

is 404 "$(status GET "$at/orders/7")" "an order that nobody placed"
is 201 "$(place 7)" "an order is placed"
is 409 "$(place 7)" "… and placed again"
# The service answers the first request with an error, having made the charge.
until_it_is "[(2, False)]" charge 7
until_it_is paid waits 7
ok "it was charged once, though the answer was lost and it was asked again"

kill -9 "$orders"
wait "$orders" 2>/dev/null || true
start orders orders-example
orders=$last
until_it_is yes answers "$at/"
is 401 "$(pay 7 "${event}1" wrong)" "a webhook without the secret"
is 204 "$(pay 7 "${event}1")" "the webhook, to a program that was killed meanwhile"
is 204 "$(pay 7 "${event}1")" "… and says so again"
until_it_is shipped state 7
is "ch-7 ada" "$(json "$at/orders/7" 'v["charge"] + " " + v["paidBy"]')" "charge, and who paid"
is "[(2, False)]" "$(charge 7)" "nothing was charged again"
is 409 "$(status DELETE "$at/orders/7")" "it is too late to cancel it"
until_it_is "It is on its way. Did you like it?" mails 7
ok "two mails, the second after a sleep"

is 201 "$(place 8)" "another order"
until_it_is paid waits 8
is 202 "$(status DELETE "$at/orders/8")" "it is cancelled while it waits for its payment"
until_it_is "It is cancelled." mails 8
is "cancelled [(2, True)]" "$(state 8) $(charge 8)" "its charge is taken back"
[[ $(ended 8 "payload ->> 'wish' = 'deliver'") == superseded* ]] || fail "its first job goes on"
ok "its first job is superseded"
pay 8 "${event}2" >/dev/null
is "cancelled" "$(state 8)" "a payment that comes after that ships nothing"

ends_well "$orders"
export PAYMENT_DEADLINE=1
start orders orders-example
orders=$last
until_it_is yes answers "$at/"
is 201 "$(place 9)" "an order that nobody pays"
until_it_is unpaid state 9
is "[(2, True)]" "$(charge 9)" "its charge is taken back"
is "discarded nobody paid in time" "$(ended 9 true)" "its job says why"
ends_well "$orders"
ends_well "$payments"
