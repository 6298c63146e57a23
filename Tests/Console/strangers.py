"""Requests that no page makes: without a right, forged, from other sites, too large, too slow."""
import json
import socket
import time

from world import CANARIES, SCRIPT, Program


def judge(world, port, paths):
    wrong = []
    wrong += answers(port, paths)
    wrong += without_right(world, port)
    wrong += forged(world, port)
    wrong += bad_addresses(port)
    wrong += slow(port)
    wrong += reader(world, paths)
    return wrong


def answers(port, paths):
    """Each page, as HTML and as JSON, without a secret and with nothing that a browser obeys."""
    wrong, program = [], Program(port)
    for path in paths:
        status, html, headers = program.ask(path)
        if status != 200:
            wrong.append(f"{path} answers {status}: {html[-300:]}")
        if "default-src 'none'" not in headers.get("Content-Security-Policy", ""):
            wrong.append(f"{path} has no policy")
        if SCRIPT in html or "<img src=x" in html:
            wrong.append(f"{path} has markup of somebody else's")
        status, text, headers = program.ask(path, Accept="application/json")
        try:
            json.loads(text)
        except ValueError:
            wrong.append(f"{path} as JSON is none: {text[:200]}")
        for canary in CANARIES:
            if canary in html or canary in text:
                wrong.append(f"{path} tells {canary}")
    return wrong


def without_right(world, port):
    wrong = []
    for token in (None, "", "x" * 42, "\u00fc"):
        sent = token and token.encode().decode("latin-1")
        status, text, headers = Program(port, sent).ask("/jobs")
        if status != 401 or "site 7" in text:
            wrong.append(f"with the token {token!r} /jobs answers {status}")
    for cookie in ("tenure-console=", "tenure-console=x", "tenure-console"):
        if Program(port, None).ask("/", Cookie=cookie)[0] != 401:
            wrong.append(f"the cookie {cookie} lets somebody in")
    if Program(port, None).ask("/login/" + "0" * 64)[0] != 401:
        wrong.append("a made-up link lets somebody in")
    if Program(port).ask("/", Host="evil.test")[0] != 421:
        wrong.append("another name is answered (DNS rebinding)")
    if Program(port, None).ask(f"/jobs/{world.later}/cancel", "POST", "")[0] != 401:
        wrong.append("a verb is taken from nobody")
    return wrong


def forged(world, port):
    """What another site's page could have a browser send: with the cookie, without the token."""
    wrong = []
    web, own, link = world.serve()
    status, _, headers = Program(own, None).ask("/login/" + link.rsplit("/", 1)[1])
    cookie = (headers.get("Set-Cookie") or "").split(";")[0]
    if status != 303 or "HttpOnly" not in headers["Set-Cookie"] \
            or "SameSite=Strict" not in headers["Set-Cookie"]:
        wrong.append(f"the log-in answers {status} {headers.get('Set-Cookie')}")
    if Program(own, None).ask("/login/" + link.rsplit("/", 1)[1])[0] != 401:
        wrong.append("a link lets in twice")
    program, form = Program(own, None), "application/x-www-form-urlencoded"
    page = program.ask("/queues/default", Cookie=cookie)[1]
    token = page.split('name="token" value="')[1].split('"')[0]
    tries = {
        "no token": ("", {}), "another token": ("token=" + "0" * 64, {}),
        "another origin": (f"token={token}", {"Origin": "https://evil.test"}),
        "no origin at all": (f"token={token}", {"Origin": "null"}),
        "another site": (f"token={token}", {"Sec-Fetch-Site": "cross-site"}),
        "a sister site": (f"token={token}", {"Sec-Fetch-Site": "same-site"})}
    for name, (body, headers) in tries.items():
        status, text, _ = program.ask(
            "/queues/default/pause", "POST", body, Cookie=cookie, Content_Type=form, **headers)
        if status != 403:
            wrong.append(f"a verb with {name} answers {status}")
    paused = world.database.query("SELECT count(*) FROM tenure.queue WHERE name = 'default' "
                                  "AND paused_at IS NOT NULL")
    if paused != [(0,)]:
        wrong.append("a forged request paused the queue")
    status, _, _ = program.ask(
        "/queues/default/pause", "POST", f"token={token}", Cookie=cookie, Content_Type=form,
        Origin=f"http://127.0.0.1:{own}")
    if status != 303:
        wrong.append(f"a verb of its own page answers {status}")
    program.ask("/queues/default/resume", "POST", f"token={token}", Cookie=cookie,
                Content_Type=form)
    if program.ask("/", "GET", Cookie=cookie, X_HTTP_Method_Override="POST")[0] != 200:
        wrong.append("a GET with an override is something else")
    web.stop()
    return wrong


