"""Every parameter at its extremes, by SQL, by the command line, and in follow-ups.

Each is refused with one clear line, or accepted and harmless: looking at it, other jobs, and the
worker go on. What was accepted is taken away again, so that one case can't be blamed for
another."""
import json
import os

import psycopg

from rig import wait_until

BIG = "x" * (2 << 20)
CONTROL = "".join(chr(n) for n in range(1, 32)) + "\x7f\x85\x9b\u202e"
TEXTS = {
    "empty": "", "a blank": " ", "2 MiB": BIG, "8 KiB": "y" * 8192, "control characters": CONTROL,
    "a newline": "a\nb", "emoji and a lone accent": "\u0301😀" * 20, "quotes": "'\"\\$1%s${x}",
    "a name of the system": "__default__", "what looks like an option": "--all"}
TIMES = ("infinity", "-infinity", "294276-12-31 23:59:59+00", "4713-01-01 00:00:00+00 BC",
         "1970-01-01 00:00:00+00", "-1 century")
INTERVALS = ("294000 years", "-294000 years", "178000000 years", "-178000000 years",
             "1 microsecond", "-1 microsecond", "0", "9223372036854775807 microseconds",
             "2147483647 months","2147483647 days", "1 month -30 days", "99999 years")
INTEGERS = ("0", "-1", "1", "10", "32767", "32768", "2147483647", "-2147483648", "2147483648",
            "null")
PAYLOADS = {
    "null": "'null'", "SQL NULL": "null", "a text": "'\"x\"'", "a number": "'7'",
    "an array": "'[]'",
    "an escape of U+0000": "'{\"a\":\"\\u0000\"}'",
    "a lone surrogate": "'{\"a\":\"\\ud800\"}'",
    "a number of 131,072 digits": "('{\"seconds\":' || repeat('9', 131072) || '}')",
    "a number of 16,000 decimals": "('{\"seconds\":0.' || repeat('3', 16000) || '}')",
    "1e308 as seconds": "'{\"seconds\":1e308}'", "1e9 as seconds": "'{\"seconds\":1e9}'",
    "-1e30 as seconds": "'{\"seconds\":-1e30}'",
    "9223372036854775807 as seconds": "'{\"seconds\":9223372036854775807}'",
    "depth 6,000": "(repeat('[', 6000) || repeat(']', 6000))",
    "depth 600, of objects": "(repeat('{\"a\":', 600) || '1' || repeat('}', 600))",
    "2 MiB": "('{\"seconds\":0,\"a\":\"' || repeat('x', 2097152) || '\"}')",
    "100,000 fields":
        "(SELECT json_object_agg('f' || i, i)::text FROM generate_series(1, 100000) AS i)",
    "a key of 1 MiB": "('{\"' || repeat('k', 1048576) || '\":1}')"}
TRACES = ("", "x", "00-0-0-0", "00-00000000000000000000000000000000-0000000000000000-00",
          "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
          "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01",
          "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" * 1000,
          "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n")
MODES = ("", "Superseding", "COALESCING", "keeping ", "debounce", "supersede", "null", "\u0000"[:0])


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def cases_of(name, type_name):
    """(what, the SQL of the parameter's value, the other parameters)."""
    if name == "mode":
        return [(repr(m), quoted(m), "key => 'k'") for m in MODES] + [
            (f"{m} without a key", quoted(m), "") for m in
            ("superseding", "coalescing", "keeping", "debounced")] + [
            ("debounced without after", "'debounced'", "key => 'k'")]
    if name == "trace":
        return [(f"{trace[:60]!r} of {len(trace)}", quoted(trace), "") for trace in TRACES]
    if name == "payload":
        return [(what, f"{sql}::jsonb", "") for what, sql in PAYLOADS.items()]
    if type_name == "text":
        more = "key => 'k'" if name != "key" else ""
        return [(what, quoted(text), more if name == "kind" else "")
                for what, text in TEXTS.items()]
    if type_name == "integer":
        return [(value, value, "") for value in INTEGERS]
    if type_name == "interval":
        # An interval means something only beside others.
        more = {"after": "", "max_wait": "key => 'k', mode => 'debounced', after => '1 s'"}
        return [(value, f"'{value}'::interval", more.get(name, "")) for value in INTERVALS] + (
            [(f"{value}, debounced", f"'{value}'::interval", "key => 'k', mode => 'debounced', "
              "max_wait => '2 s'") for value in INTERVALS] if name == "after" else [])
    if type_name == "timestamp with time zone":
        # Also where it waits for a worker, as it may run at once.
        return [(value + where, f"'{value}'::timestamptz", more) for value in TIMES
                for where, more in (("", ""), (", nobody takes it", "queue => 'nobody'"))]
    if type_name == "boolean":
        return [("null", "null", "key => 'k'")]
    if type_name == "uuid":
        return [("nil", "'00000000-0000-0000-0000-000000000000'", ""),
                ("max", "'ffffffff-ffff-ffff-ffff-ffffffffffff'", ""),
                ("version 4", "gen_random_uuid()", "")]
    return []


