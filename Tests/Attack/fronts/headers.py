"""Answers that no server should give, to real workers.

The worker lives, ordinary jobs end meanwhile, no answer costs much more CPU than an ordinary page
of 5 MB does on the same machine, and each job comes to an outcome that can be read, with a code
where it failed. Who is suspected when a worker dies is asked again alone."""
import gzip
import itertools
import random
import threading
import time
import zlib

from hostile import Hostile, page, reply, reset, slowly
from rig import wait_until

BIG = (1 << 63) - 1
HTML = b"<!doctype html><title>A page</title><p>" + b"word " * 400 + b"<a href='/b'>b</a>"
COSTLY = 5  # times what an ordinary page costs
ORDINARY = b"<!doctype html><title>A page</title><main>" + b"".join(
    b"<p>%s <a href='/%d'>and so on</a>." % (b"Words, and other words that say something. " * 6, n)
    for n in range(17_000))
PART = 3 << 20  # what a server has sent of a file before it breaks off
TAG = ("ETag", '"one"')


def resumed(content_range, total=BIG, status=206, second=b"", more=()):
    """A file that breaks off, and what its server says when asked for the rest."""
    def case(request, connection):
        if "range" not in request.headers:
            return reply(200, [TAG, ("Accept-Ranges", "bytes"),
                               ("Content-Length", min(total, 1 << 40)),
                               ("Content-Type", "application/octet-stream")], b"", length=False
                         ) + b"f" * PART
        begin = request.headers["range"].split("=")[1].split("-")[0]
        return reply(status, [TAG, ("Content-Range", content_range.replace("N", begin)), *more],
                     second)
    return case


def steady(data):
    return lambda request, connection: data


def with_header(name, value, status=200, body=HTML):
    return steady(reply(status, [("Content-Type", "text/html"), (name, value)], body))


def raw_head(*lines, body=HTML):
    return steady(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + b"".join(
        line + b"\r\n" for line in lines) + b"\r\n" + body)


def storm(request, connection):
    for _ in range(20_000):
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")
    return page(HTML)


