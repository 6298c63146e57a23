"""What others chose as names and words must not drive the terminal of whoever looks: no control
character, no bidirectional one, no line that somebody else has made up, in any text or log."""
import re

import psycopg

from hostile import Hostile, page
from rig import wait_until

# What is put in, with a word that no line may begin with.
ESCAPES = {
    "ESC": "\x1b]0;owned\x07\x1b[31mred", "C1": "\x9b31mred\x9d0;x\x9c", "CR": "good\rFORGED",
    "newline": "good\nFORGED", "backspace": "good\b\b\b\bevil", "DEL": "a\x7fb",
    "NEL": "a\x85FORGED",
    "bidi": "a\u202egpj.exe\u202c", "isolates": "a\u2066b\u2069", "marks": "a\u200e\u200f\u061cb",
    "line separators": "a\u2028FORGED\u2029FORGED", "a tab": "a\tb", "form feed": "a\fb\vc",
    "tags": "a\U000e0041\U000e007f"}
# What may not be in any output.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
                 "\U000e0000-\U000e007f]|^FORGED", re.M)
PLACES = ("kind", "queue", "key", "lane", "trace")


def raw_in(data):
    """The first forbidden character, with what stands around it."""
    text = data.decode("utf-8", "replace")
    found = RAW.search(text)
    return found and f"{found[0]!r} in {text[max(0, found.start() - 40):found.end() + 20]!r}"


def plant(database, place, text):
    """An ordinary job with the text in one place: its id, what is wrong, whether it was refused.

    What is refused is written by hand then, as rows are that were there before the refusal."""
    parameters = {"run_at": "2099-01-01"}
    kind = text if place == "kind" else "demo-sleep"
    if place != "kind":
        parameters[place] = text
    try:
        return database.enqueue(kind, '{"seconds":0}', **parameters), "", False
    except psycopg.Error as error:
        message = (error.diag.message_primary or "") + (error.diag.message_hint or "")
        problem = raw_in(message.encode())
    with database.connect() as connection:
        job = connection.execute(
            "INSERT INTO tenure.job (id, run_at, state, kind, queue, payload, generation, key, "
            "lane) VALUES (gen_random_uuid(), '2099-01-01', 'scheduled', 'demo-sleep', 'default', "
            "'{\"seconds\":0}', 1, 'plain', 'plain') RETURNING id::text").fetchone()[0]
        connection.execute(f"UPDATE tenure.job SET {place} = %s WHERE id = %s", [text, job])
        connection.execute(
            "INSERT INTO tenure.lane (queue, name) SELECT queue, lane FROM tenure.job "
            "WHERE id = %s ON CONFLICT DO NOTHING", [job])
    return job, problem, True


def looks(database, job):
    """All that people look at, as text."""
    kind, queue, key = database.query("SELECT kind, queue, key FROM tenure.job WHERE id = %s",
                                      [job])[0] if job else ("demo-sleep", "default", None)
    return [("job", "list"), ("job", "list", "--finished"),
            *([("job", "show", job)] if job else []),
            ("queue", "list"), ("queue", "show", queue), ("kind", "list"),
            *([("key", "show", kind, key)] if key else []), ("stats",), ("doctor",),
            ("action", "list"),
            ("host", "list"), ("lane", "list"), ("schedule", "list"), ("top", "--count", "1")]