# What the library refuses has to be refused everywhere.
TOO_MUCH = {"a number of 131,072 digits", "depth 6,000", "payload of depth 6,000",
            "payload of 131,072 digits", "infinity, nobody takes it"}
REFUSALS = ("TN", "22", "54", "42883", "22P")


def refusal(error):
    """What is wrong with how it was refused."""
    message = error.diag.message_primary or ""
    if not error.sqlstate or not error.sqlstate.startswith(REFUSALS):
        return f"{error.sqlstate} {message}"
    if "\n" in message or len(message) > 1000 or any(ord(c) < 32 or 127 <= ord(c) < 160
                                                     for c in message):
        return f"a message that isn't one clear line: {message[:200]!r}"
    return ""


class Stand:
    """A worker and one case after the other."""

    def __init__(self, rig, front):
        self.rig, self.front = rig, front
        self.database = rig.database("sizes")
        self.words = ("--queue", "default:4")
        self.worker = self.database.worker(*self.words)

    def harm(self, job=None, *more):
        """What no longer works, with the job there."""
        problem = self.database.canary(6)
        if self.worker.death:
            problem = self.worker.death
            self.worker.stop()
            self.worker = self.database.worker(*self.words)
        if problem:
            return problem
        for words in (("job", "list", "--finished"), *([("job", "show", job)] if job else []),
                      *more):
            result = self.database.tenure(*words)
            if result.code not in (0, 1) or result.took > 10:
                return f"tenure {' '.join(words)}: {result}"
        return ""

    def clear(self):
        self.database.query(
            "DELETE FROM tenure.job; DELETE FROM tenure.job_history; DELETE FROM tenure.lane; "
            "DELETE FROM tenure.schedule; DELETE FROM tenure.queue WHERE name <> 'default'")

    def by_sql(self, name, what, value, more):
        parameters = [f"{name} => {value}"]
        if name != "kind":
            parameters.insert(0, "kind => 'demo-sleep'")
        if name != "payload":
            parameters.append("payload => '{\"seconds\":0}'")
        if more:
            parameters.append(more)
        problem, seen = "", "accepted, and harmless"
        try:
            with self.database.connect() as connection:
                connection.execute("SET statement_timeout = '20s'")
                job = connection.execute(
                    f"SELECT job_id::text FROM tenure.enqueue({', '.join(parameters)})"
                ).fetchone()[0]
            problem = self.harm(job)
            problem = problem and f"accepted, then {problem}"
        except psycopg.Error as error:
            problem = refusal(error)
            seen = f"{error.sqlstate} {(error.diag.message_primary or '')[:120]}"
        if seen.startswith("accepted"):
            self.clear()
        expected = "refused with TN003 or a type's error"
        if not problem and what in TOO_MUCH and seen.startswith("accepted"):
            problem = "accepted"
        self.front.judge(f"enqueue({name} => {what})", problem,
                         expected if what in TOO_MUCH else f"{expected}, or harmless", seen)

    def by_command(self, what, words, given=None, code=2):
        result = self.database.tenure(*words, given=given)
        problem = ""
        if result.code == 0:
            problem = self.harm(*result.text.split()[1:2])
            self.clear()
        elif result.code != code:
            problem = str(result)
        elif len(result.errors.splitlines()) != 1:
            problem = f"refused in {len(result.errors.splitlines())} lines: {result}"
        elif len(result.errors) > 1200:
            problem = f"a line of {len(result.errors)} characters: {result}"
        self.front.judge(f"tenure {what}", problem, "exit code 2 and one line, or harmless",
                         result.errors or "accepted, and harmless")

    def by_follow_up(self, what, follow_ups, more=""):
        job = self.database.enqueue("demo-sleep", '{"seconds":300}')
        fence = wait_until(lambda: self.database.query(
            "SELECT fence FROM tenure.job WHERE id = %s AND state = 'running'", [job]), 8)
        if not fence:
            self.front.failed(f"follow-ups, {what}", "the first job runs", "it doesn't")
            return
        problem, seen = "", "accepted, and harmless"
        try:
            with self.database.connect() as connection:
                connection.execute("SET statement_timeout = '20s'")
                connection.execute(
                    f"SELECT tenure.finish(%s, %s, follow_ups => ({follow_ups})::jsonb{more})",
                    [job, fence[0][0]])
            problem = self.harm(job)
        except psycopg.Error as error:
            problem = refusal(error)
            seen = f"{error.sqlstate} {(error.diag.message_primary or '')[:120]}"
            self.database.tenure("job", "cancel", job)
            problem = problem or self.harm(job)
        if not problem and what in TOO_MUCH and seen.startswith("accepted"):
            problem = "accepted"
        self.clear()
        self.front.judge(f"finish(follow_ups => {what})", problem,
                         "refused with TN003 or a type's error, or harmless", seen)


