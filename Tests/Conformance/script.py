"""The conformance suite's kind, `script`, on the Python worker: docs/other-languages.md."""
import logging
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../Examples/Python"))
import psycopg  # noqa: E402
import tenure_run as answers  # noqa: E402
import tenure_worker as tenure  # noqa: E402


def say(run, what):
    """Beside the worker's own connections: the suite may hold those up."""
    with psycopg.connect(os.environ["CONFORMANCE_URL"], autocommit=True) as connection:
        connection.execute(
            "INSERT INTO conformance.event (job, fence, worker, what) VALUES (%s, %s, %s, %s)",
            [run.job, run.fence, os.environ["TENURE_NAME"], what])


def add_effect(run, connection):
    connection.execute("INSERT INTO conformance.effect (job, fence) VALUES (%s, %s)",
                       [run.job, run.fence])


def sleep(run, script):
    run.sleep(script.get("seconds", 0))


def effect(run, script):
    run.sleep(script.get("seconds", 0))
    with run.commit() as connection:
        add_effect(run, connection)
        time.sleep(script.get("hold", 0))  # deaf, between the write and the end


def follow(run, script):
    run.sleep(script.get("seconds", 0))
    child = {"kind": "script", "payload": {"do": "sleep", "of": str(run.job)}}
    with run.commit(follow_ups=[child]):
        time.sleep(script.get("hold", 0))  # deaf


def ignore(run, script):
    end = tenure.now() + script["seconds"]
    while tenure.now() < end:
        say(run, "tick")
        time.sleep(0.05)


def sql(run, script):
    with run.connection() as connection:
        connection.execute("SELECT pg_sleep(%s)", [script["seconds"]])


def wake(run, script):
    """An effect outside of the database, behind a look at the right."""
    time.sleep(script["seconds"])
    run.check()
    say(run, "outside")


def fail(run, script):
    raise ValueError(script.get("reason", "as asked"))


DEEDS = {
    "sleep": sleep, "effect": effect, "follow": follow, "ignore": ignore, "sql": sql, "wake": wake,
    "fail": fail,
    "result": lambda run, script: answers.completed(script["result"]),
    "retry": lambda run, script: answers.retry(script["after"], script["reason"]),
    "snooze": lambda run, script: answers.snooze(script["after"]),
    "discard": lambda run, script: answers.discard(script["reason"])}


def script(run):
    payload = run.payload
    if not isinstance(payload, dict) or payload.get("do") not in DEEDS:
        raise answers.Unreadable("its payload names nothing that this release can do")
    say(run, "begun")
    try:
        return DEEDS[payload["do"]](run, payload)
    except answers.Stopped as stopped:
        say(run, f"stopped: {stopped}")
        raise


def main(kind=tenure.Worker):
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    given = os.environ
    worker = kind(
        given["DATABASE_URL"], given["TENURE_QUEUE"], lease=float(given["TENURE_LEASE"]),
        slots=int(given["TENURE_SLOTS"]), grace=float(given["TENURE_GRACE"]),
        poll=float(given["TENURE_POLL"]), name=given["TENURE_NAME"])
    worker.handle("script")(script)
    sys.stdout.flush()
    os._exit(worker.run())  # handlers that don't stop keep nobody


if __name__ == "__main__":
    main()