def run(rig, front):
    hostile = Hostile()
    every = "".join(ESCAPES.values())
    title = f"<!doctype html><title>{every}</title><meta charset=utf-8><p>{every}"
    url = hostile.add(lambda request, connection: page(
        title.encode(), ("Content-Language", "en")) if request.path != "/odd" else
        b"HTTP/1.1 404 \x1b[31mNot\r\nX-A: \x1b]0;x\x07\r\n\r\n")
    database = rig.database("escapes")
    database.environment["TENURE_CONTENT_ALLOW"] = "127.0.0.0/8"
    for place in PLACES:
        for name, text in ESCAPES.items():
            job, problem, is_refused = plant(database, place, text)
            seen = f"{'refused' if is_refused else 'taken'}; a row of it is shown harmlessly"
            if is_refused != (place != "trace" and name != "tags"):
                problem = problem or seen
            commands = looks(database, job)
            if not rig.is_long:  # a few for each, all of them for all below
                commands = [words for words in commands if words[1:2] == ("show",)
                            or words[1:2] == ("list",) and words[0] == place]
            for words in commands:
                result = database.tenure(*words)
                found = raw_in(result.out) or raw_in(result.err)
                if found:
                    problem = problem or f"tenure {' '.join(words[:2])}: {found}"
            front.judge(f"a {place} with {name}", problem, "no raw control character", seen)
    # One worker, with everything in it, beside all that was planted.
    worker = database.worker("--queue", "default:4", "--log-level", "trace")
    database.query("UPDATE tenure.session SET name = %s", [every])
    try:
        keyed = database.enqueue("demo-fail", '{"message":"' + "x\\u001b[31mred\\nFORGED" + '"}',
                                 key=every, max_attempts=1)
        database.wait_for([keyed], 8, ("discarded",))
    except psycopg.Error as error:
        front.note(f"a key of all of them is refused: {error.diag.message_primary}")
    failed = database.enqueue("demo-fail", '{"message":"x\\u001b[31mred\\nFORGED\\u202e"}',
                              max_attempts=1)
    database.wait_for([failed], 8, ("discarded",))
    sleeping = database.enqueue("demo-sleep", '{"seconds":60}')
    wait_until(lambda: "running" in str(database.outcomes([sleeping])), 8)
    shown = [("worker", "--name", every), ("worker", "list"),
             ("job", "show", failed), ("job", "show", sleeping),
             ("worker", "show", "1"), ("job", "cancel", sleeping, "--by", every),
             ("kind", "pause", "demo-fail", "--reason", every, "--by", every),
             ("kind", "letters", "demo-fail", every, "--queue", every),
             ("kind", "list"), ("doctor",), ("queue", "pause", "default", "--by", every),
             ("queue", "list"), ("queue", "resume", "default", "--by", every),
             ("host", "hold", "127.9.0.1", "--for", "1h", "--reason", every),
             ("host", "list"), ("host", "show", "127.9.0.1"), ("host", "release", "127.9.0.1"),
             ("lane", "hold", every, "--for", "1h", "--reason", every, "--by", every),
             ("lane", "set", every, "--max-running", "1", "--by", every), ("lane", "list"),
             ("lane", "show", every), ("lane", "release", every), ("action", "list"),
             ("job", "edit", failed, "--queue", every, "--by", every, "--reason", every),
             ("schedule", "add", every, "demo-sleep", "--every", "1h", "--key", every),
             ("schedule", "list"), ("job", "show", sleeping), ("job", "list", "--finished"),
             ("job", "list", "--error", every), ("key", "show", "demo-sleep", every),
             ("queue", "show", every), ("worker", "show", every), ("job", "show", every),
             ("enqueue", every), ("enqueue", "demo-sleep", "--queue", every, "--payload", every),
             ("fetch", f"{url}/page", "--wait"), ("fetch", f"{url}/odd", "--wait"),
             ("item", "show", f"{url}/page"), ("item", "list"), ("explain", f"{url}/page"),
             ("item", "history", f"{url}/page"), ("links", "broken"),
             ("links", "ignore", every, "--reason", every, "--by", every),
             ("links", "ignored"), ("links", "unignore", "1"),
             ("item", "edit", f"{url}/page", "--set", f"title={every}"),
             ("item", "show", f"{url}/page"), ("explain", every), ("impact", f"{url}/page"),
             ("check", "--workers", "0", f"{url}/page", "--allow", "127.0.0.0/8"),
             ("site", "add", f"{url}/page", "--allow", "127.0.0.0/8", "--notify", every),
             ("site", "add", f"{url}/page", "--allow", "127.0.0.0/8"), ("site", "list"),
             ("site", "show", f"{url}/page"), ("site", "show", every), ("site", "check", every),
             ("site", "change", f"{url}/page", "--exclude", every, "--user-agent", every),
             ("site", "change", f"{url}/page", "--contact", every),
             ("notify", "add", every, "--webhook", url),
             ("notify", "add", "ops", "--webhook", f"{url}/odd", "--secret-env", every),
             ("notify", "add", "ops", "--webhook", f"{url}/odd"), ("notify", "list"),
             ("notify", "test", "ops", "--timeout", "5s"), ("notify", "remove", every),
             ("stats",), ("top", "--count", "1"), (every,), ("job", every)]
    for words in shown:
        result = database.tenure(*words, seconds=20)
        problem = raw_in(result.out) or raw_in(result.err)
        what = " ".join("…" if word == every else word for word in words
                        if not word.startswith("01"))
        front.judge(f"tenure {what}", problem, "no raw control character",
                    f"exit code {result.code}")
    # What a worker says at the level of trace, as text.
    code = worker.stop()
    front.judge("the worker's log, at trace", raw_in(worker.log), "no raw control character",
                f"{len(worker.log)} bytes, exit code {code}")
    hostile.close()