def without_end(request, connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-A: ")
    for _ in range(40_000):
        connection.sendall(b"a" * 1024)


def bytes_without_end(request, connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    for _ in range(200):
        connection.sendall(b"<p>" * 333_333)


def slow_head(request, connection):
    slowly(connection, b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 10_000, 0.2, 40)


def slow_body(request, connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                       b"Content-Length: 100000\r\n\r\n")
    slowly(connection, b"x" * 100_000, 0.2, 40)


def reset_after(data):
    def case(request, connection):
        connection.sendall(data)
        time.sleep(0.05)
        reset(connection)
    return case


def hops(request, connection):
    """A redirect to a longer URL each time."""
    return reply(302, [("Location", request.path + "a" * 700)])


def bomb(coding, data, *more):
    return steady(reply(200, [("Content-Type", "text/html"), ("Content-Encoding", coding), *more],
                        data))


def zeros(layers):
    data = b"<p>" + b"\0" * (64 << 20)
    for _ in range(layers):
        data = gzip.compress(data, 9)
    return data


LAYERS = {n: zeros(n) for n in (1, 2)}
# A frame that says it holds 2^63 bytes, and a block of 100 MB of one byte, each well formed.
ZSTD = bytes.fromhex("28b52ffde0ffffffffffffff7f") + bytes.fromhex("020010") * 20 + b"\3\0\x10z"
ROBOTS = "User-agent: *\n" + "".join(f"Disallow: /*{'*a' * 8}{n}$\n" for n in range(14_000))
ROBOTS_PLAIN = "User-agent: *\n" + "".join(f"Disallow: /private-place/{n}\n" for n in range(17_000))
ROBOTS_DELAY = "User-agent: *\nCrawl-delay: 1e300\nCrawl-delay: -1\nCrawl-delay: nan\nAllow: /\n"
FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>f</title>%s</channel></rss>"""
ITEM = ("<item><link>/x</link><pubDate>Sat, 99 Foo 9999999999999999999 25:61:61 +99999</pubDate>"
        "</item>")
MAP = ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/a</loc>"
       "<lastmod>9999999999999-99-99</lastmod><priority>1e400</priority></url></urlset>")

# name: (mode, what the server does, its robots.txt)
CASES = {
    # Numbers
    "Content-Range to 2^63-1": ("file", resumed(f"bytes N-{BIG}/*", second=b"x" * 100), None),
    "Content-Range to 2^63-1 of 2^63-1": ("file", resumed(f"bytes N-{BIG}/{BIG}"), None),
    "Content-Range of 2^63": ("file", resumed(f"bytes N-{BIG - 1}/{BIG + 1}"), None),
    "Content-Range from 2^63-1": ("file", resumed(f"bytes {BIG}-{BIG}/*"), None),
    "Content-Range backwards": ("file", resumed("bytes N-0/10"), None),
    "Content-Range with signs": ("file", resumed("bytes -N--1/-1"), None),
    "Content-Range of 10^40": ("file", resumed("bytes N-1" + "0" * 40 + "/*"), None),
    "Content-Range of 416": ("file", resumed(f"bytes */{BIG}", status=416), None),
    "a file of 2^63-1 bytes": ("file", with_header("Content-Length", str(BIG)), None),
    "a first 206 nobody asked for": ("file", with_header(
        "Content-Range", f"bytes {BIG}-{BIG}/{BIG}", status=206), None),
    "Content-Length -1": ("article", raw_head(b"Content-Length: -1"), None),
    "Content-Length 2^64": ("article", raw_head(b"Content-Length: 18446744073709551616"), None),
    "Content-Length 2^63-1": ("article", raw_head(b"Content-Length: %d" % BIG), None),
    "Content-Length twice": ("article", raw_head(b"Content-Length: 5",
                                                 b"Content-Length: 50"), None),
    "a chunk of 16 F": ("article", raw_head(b"Transfer-Encoding: chunked",
                                            body=b"FFFFFFFFFFFFFFFF\r\nabc"), None),
    "a chunk of 7FFF…": ("file", raw_head(b"Transfer-Encoding: chunked",
                                          body=b"7FFFFFFFFFFFFFFF\r\nabc"), None),
    "a chunk of -1": ("article", raw_head(b"Transfer-Encoding: chunked", body=b"-1\r\nabc"), None),
    "chunks and a length": ("article", raw_head(b"Transfer-Encoding: chunked", b"Content-Length: 3",
                                                body=b"3\r\nabc\r\n0\r\n\r\n"), None),
    "Retry-After 1e30": ("article", with_header("Retry-After", "1e30", 503), None),
    "Retry-After 10^30": ("article", with_header("Retry-After", "1" + "0" * 30, 429), None),
    "Retry-After 2^63-1": ("file", with_header("Retry-After", str(BIG), 429), None),
    "Retry-After -1": ("article", with_header("Retry-After", "-1", 429), None),
    "Retry-After NaN": ("article", with_header("Retry-After", "NaN", 503), None),
    "Retry-After in year 9999999": ("article", with_header(
        "Retry-After", "Fri, 31 Dec 9999999 23:59:59 GMT", 503), None),
    "Retry-After in year 9999": ("article", with_header(
        "Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT", 503), None),
    "Cache-Control of 10^30": ("article", with_header(
        "Cache-Control", "max-age=1" + "0" * 30), None),
    "Cache-Control of 2^63-1": ("article", with_header("Cache-Control", f"max-age={BIG}"), None),
    "Cache-Control of -2^63": ("article", with_header(
        "Cache-Control", f"max-age=-{BIG + 1}"), None),
    "Age of 2^63-1": ("article", raw_head(b"Cache-Control: max-age=9", b"Age: %d" % BIG), None),
    "Expires in year 9999999": ("article", with_header(
        "Expires", "Fri, 31 Dec 9999999 23:59:59 GMT"), None),
    "Last-Modified in year 0": ("article", with_header(
        "Last-Modified", "Sat, 00 Jan 0000 00:00:00 GMT"), None),
    "Date of 10^18": ("article", with_header("Date", "1" + "0" * 18), None),
    # Where it goes
    "Location to itself": ("article", lambda r, c: reply(302, [("Location", r.path)]), None),
    "Location that grows": ("article", hops, None),
    "Location of 1 MiB": ("article", with_header("Location", "/" + "a" * (1 << 20), 302), None),
    "Location of nothing": ("article", with_header("Location", "", 301), None),
    "Location of U+FFFF and %00": ("article", with_header("Location", "/\xff\xfe%00", 302), None),
    "Refresh of 10^300": ("article", with_header("Refresh", "1e300;url=/x"), None),
    # How much
    "a header of 64 KiB": ("article", with_header("X-A", "a" * 65_536), None),
    "a header of 10 MiB": ("article", with_header("X-A", "a" * (10 << 20)), None),
    "100,000 headers": ("article", raw_head(*[b"X-%d: 1" % n for n in range(100_000)]), None),
    "a header without end": ("article", without_end, None),
    "a body without end": ("article", bytes_without_end, None),
    "20,000 answers of 103": ("article", storm, None),
    "gzip, 64 MiB of zeros": ("article", bomb("gzip", LAYERS[1]), None),
    "gzip of gzip": ("article", bomb("gzip, gzip", LAYERS[2]), None),
    "gzip in 50 layers": ("article", bomb(", ".join(["gzip"] * 50), LAYERS[2]), None),
    "gzip that ends early": ("article", bomb("gzip", LAYERS[1][:400]), None),
    "gzip that is none": ("article", bomb("gzip", HTML), None),
    "deflate that is none": ("file", bomb("deflate", zlib.compress(HTML)[:-9] + b"\xff" * 9), None),
    "br that is none": ("article", bomb("br", b"\x8b\x03\x80" + b"\xff" * 4000), None),
    "br of windows as large as can be": ("article", bomb("br", b"\x11\x3f" + b"\0" * 2000), None),
    "zstd of 2^63 bytes": ("article", bomb("zstd", ZSTD), None),
    # What it is
    "status 99": ("article", with_header("X", "1", 99), None),
    "status 999": ("article", with_header("X", "1", 999), None),
    "status 000": ("article", steady(b"HTTP/1.1 000 X\r\n\r\n"), None),
    "status 2^63": ("article", steady(b"HTTP/1.1 %d X\r\n\r\n" % (BIG + 1)), None),
    "status 204 with a body": ("article", with_header("X", "1", 204), None),
    "status 304 nobody asked for": ("article", with_header("X", "1", 304), None),
    "HTTP/9.9": ("article", steady(b"HTTP/9.9 200 OK\r\n\r\n" + HTML), None),
    "HTTP/0.9": ("article", steady(HTML), None),
    "another protocol": ("article", steady(b"220 smtp ready\r\n" * 100), None),
    "nothing but zeros": ("article", steady(b"\0" * 100_000), None),
    "a charset that isn't one": ("article", steady(reply(
        200, [("Content-Type", 'text/html; charset="' + "x" * 4000 + '"')], HTML)), None),
    "a charset of UTF-7": ("article", steady(reply(
        200, [("Content-Type", "text/html; charset=utf-7")], b"+ADw-script+AD4-")), None),
    "UTF-16 of half a character": ("article", steady(reply(
        200, [("Content-Type", "text/html; charset=utf-16")], b"\xff\xfe<\0p\0>\0\xd8")), None),
    "every byte there is": ("article", steady(page(bytes(range(256)) * 400)), None),
    "a type of 60 KiB": ("article", steady(reply(
        200, [("Content-Type", "text/html;" + "a=b;" * 15_000)], HTML)), None),
    "an ETag of 60 KiB": ("file", with_header("ETag", '"' + "e" * 60_000 + '"'), None),
    # Documents
    "10^6 nested tags": ("article", steady(page(b"<div>" * 1_000_000)), None),
    "10^6 nested tags with words": ("article", steady(page(b"<div>a, b" * 500_000)), None),
    "10^6 tags that cross": ("article", steady(page(b"<b><i></b></i>" * 250_000)), None),
    "10^5 nested tables": ("article", steady(page(b"<table><tr><td>" * 100_000)), None),
    "an attribute of 5 MiB": ("article", steady(page(
        b"<a href='" + b"x" * (5 << 20) + b"'>")), None),
    "200,000 attributes": ("article", steady(page(b"<a " + b"".join(
        b"a%d=1 " % n for n in range(200_000)) + b">")), None),
    "100,000 links": ("article", steady(page(b"".join(
        b"<a href=/%d>x</a>" % n for n in range(100_000)))), None),
    "100,000 boxes": ("article", steady(page(
        b"<div class='comment share related nav-x'>some words, which are <a href=/x>there</a>"
        * 50_000)), None),
    "a comment without end": ("article", steady(page(b"<!--" + b"-" * 3_000_000)), None),
    "references of characters": ("article", steady(page(b"&#x" + b"f" * 1_000_000 + b";" + b"&#"
                                                        + b"9" * 500_000)), None),
    "JSON-LD of depth 100,000": ("article", steady(page(
        b"<script type='application/ld+json'>" + b"[" * 100_000 + b"</script>")), None),
    "JSON-LD of numbers": ("article", steady(page(
        b'<script type="application/ld+json">{"@type":"Article","datePublished":1e400,'
        b'"wordCount":' + b"9" * 5000 + b"}</script>")), None),
    "dates of published": ("article", steady(page(
        b"<meta property='article:published_time' content='999999999-99-99T99:99:99+99:99'>"
        + HTML)), None),
    "srcset of 10^18": ("article", steady(page(
        b"<img srcset='a 1e400x, b -1w, c 999999999999999999999w'>" + HTML)), None),
    "refresh in 10^300 s": ("article", steady(page(
        b"<meta http-equiv=refresh content='1e300;url=/b'>" + HTML)), None),
    "CSS of 3 MiB of url(": ("article", steady(page(b"<style>" + b"url(" * 750_000)), None),
    "a feed of impossible dates": ("article", steady(reply(
        200, [("Content-Type", "application/rss+xml")], (FEED % (ITEM * 2000)).encode())), None),
    "a sitemap of impossible dates": ("article", steady(reply(
        200, [("Content-Type", "application/xml")], MAP.encode())), None),
    # robots.txt
    "robots.txt of 500 KiB of wildcards": ("article", steady(page(HTML)), ROBOTS.encode()),
    "robots.txt of 500 KiB": ("article", steady(page(HTML)), ROBOTS_PLAIN.encode()),
    "robots.txt of one line of 1 MiB": ("article", steady(page(HTML)),
                                        b"User-agent: *\nDisallow: /" + b"*a" * (1 << 19)),
    "robots.txt with a delay of 10^300": ("article", steady(page(HTML)), ROBOTS_DELAY.encode()),
    "robots.txt is a loop": (
        "article", lambda r, c: reply(302, [("Location", "/robots.txt")]), "case"),
    # How it goes
    "a reset before the head": ("article", reset_after(b""), None),
    "a reset in the head": ("article", reset_after(b"HTTP/1.1 200 OK\r\nX"), None),
    "a reset after the head": ("article", reset_after(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n"), None),
    "a reset in the body": ("file", reset_after(
        b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nabc"), None),
    "an end in the body": ("article", steady(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n<p>abc"), None)}
SLOW = {  # for as long as the limits allow
    "a head byte by byte": ("article", slow_head, None),
    "a body byte by byte": ("article", slow_body, None),
    "no answer at all": ("article", lambda r, c: time.sleep(40), None)}
# By which issue or habit these are worth a place in the short form too.
ALWAYS = ("Content-Range", "robots.txt of 500", "Retry-After 10^30", "10^6 nested",
          "a chunk of 16 F", "a header of 10 MiB", "gzip, 64", "zstd", "Cache-Control of 2^63")
ENDED = ("completed", "discarded", "cancelled", "superseded")


class Bystanders(threading.Thread):
    """An ordinary job each half second, all of which have to end."""

    def __init__(self, database):
        super().__init__(daemon=True)
        self.database, self.ids, self.is_over = database, [], threading.Event()

    def run(self):
        while not self.is_over.wait(0.5):
            self.ids.append(self.database.enqueue("demo-sleep", '{"seconds":0}', priority=1))

    def problem(self):
        self.is_over.set()
        self.join()
        return self.database.wait_for(self.ids, 12)


class Stand:
    def __init__(self, rig, front):
        self.rig, self.front, self.hostile = rig, front, Hostile()
        self.database = rig.database("headers")
        self.database.environment["TENURE_CONTENT_ALLOW"] = "127.0.0.0/8"
        self.workers = []
        self.ordinary = 0.0  # seconds of CPU that an ordinary page of 5 MB costs

    def worker(self, slots=24):
        worker = self.database.worker("--queue", f"default:{slots}", "--pool-size", "6")
        self.workers.append(worker)
        return worker

    def ask(self, case):
        """Enqueues a fetch from a server of the case's own; (its job, its URL)."""
        mode, answer, robots = case
        path = "a" * 1800 if isinstance(robots, bytes) and b"*a*a" in robots else "a"
        url = f"{self.hostile.add(answer, robots)}/{path}"
        payload = f'{{"url":"{url}","mode":"{mode}","force":false,"merge":"defensive"}}'
        return self.database.enqueue("content-fetch", payload, key=f"{mode} {url}"[:1000],
                                     max_attempts=2 if mode == "file" else 1), url

    def state(self, job):
        """(state, attempts that ended, what is said of it) of a job."""
        rows = self.database.query(
            "SELECT state::text, attempt, runs, run_at > clock_timestamp() + interval '4 s' FROM "
            "tenure.job WHERE id = %s UNION ALL SELECT outcome::text, attempt, runs, true FROM "
            "tenure.job_history WHERE id = %s", [job, job])
        return rows[0] if len(rows) == 1 else (f"{len(rows)} rows", 0, 0, False)

    def has_come(self, job):
        state, _, runs, is_far = self.state(job)
        return state in ENDED or runs > 0 and state in ("scheduled", "retryable") and is_far

    def said(self, job, url):
        """What people are told of the fetch, or what is missing in it."""
        state = self.state(job)[0]
        rows = self.database.query(
            "SELECT outcome, code, status FROM content.fetch_run WHERE job = %s "
            "ORDER BY asked_at DESC LIMIT 1", [job])
        if not self.has_come(job):
            return "", f"no outcome: {self.state(job)}, {rows}"
        shown = self.database.tenure("explain", url)
        if shown.code != 0:
            return "", f"tenure explain: {shown}"
        if not rows and "robots" not in shown.text:
            return "", f"{state}, and nothing is said of a fetch: {shown.text}"
        outcome, code, status = rows[0] if rows else ("-", "robots", None)
        if outcome == "failed" and not code:
            return "", "it failed without a code"
        return f"{state}, {outcome} {code or ''} {status or ''}", ""

    def together(self, cases, seconds):
        """All at once. Returns what each came to, and whether the worker lived."""
        worker = self.worker()
        jobs = {name: self.ask(case) for name, case in cases.items()}
        wait_until(lambda: worker.death or all(self.has_come(job) for job, _ in jobs.values()),
                   seconds, 0.3)
        return jobs, worker

    def alone(self, name, case, seconds=25):
        """The case by itself, on a worker of its own: what is wrong, what was seen."""
        worker = self.worker(4)
        before = worker.cpu
        job, url = self.ask(case)
        wait_until(lambda: worker.death or self.has_come(job), seconds, 0.2)
        time.sleep(0.2)
        if worker.death:
            self.clear()
            return worker.death, ""
        used = worker.cpu - before
        seen, problem = self.said(job, url)
        worker.stop(8)
        self.clear()
        if not self.ordinary:
            self.ordinary = used
        elif used > COSTLY * self.ordinary:
            problem = f"{used:.1f} s of CPU for one answer, {self.ordinary:.1f} for an ordinary one"
        return problem, f"{seen}, {used:.1f} s of CPU"

    def clear(self):
        """Nothing of a case that killed may come back in the next; and its kind isn't paused."""
        self.database.query("DELETE FROM tenure.job; DELETE FROM tenure.kind_death")


def run(rig, front):
    stand = Stand(rig, front)
    names, cases = list(CASES), dict(CASES)
    if not rig.is_long:
        pick = random.Random(rig.seed)
        others = [name for name in names if not name.startswith(ALWAYS)]
        kept = set(pick.sample(others, 34))
        cases = {name: CASES[name] for name in names if name in kept or name.startswith(ALWAYS)}
    else:
        cases.update(SLOW)
    # What costs CPU is measured, so alone; the worker of the others may be busy with all of them.
    measured = {name: cases.pop(name) for name in list(cases) if name.startswith(
        ("robots.txt of", "10^", "200,000 attr", "100,000", "a header of 10", "gzip, 64", "CSS",
         "references"))}
    lethal = {name: cases.pop(name) for name in list(cases) if name.startswith("Content-Range to")}
    front.note(f"{len(cases) + len(measured) + len(lethal)} of {len(CASES) + len(SLOW)} cases")
    names = iter(list(cases))
    while batch := list(itertools.islice(names, 24)):
        bystanders = Bystanders(stand.database)
        bystanders.start()
        jobs, worker = stand.together({name: cases[name] for name in batch},
                                      70 if rig.is_long else 25)
        if worker.death:
            front.failed("answers at once, " + ", ".join(batch)[:80], "the worker lives",
                         worker.death)
            bystanders.is_over.set()
            bystanders.join()
            stand.clear()
            lethal.update({name: cases[name] for name in batch})
            continue
        problem = bystanders.problem()
        front.judge(f"ordinary jobs beside {len(batch)} hostile answers", problem,
                    f"all of {len(bystanders.ids)} end")
        for name, (job, url) in jobs.items():
            seen, problem = stand.said(job, url)
            front.judge(name, problem, "an outcome that is told, with a code if it failed", seen)
        code = worker.stop()
        front.judge("the worker's end", "" if code == 0 else f"{code}", "exit code 0")
        stand.clear()
    ordinary = {"an ordinary page of 5 MB": ("article", steady(page(ORDINARY)), None)}
    for name, case in {**ordinary, **lethal, **measured}.items():
        problem, seen = stand.alone(name, case)
        front.judge(name, problem, "the worker lives, with an outcome, for at most "
                    f"{COSTLY} times the CPU of an ordinary page", seen)
    for worker in stand.workers:
        worker.kill()
    stand.hostile.close()