def field(name, value):
    """A follow-up with one field as given, in JSON."""
    job = {"kind": "demo-sleep", "payload": {"seconds": 0}, "queue": "default", name: value}
    return quoted(json.dumps([job]))


FOLLOW_UPS = {
    "null": "'null'", "an object": "'{}'", "a number": "'7'", "an array of null": "'[null]'",
    "an array of arrays": "'[[]]'", "no kind": "'[{}]'", "kind 7": field("kind", 7),
    "kind of 2 MiB": "jsonb_build_array(jsonb_build_object('kind', repeat('k', 2097152)))",
    "priority 99": field("priority", 99), "priority -1": field("priority", -1),
    "priority 1e30": field("priority", 1e30), "priority as text": field("priority", "low"),
    "run_at infinity": field("run_at", "infinity"), "run_at no time": field("run_at", "soon"),
    "after 294000 years": field("after", "294000 years"), "after -1": field("after", "-1 day"),
    "after and not_after": quoted(json.dumps([{
        "kind": "demo-sleep", "after": "1 hour", "not_after": "2020-01-01T00:00:00Z"}])),
    "max_attempts 0": field("max_attempts", 0),
    "max_attempts 2147483648": field("max_attempts", 1 << 31),
    "mode in capitals": quoted(json.dumps([{"kind": "demo-sleep", "key": "k", "mode": "Keeping"}])),
    "lane of 2 MiB": "jsonb_build_array(jsonb_build_object('kind', 'demo-sleep', 'payload', "
                     "'{\"seconds\":0}'::jsonb, 'lane', repeat('l', 2097152)))",
    "lane_max_running 0": quoted(json.dumps([{
        "kind": "demo-sleep", "lane": "a", "lane_max_running": 0}])),
    "lane_min_interval 294000 years": quoted(json.dumps([{
        "kind": "demo-sleep", "payload": {"seconds": 0}, "lane": "b",
        "lane_min_interval": "294000 years"}])),
    "payload of depth 6,000":
        "'[{\"kind\":\"demo-sleep\",\"payload\":' || repeat('[', 6000) "
        "|| repeat(']', 6000) || '}]'",
    "payload of 131,072 digits":
        "'[{\"kind\":\"demo-sleep\",\"payload\":{\"seconds\":' || repeat('9', 131072) || '}}]'",
    "20,000 jobs": "(SELECT jsonb_agg(jsonb_build_object('kind', 'demo-sleep', 'queue', 'later', "
                   "'payload', '{\"seconds\":0}'::jsonb)) FROM generate_series(1, 20000))",
    "one key 1,000 times": "(SELECT jsonb_agg(jsonb_build_object('kind', 'demo-sleep', 'key', 'k', "
                           "'mode', 'coalescing', 'payload', '{\"seconds\":0}'::jsonb)) "
                           "FROM generate_series(1, 1000))",
    "unknown fields": field("sudo", True), "an id that isn't one": field("id", "x"),
    "a check that isn't there": field("check", "00000000-0000-0000-0000-000000000001")}
RESULTS = {
    "a result of 2 MiB": ", result => to_jsonb(repeat('r', 2097152))",
    "a reason of 2 MiB": ", outcome => 'discarded', reason => repeat('r', 2097152)",
    "an outcome in capitals": ", outcome => 'Completed'",
    "a delay of 294000 years": ", delay => '294000 years'",
    "outcome retry": ", outcome => 'retry'"}

