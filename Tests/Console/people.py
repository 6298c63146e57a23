"""People who log in by a role of the database, or through a proxy: what each may do, and what those
try who may not."""
import hashlib
import http.client
import os
import re
import signal
import ssl
import subprocess
import threading
import time
import urllib.parse

from rig import wait_until
from world import TOKEN

PASSWORD = "it's \"right\" & long"
ODD = "ope'r\"ator; DROP TABLE x; -- <b>"
# What stands for each role of `tenure roles`; the last has no part in Tenure.
ROLES = {"producer": "p", "worker": "w", "coordinator": "c", "reader": "r", "operator": ODD,
         "none": "n"}
LOOKS = ("reader", "operator")
FORM = "application/x-www-form-urlencoded"


class Browser:
    """Knows its cookies, and what the last form carried."""

    def __init__(self, port, **fields):
        self.port, self.fields, self.cookies, self.token = port, fields, {}, ""

    def ask(self, path, method="GET", body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {name.replace("_", "-"): one for name, one in {**self.fields, **fields}.items()}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{a}={b}" for a, b in self.cookies.items())
        if body is not None:
            headers["Content-Type"] = FORM
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            self.cookies[name] = value
            if not value:
                del self.cookies[name]
        found = re.search(r'name="token" value="(\w+)"', text)
        self.token = found[1] if found else self.token
        connection.close()
        return answer.status, text, answer.headers

    def log_in(self, name, password=PASSWORD, **fields):
        self.ask("/login")
        return self.ask("/login", "POST", urllib.parse.urlencode(
            {"token": self.token, "name": name, "password": password}), **fields)


def judge(world):
    wrong = []
    make(world)
    web, port = start(world, "--log-in", "role", "--host", "127.0.0.1")
    wrong += matrix(world, port)
    wrong += doors(world, web, port)
    wrong += away(world, port)
    if PASSWORD.encode() in web.log or b"guess" in web.log:
        wrong.append("a password is in the log")
    web.stop()
    wrong += guesses(world)
    wrong += proxies(world)
    wrong += refused(world)
    wrong += encrypted(world)
    wrong += another_link(world)
    wrong += everything(world)
    return wrong


def make(world):
    """Logins that the server asks for a password, as it asks nobody else here."""
    data = f"{world.rig.folder}/postgres/data"
    with open(f"{data}/pg_hba.conf") as file:
        rules = file.read()
    with open(f"{data}/pg_hba.conf", "w") as file:
        file.write("host all +people 127.0.0.1/32 scram-sha-256\n" + rules)
    with world.database.connect() as connection:
        connection.execute("CREATE ROLE people NOLOGIN")
        for role, name in ROLES.items():
            quoted = '"' + name.replace('"', '""') + '"'
            secret = PASSWORD.replace("'", "''")
            connection.execute(f"CREATE ROLE {quoted} LOGIN PASSWORD '{secret}' IN ROLE people")
            if role != "none":
                connection.execute(f"GRANT tenure_{role} TO {quoted}")
        connection.execute("SELECT pg_reload_conf()")


def start(world, *words, pattern=rb"console: https?://[^ ]*:(\d+)/", **more):
    web = world.database.start("web", "--port", "0", *words, more={
        "TENURE_WEB_TOKEN": TOKEN, **more})
    found = wait_until(lambda: re.search(pattern, web.log) or not web.lives, 20)
    if not web.lives or not found:
        raise RuntimeError(f"tenure web {words} didn't start: {web.log[-500:]}")
    return web, int(found[1])


def state(world):
    """All that a verb could change."""
    tables = [
        "(SELECT id, state::text, ending_at FROM tenure.job WHERE queue = 'people') AS j",
        "(SELECT id, outcome::text FROM tenure.job_history WHERE queue = 'people') AS h",
        "(SELECT name, paused_at FROM tenure.queue) AS q", "tenure.kind",
        "(SELECT name, paused_at FROM tenure.schedule) AS s", "tenure.lane_hold",
        "content.ignore_rule", "(SELECT id, version FROM content.item) AS i"]
    rows = [world.database.query(f"SELECT * FROM {table} ORDER BY 1") for table in tables]
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def verbs(world):
    """Each verb, with what is needed for it to be done."""
    job = [world.database.enqueue("report", '{"of":"people"}', queue="people") for _ in range(6)]
    site = world.database.query("SELECT id FROM content.site")[0][0]
    item = world.database.query("SELECT id FROM content.item WHERE version > 0")[0][0]
    world.database.query(
        "INSERT INTO content.candidate (item, fetch_id, words, reason, fields) "
        "VALUES (%s, gen_random_uuid(), 0, 'shrunk', '{}') ON CONFLICT DO NOTHING", [item])
    world.edits = getattr(world, "edits", 0) + 1
    return [
        (f"/jobs/{job[0]}/retry", ""), (f"/jobs/{job[1]}/cancel", ""),
        (f"/jobs/{job[1]}/delete", ""), (f"/jobs/{job[2]}/discard", ""),
        ("/jobs/cancel", f"&job={job[3]}"), ("/jobs/discard", f"&job={job[4]}"),
        ("/queues/people/pause", ""), ("/queues/people/resume", ""), ("/kinds/report/pause", ""),
        ("/kinds/report/resume", ""), ("/schedules/nightly/trigger", ""),
        ("/schedules/nightly/pause", ""), ("/schedules/nightly/resume", ""),
        ("/lanes/people/l/hold", ""),
        ("/lanes/people/l/release", ""), (f"/sites/{site}/pause", ""),
        (f"/sites/{site}/resume", ""), (f"/items/{item}/edit", f"&title=mine+{world.edits}"),
        # A fetch may take it, before it is refused.
        (f"/items/{item}/refuse", ""), (f"/items/{item}/take", ""),
        ("/links/ignore", "&target=a&reason=b")]


def matrix(world, port):
    """Each role, each verb, as a page, as JSON and forged."""
    wrong = []
    for role, name in ROLES.items():
        browser = Browser(port)
        status, text, _ = browser.log_in(name)
        if role == "none":
            if status != 403 or "no part in Tenure" not in text:
                wrong.append(f"a role without a part in Tenure: {status}")
            continue
        if status != 303:
            wrong.append(f"{role} can't log in: {status} {text[-300:]}")
            continue
        status, page, _ = browser.ask("/jobs")
        if status != (200 if role in LOOKS else 403):
            wrong.append(f"a {role}'s /jobs answers {status}")
        if ("formaction" in page) != (role == "operator"):
            wrong.append(f"a {role}'s page has verbs, or lacks them")
        own = {"Origin": f"http://127.0.0.1:{port}", "Sec_Fetch_Site": "same-origin"}
        for path, more in verbs(world):
            before = state(world)
            forged = [("", {}), (f"token={'0' * 64}{more}", {}),
                      (f"token={browser.token}{more}", {"Origin": "https://evil.test"}),
                      (f"token={browser.token}{more}", {"Sec_Fetch_Site": "cross-site"})]
            for body, fields in forged:
                for accept in ("text/html", "application/json"):
                    status = browser.ask(path, "POST", body, Accept=accept, **fields)[0]
                    if status != 403:
                        wrong.append(f"a {role}'s forged {path} answers {status}")
            if state(world) != before:
                wrong.append(f"a {role}'s forged {path} does something")
            body = f"token={browser.token}{more}"
            for accept in ("application/json", "text/html"):
                status, text, _ = browser.ask(path, "POST", body, Accept=accept, **own)
                # The second time it may be so already.
                allowed = (200, 409) if accept == "application/json" else (303,)
                if role == "operator" and status not in allowed:
                    wrong.append(f"an operator's {path} answers {status}: {text[-300:]}")
                if role != "operator" and status != 403:
                    wrong.append(f"a {role}'s {path} answers {status}")
            if role != "operator" and state(world) != before:
                wrong.append(f"a {role}'s {path} does something")
        if role == "operator":
            browser.ask("/queues/people/pause", "POST", f"token={browser.token}")
            done = world.database.query(
                "SELECT paused_by FROM tenure.queue WHERE name = 'people'")
            browser.ask("/queues/people/resume", "POST", f"token={browser.token}")
            if done != [(ODD,)]:
                wrong.append(f"who paused it is {done}")
    return wrong


def doors(world, web, port):
    """Cookies of others, sessions that are over, roles that change."""
    wrong = []
    browser, other = Browser(port), Browser(port)
    browser.log_in("r")
    other.cookies = {"tenure-console-0123456789ab": "0" * 64, "session": "x",
                     **{name: "0" * 64 for name in browser.cookies}}
    if other.ask("/")[0] != 401:
        wrong.append("a cookie of another server lets in")
    if Browser(port, Authorization="Basic cjpyaWdodA==").ask("/")[0] != 401:
        wrong.append("a password in a header lets in")
    # Another console's cookie doesn't count here, whoever it is for.
    again, elsewhere = start(world, "--log-in", "role")
    other.cookies = dict(browser.cookies)
    other.port = elsewhere
    if other.ask("/")[0] != 401:
        wrong.append("a session of another process lets in")
    again.stop()
    kept = dict(browser.cookies)
    browser.ask("/")
    if browser.ask("/logout", "POST", "token=0")[0] != 403 or browser.ask("/")[0] != 200:
        wrong.append("a forged form logs out")
    if browser.ask("/logout", "POST", f"token={browser.token}")[0] != 303:
        wrong.append("nobody can log out")
    browser.cookies = kept
    if browser.ask("/")[0] != 401:
        wrong.append("a session goes on after it was ended")
    # A role that is gone, and one with another password: within a minute.
    with world.database.connect() as connection:
        for name in ("gone", "changed"):
            connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'guess' "
                               "IN ROLE people, tenure_reader")
        gone, changed = Browser(port), Browser(port)
        for one, name in ((gone, "gone"), (changed, "changed")):
            if one.log_in(name, "guess")[0] != 303 or one.ask("/jobs")[0] != 200:
                wrong.append(f"{name} can't log in")
        connection.execute("DROP ROLE gone; ALTER ROLE changed PASSWORD 'other'")
    end = time.monotonic() + 75
    while time.monotonic() < end and 200 in (gone.ask("/jobs")[0], changed.ask("/jobs")[0]):
        time.sleep(2)
    for one, name in ((gone, "a role that is gone"), (changed, "an old password")):
        if one.ask("/jobs")[0] == 200:
            wrong.append(f"{name} is let in for more than a minute")
    if not wait_until(lambda: gone.ask("/jobs")[0] == 401, 65, 2):
        wrong.append("who was logged in by a role that is gone isn't told so")
    # What nobody uses has no connections.
    count = ("SELECT count(*) FROM pg_stat_activity WHERE usename IN "
             "('r', 'w', 'p', 'c', 'n', 'gone', 'changed')")
    if not wait_until(lambda: world.database.query(count)[0][0] == 0, 50, 2):
        wrong.append("roles keep connections that nobody uses")
    if not web.lives:
        wrong.append(web.death)
    return wrong