def bad_addresses(port):
    wrong, program = [], Program(port)
    tries = {
        "/nothing": 404, "/jobs/x": 404, "/jobs/%00": 404, "/jobs/%ff": 404, "/workers/x": 404,
        "/workers/99999999999999999999": 404, "/workers/-5": 404, "/queues/none": 404,
        "/batches/00000000-0000-0000-0000-000000000000": 404, "/jobs?state=x": 400,
        "/jobs?after=x": 400, "/jobs?older-than=x": 400, "/jobs?batch=x": 400,
        "/statistics?since=x": 400, "/statistics?since=9999999d": 400, "/%2e%2e/etc/passwd": 404,
        "/jobs?key=%00": 400, "/keys?kind=%00&key=x": 400, "/jobs?" + "state=held&" * 1001: 400,
        "/jobs?error=" + "%25" * 1000: 200, "/queues/" + "x" * 5000: 404,
        "/sites/x": 404, "/explain?url=x": 404,
        "/sites/00000000-0000-0000-0000-000000000000": 404, "/items?outcome=x": 400,
        "/checks/00000000-0000-0000-0000-000000000000": 404, "/links?since=x": 400,
        "/impact?urls=x": 404}
    for path, wanted in tries.items():
        status, text, _ = program.ask(path)
        if status != wanted:
            wrong.append(f"{path[:80]} answers {status}, not {wanted}: {text[-200:]}")
    for path in ("/jobs/x/cancel", "/anything", "/queues/default/explode", "/jobs/explode"):
        status, text, _ = program.ask(path, "POST", "")
        if status != 404:
            wrong.append(f"POST {path} answers {status}")
    if program.ask("/", "DELETE")[0] != 405:
        wrong.append("DELETE is known")
    # A verb for all wants a filter in the address, and how many they are.
    for query, body in (("", "all=1"), ("?queu=x", "all=1"), ("?queue=hostile", "all=yes"),
                        ("?queue=hostile", "all=1"), ("?queue=a&queue=b", "all=0"),
                        ("", "all=yes&queue=hostile"), ("?finished=0", "all=0"),
                        ("?queue=hostile", "&".join(["job=" + "0" * 8] * 101))):
        if program.ask(f"/jobs/cancel{query}", "POST", body)[0] != 400:
            wrong.append(f"POST /jobs/cancel{query} with {body[:30]} is done")
    for verb in ("retry", "delete"):
        if program.ask(f"/jobs/{verb}?queue=hostile", "POST", "all=10")[0] != 400:
            wrong.append(f"{verb} for all without a state is done")
    if program.ask("/schedules/none/pause", "POST", "", Accept="application/json")[0] != 409:
        wrong.append("a schedule that there isn't can be paused")
    if program.ask("/queues/" + "x" * 300 + "/pause", "POST", "")[0] != 400:
        wrong.append("a queue's name can have any length")
    if program.ask("/jobs/cancel", "POST", "job=x")[0] != 404:
        wrong.append("a job that is none can be chosen")
    if program.ask("/jobs/cancel", "POST", "")[0] != 400:
        wrong.append("nothing chosen is something")
    return wrong


def slow(port):
    """Who is slow, large or broken is sent away, and others are answered meanwhile."""
    wrong, open_ones = [], []
    for _ in range(300):
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(b"GET /jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        open_ones.append(one)
    begun = time.monotonic()
    if Program(port).ask("/")[0] != 200 or time.monotonic() - begun > 3:
        wrong.append(f"beside slow ones a page takes {time.monotonic() - begun:.1f} s")
    for one in open_ones:
        one.close()
    raw = {
        "10,000 headers": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 10_000 + b"\r\n",
        "a header of 1 MB": b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 1_000_000 + b"\r\n\r\n",
        "two lengths": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
                       b"Content-Length: 2\r\n\r\n",
        "a length and chunks": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
                               b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                               b"GET /jobs HTTP/1.1\r\n\r\n",
        "no HTTP": b"\x16\x03\x01\x02\x00" * 100}
    for name, request in raw.items():
        with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
            try:
                one.sendall(request)
                answer = one.recv(65536)
            except OSError:
                answer = b""
            if b"200 OK" in answer:
                wrong.append(f"{name} is answered with 200")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        one.sendall(f"POST /jobs/cancel HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                    f"Content-Length: {1 << 30}\r\n\r\n".encode())
        try:
            for _ in range(2000):
                one.sendall(b"a" * 65536)
            wrong.append("a body of 128 MB is taken")
        except OSError:
            pass  # sent away
    if Program(port).ask("/")[0] != 200:
        wrong.append("after broken requests it doesn't answer")
    return wrong


def reader(world, paths):
    """As the role that only reads: no verb does anything, whatever the page shows."""
    wrong = []
    with world.database.connect() as connection:
        connection.execute("CREATE ROLE looks LOGIN; GRANT tenure_reader TO looks")
    web, port, _ = world.serve(user="looks")
    program = Program(port)
    for path in paths:
        status, text, _ = program.ask(path)
        if status != 200:
            wrong.append(f"a reader's {path} answers {status}: {text[-300:]}")
        if "formaction" in text:
            wrong.append(f"a reader's {path} has verbs")
    for path in (f"/jobs/{world.later}/cancel", "/queues/default/pause", "/kinds/demo-sleep/pause"):
        status, text, _ = program.ask(path, "POST", "")
        if status not in (403, 503):
            wrong.append(f"a reader's {path} answers {status}")
    if world.database.outcomes([world.later])[world.later] != ["scheduled"]:
        wrong.append("a reader changed something")
    web.stop()
    return wrong
