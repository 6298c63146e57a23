"""No verb is done twice, whatever dies while it is done, and what is said of it is true."""
import collections
import html
import http.client
import json
import random
import re
import threading
import time
import urllib.parse

import psycopg
from pair import Console
from people import Browser
from world import TOKEN

DOUBT = "It isn't known whether this was done"
VERBS = ("enqueue", "cancel", "retry")
LATER = "2031-01-01 00:00Z"


class Ledger:
    """What the jobs and the audit log say of all verbs, at one moment."""

    def __init__(self, database):
        self.jobs, self.acts = collections.defaultdict(list), collections.defaultdict(list)
        for mark, job, state in database.query(
                "SELECT payload ->> 'of', id::text, state::text FROM tenure.job UNION ALL "
                "SELECT payload ->> 'of', id::text, outcome::text FROM tenure.job_history"):
            self.jobs[mark].append((job, state))
        for job, verb in database.query(
                "SELECT jsonb_array_elements_text(about -> 'ids'), verb FROM tenure.action "
                "WHERE source = 'console'"):
            self.acts[job].append(verb)


class Verb:
    """One that is asked for once, and what was answered."""

    def __init__(self, database, name, mark):
        self.name, self.mark, self.job = name, mark, None
        self.answer, self.token, self.form_id = ("none", "it was not sent"), "", ""
        if name == "enqueue":
            return
        self.job = database.enqueue("report", self.payload, queue="once", run_at=LATER)
        if name == "retry":
            database.query("SELECT tenure.cancel_job(%s::uuid, 'rig')", [self.job])

    @property
    def payload(self):
        return json.dumps({"of": self.mark})

    @property
    def path(self):
        return f"/jobs/{self.job}/{self.name}" if self.job else "/jobs/enqueue"

    def send(self, port, as_form):
        """By a form of a page, or by a program."""
        browser = Browser(port, X_Remote_User=self.mark) if as_form else Browser(
            port, Authorization=f"Bearer {TOKEN}", Accept="application/json")
        try:
            # A form is sent again as it was.
            if as_form and not self.token:
                self.open(browser)
                if not self.token:
                    return
            self.answer = "lost", "the connection was lost"
            fields = {"token": self.token} if self.job else {
                "token": self.token, "kind": "report", "queue": "once", "force": "1",
                "payload": self.payload} | ({"id": self.form_id} if self.form_id else {})
            status, text, _ = browser.ask(self.path, "POST", urllib.parse.urlencode(fields))
            self.answer = status, html.unescape(text)
        except (OSError, http.client.HTTPException):
            pass

    def open(self, browser):
        """The page with the form, which has a number of its own."""
        page = browser.ask("/jobs/enqueue")[1]
        self.token = browser.token
        self.form_id = (re.findall('name="id" value="([^"]+)"', page) or [""])[0]

    def done(self, ledger):
        """How often it was done, by the jobs and by the audit log."""
        rows = ledger.jobs[self.mark]
        if self.name == "cancel":
            count = [state for _, state in rows].count("cancelled")
        else:
            count = len([one for one, _ in rows if one != self.job])
        ids = [self.job] if self.job else [one for one, _ in rows]
        return count, sum(ledger.acts[one].count(self.name) for one in ids)

    def wrong(self, ledger):
        status, text = self.answer
        count, noted = self.done(ledger)
        if status in (200, 303):
            fits = count == 1
        elif status == "lost" or status == 503 and DOUBT in text:
            fits = count <= 1
        else:
            fits = count == 0
        if fits and noted == count:
            return []
        return [f"{self.mark} is done {count} times, noted {noted} times, and answered {status}: "
                f"{gist(text)}"]


def gist(text):
    """Of a page what it has to say, or of JSON all of it."""
    return text.split('<p class="notice bad">')[-1].split("</p>")[0][:200].strip()


class Senders:
    """Some who send verbs one after another, each as a form or as a program."""

    def __init__(self, database, console, count):
        self.verbs = [Verb(database, VERBS[number % 3], f"{VERBS[number % 3]}-{number}")
                      for number in range(count)]
        self.left, self.sent = list(self.verbs), []
        self.console, self.over = console, threading.Event()
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(4)]

    def run(self):
        while self.left and not self.over.is_set():
            verb = self.left.pop()
            verb.send(self.console.port, random.random() < 0.5)
            self.sent.append(verb)
            time.sleep(random.uniform(0, 0.1))

    def __enter__(self):
        for one in self.threads:
            one.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for one in self.threads:
            one.join(60)


def end_backends(pair, database, _):
    """Those of every client, now and then in the midst of what they do."""
    with psycopg.connect(
            f"postgresql://{pair.owner}@127.0.0.1:{pair.port}/{database.name}") as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'")


def kill_server(pair, database, console):
    pair.lose()
    pair.restart()


def kill_console(pair, database, console):
    console.web.kill()
    console.start()


def shaken(pair, database, last, seconds=25):
    """Verbs without end, while backends, the server and the console are killed at any moment, and
    at the end whatever `last` does."""
    console = Console(database, *Console.PROXY, TENURE_WEB_TOKEN=TOKEN)
    counts = collections.Counter()
    with Senders(database, console, 1400) as senders:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(random.uniform(0.2, 1))
            fault = random.choices([end_backends, kill_console, kill_server], [6, 2, 1])[0]
            fault(pair, database, console)
            counts[fault.__name__] += 1
        wrong = last()
        if not senders.left:
            wrong.append("the verbs were over before the failures")
        time.sleep(2)
    ledger = Ledger(database)
    for verb in senders.sent:
        wrong += verb.wrong(ledger)
    answers = collections.Counter(
        (f"{verb.answer[0]} in doubt" if DOUBT in verb.answer[1] else verb.answer[0],
         verb.done(ledger)[0]) for verb in senders.sent)
    print(f"  shaken by {dict(counts)}: {len(senders.sent)} verbs, (answer, times done): "
          f"{dict(answers)}")
    if not answers["lost", 1] + answers["503 in doubt", 1]:
        wrong.append("no answer was lost behind a commit: the failures came at no bad moment")
    console.web.stop()
    return wrong