def away(world, port):
    """The database is gone when somebody logs in, and comes back."""
    wrong = []
    browser = Browser(port)
    browser.log_in("r")
    world.rig.crash()
    for one, words in ((Browser(port).log_in("c"), "a log-in"), (browser.ask("/jobs"), "a page")):
        if one[0] != 503:
            wrong.append(f"without a database {words} answers {one[0]}")
    world.rig.restart()
    if not wait_until(lambda: browser.ask("/jobs")[0] == 200, 30, 1):
        wrong.append("a session doesn't come back with the database")
    return wrong


def guesses(world):
    """Ten thousand tries, with lies about where they come from."""
    wrong = []
    web, port = start(world, "--log-in", "role")
    counts, lock = {}, threading.Lock()

    def guess(number):
        browser = Browser(port, X_Forwarded_For=f"10.{number}.0.1", X_Real_IP="10.0.0.1")
        browser.ask("/login")
        for attempt in range(1250):
            body = urllib.parse.urlencode(
                {"token": browser.token, "name": f"r{attempt % 50}", "password": "guess"})
            status = browser.ask("/login", "POST", body)[0]
            with lock:
                counts[status] = counts.get(status, 0) + 1
    threads = [threading.Thread(target=guess, args=[number]) for number in range(8)]
    begun = time.monotonic()
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    asked = counts.get(401, 0)
    print(f"  10,000 guesses in {time.monotonic() - begun:.0f} s: {counts}")
    if sum(counts.values()) != 10_000 or set(counts) - {401, 429} or asked > 40:
        wrong.append(f"guesses are answered {counts}")
    if b"guess" in web.log or b"r1" in web.log.replace(b"r1 ", b""):
        wrong.append("the log has what was tried")
    web.stop()
    # Behind a proxy, addresses are those that it says: one guesser keeps no other waiting.
    web, port = start(world, "--log-in", "role", "--trusted-proxies", "127.0.0.1", "--behind-tls")
    for number in range(25):
        Browser(port, X_Forwarded_For="1.1.1.1, 10.6.6.6").log_in(f"x{number}", "guess")
    if Browser(port, X_Forwarded_For="9.9.9.9, 10.6.6.6").log_in("r")[0] != 429:
        wrong.append("who guesses goes on by another X-Forwarded-For")
    status, _, headers = Browser(port, X_Forwarded_For="10.6.6.7").log_in("r")
    cookies = headers.get_all("Set-Cookie") or [""]
    if status != 303 or not all("; Secure" in one and one.startswith("__Host-")
                                for one in cookies):
        wrong.append(f"behind TLS somebody else gets {status} {cookies}")
    web.stop()
    return wrong