SECONDS = '{"seconds":0}'
COMMANDS = {
    "--payload of control characters": ("demo-sleep", "--payload", '{"seconds":0,"a":"\x1b"}'),
    "--payload that ends early": ("demo-sleep", "--payload", '{"seconds":'),
    "--payload of depth 6,000": ("demo-sleep", "--payload", "[" * 6000 + "]" * 6000),
    "--payload of 100,000 digits": ("demo-sleep", "--payload", '{"seconds":' + "9" * 100_000 + "}"),
    "--payload U+0000": ("demo-sleep", "--payload", '{"seconds":0,"a":"\\u0000"}'),
    "--payload of a lone surrogate": ("demo-sleep", "--payload", '{"seconds":0,"a":"\\ud800"}'),
    "--payload @/etc/shadow-that-is-not": ("demo-sleep", "--payload", "@/nowhere"),
    "--payload @/dev": ("demo-sleep", "--payload", "@/dev"),
    "--payload-version 0": ("demo-sleep", "--payload-version", "0"),
    "--payload-version 99999": ("demo-sleep", "--payload-version", "99999"),
    "--priority 10": ("demo-sleep", "--priority", "10"),
    "--priority 9223372036854775808": ("demo-sleep", "--priority", "9223372036854775808"),
    "--after 999999999999999d": ("demo-sleep", "--after", "999999999999999d"),
    "--after 1e400s": ("demo-sleep", "--after", "1e400s"),
    "--after nans": ("demo-sleep", "--after", "nans"),
    "--after infs": ("demo-sleep", "--after", "infs"),
    "--after 9223372036854775807s": ("demo-sleep", "--after", "9223372036854775807s"),
    "--after=-5s": ("demo-sleep", "--after=-5s"),
    "--at 9999999-01-01": ("demo-sleep", "--at", "9999999-01-01T00:00:00Z"),
    "--at 2030-02-30": ("demo-sleep", "--at", "2030-02-30T00:00:00Z"),
    "--not-after 0000-00-00": ("demo-sleep", "--not-after", "0000-00-00T00:00:00Z"),
    "--expires-in 0s": ("demo-sleep", "--expires-in", "0s"),
    "--max-attempts 0": ("demo-sleep", "--max-attempts", "0"),
    "--max-attempts 10001": ("demo-sleep", "--max-attempts", "10001"),
    "--queue empty": ("demo-sleep", "--queue", ""),
    "--queue of 100 KiB": ("demo-sleep", "--queue", "q" * 100_000),
    "--key of 100 KiB": ("demo-sleep", "--key", "k" * 100_000, "--payload", SECONDS),
    "--key with a newline": ("demo-sleep", "--key", "a\nb", "--payload", SECONDS),
    "--key of bytes that aren't UTF-8": ("demo-sleep", "--key", b"\xff\xfe", "--payload", SECONDS),
    "--lane of 100 KiB": ("demo-sleep", "--lane", "l" * 100_000, "--payload", SECONDS),
    "--lane-max-running 0": ("demo-sleep", "--lane", "a", "--lane-max-running", "0"),
    "--lane-max-running 2147483648":
        ("demo-sleep", "--lane", "a", "--lane-max-running", "2147483648", "--payload", SECONDS),
    "--lane-min-interval 107000000d":
        ("demo-sleep", "--lane", "c", "--lane-min-interval", "107000000d", "--payload", SECONDS),
    "--mode Keeping": ("demo-sleep", "--key", "k", "--mode", "Keeping"),
    "--mode debounced without --after": ("demo-sleep", "--key", "k", "--mode", "debounced"),
    "--max-wait without debounced": ("demo-sleep", "--key", "k", "--max-wait", "5s"),
    "kind empty": ("", "--force"), "kind of 100 KiB": ("k" * 100_000, "--force"),
    "kind with ESC": ("\x1b[31mred", "--force"), "kind with a blank": ("two words", "--force")}


def run(rig, front):
    stand = Stand(rig, front)
    database = stand.database
    names, types = database.query(
        "SELECT proargnames, (SELECT array_agg(format_type(t, NULL) ORDER BY n) FROM "
        "unnest(proargtypes) WITH ORDINALITY AS a(t, n)) FROM pg_proc WHERE oid = "
        "'tenure.enqueue'::regproc")[0]
    every = 1 if rig.is_long else 5  # in short, each fifth of those that aren't known
    known = {("lane_min_interval", "294000 years"), ("run_at", "infinity"),
             ("run_at", "-infinity"), ("payload", "a number of 131,072 digits"),
             ("payload", "depth 6,000"), ("payload", "1e308 as seconds")}
    for name, type_name in zip(names, types):
        cases = cases_of(name, type_name)
        for number, (what, value, more) in enumerate(cases):
            if number % every == rig.seed % every or (name, what) in known:
                stand.by_sql(name, what, value, more)
    for number, (what, words) in enumerate(COMMANDS.items()):
        if number % every == rig.seed % every or "100,000" in what:
            stand.by_command(f"enqueue {what}", ("enqueue", *words))
    for number, (what, text) in enumerate(FOLLOW_UPS.items()):
        if number % every == rig.seed % every or "294000" in what or "6,000" in what:
            stand.by_follow_up(what, text)
    for what, more in RESULTS.items():
        stand.by_follow_up(what, "null", more)
    front.judge("everything is looked at afterwards", database.looks(("queue", "show", "default")),
                "each command answers")
    front.judge("the worker's end", "" if stand.worker.stop() == 0 else stand.worker.log[-200:],
                "exit code 0")
    assert os.path.exists(rig.folder)
