"""A queue in which there is something of everything, and the console on it."""
import http.client
import http.server
import re
import threading
import types

import psycopg
from rig import Rig, wait_until

TOKEN = "a-token-of-forty-bytes-that-nobody-guesses"
# What pages must show as the text that it is; each is a name, a key or a message of somebody.
SCRIPT = "<script>window.pwned=1</script>"
HOSTILE = [
    SCRIPT, "\"><img src=x onerror=window.pwned=1>", "' onmouseover='window.pwned=1",
    "javascript:window.pwned=1", "a\u202Egnp.exe", "e\u0301\"\u0301>\u200D<b>", "{{7*7}}",
    "</section></main><h1>owned</h1>", "x" * 700]
CANARIES = ["kanary-of-the-payload", "kanary-of-the-url", "kanary-of-the-error"]


class World:
    def __init__(self, tenure):
        self.rig = Rig(tenure, types.SimpleNamespace(seed=1, is_long=False, budget=0))
        self.rig.start()
        self.database = self.rig.database("console")
        self.processes = []

    def fill(self):
        database = self.database
        database.environment |= {"TENURE_CONTENT_ALLOW": "127.0.0.1",
                                 "TENURE_CONTENT_CONTACT": "ada@example.org"}
        self.coordinator = database.start("coordinator", "--lease", "3s")
        self.worker = database.worker("--name", "ada's worker", "--queue", "default:4",
                                      "--queue", "mail:2", lease="5s", listens=True)
        self.done = [database.enqueue("demo-sleep", '{"seconds":0}', notify=True)
                     for _ in range(5)]
        self.failed = database.enqueue(
            "demo-fail", '{"password":"kanary-of-the-payload","message":'
            '"it said password=kanary-of-the-error"}', max_attempts=1, notify=True)
        self.running = database.enqueue("demo-sleep", '{"seconds":600}', notify=True)
        self.later = database.enqueue("demo-sleep", '{"seconds":0}', run_at="2031-01-01 00:00Z")
        for _ in range(3):
            self.keyed = database.enqueue("demo-sleep", '{"seconds":0}', key="site 7",
                                          mode="superseding", notify=True)
        self.unworked = database.enqueue("report", '{"of":"today"}', queue="reports")
        database.tenure("queue", "pause", "mail")
        database.tenure("schedule", "add", "nightly", "--cron", "0 3 * * *", "--zone",
                        "Europe/Berlin", "demo-sleep", "--payload", '{"seconds":0}')
        for text in HOSTILE:
            # What turns text round or joins it is refused in names, and taken in payloads.
            name = text.translate({0x202E: None, 0x200D: None})
            database.enqueue("demo-sleep", psycopg.types.json.Jsonb({"seconds": 0, "x": text}),
                             key=name[:500], queue="hostile", lane=name[:100])
        database.enqueue(
            "report", '{"url":"https://u:kanary-of-the-url@h.test/?token=kanary-of-the-url"}',
            queue="hostile")
        with database.connect() as connection:
            connection.execute("UPDATE tenure.session SET name = %s WHERE role = 'coordinator'",
                               [HOSTILE[1]])
            connection.execute(
                "INSERT INTO tenure.schedule (name, cron, zone, next_at, job, paused_at) VALUES "
                "('poison', '* * * * *', 'Mars/Base', now(), '{\"kind\":\"x\"}', now())")
            connection.execute(
                "UPDATE tenure.job SET hold_reason = %s, state = 'held' WHERE queue = 'hostile' "
                "AND key LIKE '%%img%%'", [HOSTILE[0] + " password=kanary-of-the-error"])
        self.watch()
        wait_until(lambda: all(states == ["completed"] for states in
                               database.outcomes(self.done).values()), 20)

    def watch(self):
        """A site of four pages, one of them with a title of somebody else's, and one that is
        gone."""
        pages = {
            "/": "<a href=/well>w</a> <a href=/dead?x='%22><script>window.pwned=1</script>>d</a>",
            "/well": f"<title>{SCRIPT}</title><p>" + "Some words of a page. " * 40}

        class Site(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = pages.get(self.path, "").encode()
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *words):
                pass

        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=site.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{site.server_address[1]}/"
        database = self.database
        database.worker("--queue", "content:4", lease="5s", listens=True)
        for words in (("site", "add", root, "--contact", "ada@example.org", "--queue", "content"),
                      ("site", "check", root),
                      ("fetch", root + "well", "--wait")):
            result = database.tenure(*words)
            if result.code != 0:
                raise RuntimeError(f"tenure {' '.join(words)}: {result}")
        wait_until(lambda: database.query(
            "SELECT count(*) FROM content.site_check WHERE finished_at IS NOT NULL")[0][0], 30)

    def serve(self, *words, **more):
        """The port, and a link that lets one browser in."""
        more.setdefault("more", {"TENURE_WEB_TOKEN": TOKEN})
        web = self.database.start("web", "--port", "0", *words, **more)
        self.processes.append(web)
        found = wait_until(
            lambda: re.search(rb"http://127\.0\.0\.1:(\d+)/login/\w+", web.log)
            or not web.lives, 20)
        if not web.lives or not found:
            raise RuntimeError(f"tenure web didn't start: {web.log[-500:]}")
        return web, int(found[1]), found[0].decode()

    def stop(self):
        self.rig.stop()


class Program:
    """A program that brings its token, or doesn't."""

    def __init__(self, port, token=TOKEN):
        self.port, self.token = port, token

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            fields.setdefault("Authorization", f"Bearer {self.token}")
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        connection.close()
        return answer.status, text, answer.headers