def proxies(world):
    wrong = []
    words = ["--trust-header", "X-Remote-User", "--role-header", "X-Groups"]
    web, port = start(world, *words, "--trusted-proxies", "127.0.0.1")
    ada = {"X-Remote-User": "ada <b>", "X-Groups": "staff,operator"}
    if Browser(port).ask("/")[0] != 401 or "ada &lt;b&gt;" not in Browser(port, **ada).ask("/")[1]:
        wrong.append("the proxy's word doesn't count, or its silence does")
    reader = Browser(port, **{**ada, "X-Groups": "staff"})
    if "formaction" in reader.ask("/kinds")[1]:
        wrong.append("who only looks has verbs")
    acts = Browser(port, **ada)
    acts.ask("/kinds")
    if acts.ask("/kinds/report/pause", "POST", f"token={acts.token}")[0] != 303:
        wrong.append("whom the proxy lets act can't")
    acts.ask("/kinds/report/resume", "POST", f"token={acts.token}")
    web.stop()
    web, port = start(world, *words, "--trusted-proxies", "10.0.0.0/8")
    for fields in (ada, {}, {**ada, "X-Forwarded-For": "10.0.0.1"}):
        if Browser(port, **fields).ask("/")[0] != 403:
            wrong.append("from another address the header counts")
    web.stop()
    return wrong


def refused(world):
    """What would be served to anybody isn't served at all, and what is said of it."""
    wrong = []
    for words, said in (
            (["--host", "0.0.0.0"], "--log-in role"), (["--host", "::"], "--log-in role"),
            (["--host", "example.org"], "address"),
            (["--host", "0.0.0.0", "--log-in", "role"], "--tls-certificate"),
            (["--trust-header", "X-User"], "--trusted-proxies"),
            (["--trust-header", "X-User", "--trusted-proxies", "0.0.0.0/0"], "not all"),
            (["--trust-header", "X User", "--trusted-proxies", "10.0.0.1"], "header"),
            (["--trust-header", "X-User", "--trusted-proxies", "10.0.0.1", "--log-in", "role"],
             "one of them"),
            (["--trusted-proxies", "10.0.0.1"], "--trust-header"),
            (["--role-header", "X-Role"], "--trust-header"), (["--log-in", "any"], "link, role"),
            (["--tls-certificate", "/none"], "--tls-key"),
            (["--tls-certificate", "/none", "--tls-key", "/none"], "can't be used"),
            (["--log-out-after", "1s"], "30d"), (["--port", "65536"], "65535")):
        result = world.database.tenure("web", *words, seconds=20)
        if not result.is_refusal or said not in result.errors:
            wrong.append(f"tenure web {' '.join(words)}: {result}")
    result = world.database.tenure("web", more={"TENURE_WEB_HOST": "0.0.0.0"}, seconds=20)
    if not result.is_refusal:
        wrong.append(f"TENURE_WEB_HOST=0.0.0.0: {result}")
    return wrong


def encrypted(world):
    """With a certificate of its own."""
    folder = world.rig.folder
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/web.key",
         "-out", f"{folder}/web.pem"], capture_output=True, check=False)
    if made.returncode != 0:
        return []
    wrong = []
    os.chmod(f"{folder}/web.key", 0o644)
    web, port = start(world, "--host", "0.0.0.0", "--log-in", "role", "--tls-certificate",
                      f"{folder}/web.pem", "--tls-key", f"{folder}/web.key")
    trust = ssl.create_default_context(cafile=f"{folder}/web.pem")
    connection = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=20)
    connection.request("GET", "/login")
    answer = connection.getresponse()
    cookie = answer.headers.get("Set-Cookie") or ""
    answer.read()
    if answer.status != 200 or "; Secure" not in cookie or not cookie.startswith("__Host-"):
        wrong.append(f"by TLS the door answers {answer.status} {cookie}")
    try:
        if Browser(port).ask("/login")[0] == 200:
            wrong.append("a TLS port answers without")
    except (OSError, http.client.HTTPException):
        pass  # no HTTP there
    web.stop()
    return wrong


def another_link(world):
    """One that is printed when it is asked for, without a restart."""
    wrong = []
    web, port, link = world.serve()
    web.child.send_signal(signal.SIGUSR1)
    find = lambda: re.findall(rb"/login/(\w+)", web.log)  # noqa: E731
    if not wait_until(lambda: len(find()) == 2, 10):
        return ["SIGUSR1 prints no link"]
    for one in find():
        if Browser(port).ask(f"/login/{one.decode()}")[0] != 303:
            wrong.append("a link doesn't let in")
    browser = Browser(port)
    status = browser.ask("/jobs/cancel", "POST", b"x" * 70_000)[0]
    if status != 401:  # of somebody who is not in, none of it is read
        wrong.append(f"a stranger's body of 70,000 bytes gets {status}")
    browser = Browser(port)
    browser.ask(f"/login/{find()[0].decode()}")
    status = browser.ask("/jobs/cancel", "POST", b"x" * ((1 << 20) + 1))[0]
    if status != 413:
        wrong.append(f"a body of more than a mebibyte gets {status}")
    web.stop()
    return wrong


def everything(world):
    """`tenure up` has a console, too, and two of them get out of each other's way."""
    wrong, ups = [], []
    for words in ((), ()):
        up = world.database.start("up", *words, "--queue", "none")
        ups.append(up)
        found = wait_until(
            lambda: re.search(rb"http://127\.0\.0\.1:(\d+)/login/(\w+)", up.log) or not up.lives,
            30)
        if not up.lives or Browser(int(found[1])).ask(f"/login/{found[2].decode()}")[0] != 303:
            wrong.append(f"tenure up has no console: {up.log[-300:]}")
    for up in ups:
        if up.stop(60) != 0:
            wrong.append("tenure up doesn't end well")
    quiet = world.database.start("up", "--no-web", "--queue", "none")
    if not wait_until(lambda: b"session opened" in quiet.log, 30) or b"console:" in quiet.log:
        wrong.append("--no-web has a console, or doesn't start")
    quiet.stop(60)
    return wrong
