"""Addresses that must not be reached, by every way a URL may come: a fetch, a check, links on
a page, redirects, names, payloads that ask for more, and what a producer writes by hand.

The workers run in a network of their own in which all of these addresses are this machine's, with a
listener on all of them: who connects is seen. Nothing leaves the machine."""
import json
import os
import subprocess
import sys
import uuid

import psycopg

from rig import Process, ends_with_us, wait_until

# Everything that has to be refused. PORT is the listener's.
URLS = (
    "http://127.0.0.1:PORT/", "http://127.1:PORT/", "http://127.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/", "http://0x7f.1:PORT/", "http://0177.0.0.1:PORT/",
    "http://017700000001:PORT/", "http://127.0.0.1.:PORT/", "http://127.255.255.254:PORT/",
    "http://0.0.0.0:PORT/", "http://0:PORT/", "http://0.1.2.3:PORT/", "http://localhost:PORT/",
    "http://LOCALHOST.:PORT/", "http://localhost%2e:PORT/", "http://①②⑦.⓪.⓪.①:PORT/",
    "http://127。0。0。1:PORT/", "http://１２７.0.0.1:PORT/", "http://[::1]:PORT/",
    "http://[::]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/", "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/", "http://[::ffff:a9fe:a9fe]:PORT/", "http://[::127.0.0.1]:PORT/",
    "http://[::7f00:1]:PORT/", "http://[64:ff9b::7f00:1]:PORT/",
    "http://[64:ff9b::a9fe:a9fe]:PORT/",
    "http://[64:ff9b:1::7f00:1]:PORT/", "http://[2002:7f00:1::]:PORT/",
    "http://[2002:a9fe:a9fe::1]:PORT/", "http://[2001:0:7f00:1::]:PORT/",
    "http://[2001::53aa:64c:0:80ff:fffe]:PORT/", "http://[fe80::5efe:7f00:1]:PORT/",
    "http://[fe80::1]:PORT/", "http://[fe80::1%25lo]:PORT/", "http://[fc00::1]:PORT/",
    "http://[fd00:ec2::254]:PORT/", "http://[fec0::1]:PORT/", "http://[ff02::1]:PORT/",
    "http://[2001:db8::1]:PORT/", "http://[3fff::1]:PORT/", "http://[100::1]:PORT/",
    "http://[5f00::1]:PORT/", "http://[2001:2::1]:PORT/", "http://[2001:10::1]:PORT/",
    "http://[::ffff:0:127.0.0.1]:PORT/", "http://10.0.0.1:PORT/", "http://10.255.255.255:PORT/",
    "http://172.16.0.1:PORT/", "http://172.31.255.255:PORT/", "http://192.168.0.1:PORT/",
    "http://100.64.0.1:PORT/", "http://100.100.100.200:PORT/", "http://100.127.255.254:PORT/",
    "http://169.254.169.254:PORT/latest/meta-data/", "http://169.254.170.2:PORT/",
    "http://0xa9fea9fe:PORT/", "http://2852039166:PORT/", "http://168.63.129.16:PORT/",
    "http://192.0.0.1:PORT/", "http://192.0.0.192:PORT/", "http://192.0.2.1:PORT/",
    "http://192.88.99.1:PORT/", "http://198.18.0.1:PORT/", "http://198.51.100.1:PORT/",
    "http://203.0.113.1:PORT/", "http://224.0.0.1:PORT/", "http://240.0.0.1:PORT/",
    "http://255.255.255.255:PORT/", "http://user:pw@127.0.0.1:PORT/",
    "http://example.org@127.0.0.1:PORT/", "http://127.0.0.1:PORT\\@example.org/",
    "http://metadata.google.internal:PORT/", "http://metadata.test:PORT/", "http://wire.test:PORT/",
    "http://private.test:PORT/", "http://mapped.test:PORT/", "http://both.test:PORT/",
    "http://loop.test.:PORT/", "file:///etc/passwd", "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_x", "dict://127.0.0.1:PORT/x", "http://", "http:///", "http://:PORT/")
HOSTS = """127.0.0.1 localhost loop.test
169.254.169.254 metadata.test metadata.google.internal
168.63.129.16 wire.test
10.0.0.1 private.test
::ffff:127.0.0.1 mapped.test
93.184.215.14 both.test
127.0.0.1 both.test
127.77.0.1 allowed.test
"""
# In the network of its own each of these is this machine.
MINE = ("10.0.0.1/32", "10.255.255.255/32", "172.16.0.1/32", "172.31.255.255/32", "192.168.0.1/32",
        "100.64.0.1/32", "100.100.100.200/32", "100.127.255.254/32", "169.254.169.254/32",
        "169.254.170.2/32", "168.63.129.16/32", "192.0.0.1/32", "192.0.0.192/32", "192.0.2.1/32",
        "192.88.99.1/32", "198.18.0.1/32", "198.51.100.1/32", "203.0.113.1/32", "240.0.0.1/32",
        "93.184.215.14/32")
MINE_6 = ("fc00::1", "fd00:ec2::254", "fec0::1", "2001:db8::1", "3fff::1", "100::1", "5f00::1",
          "2001:2::1", "2001:10::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1",
          "2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:7f00:1::", "2001::53aa:64c:0:80ff:fffe",
          "::7f00:1")
# Only this one may be asked: it redirects, and links, to all the others.
ALLOWED, PORT = "127.77.0.1", 8765
BLOCK = "127.77.0.0/16"  # one for each redirect: a host is asked once a second
LISTENER = r"""
import re, socket, sys, threading
port, allowed, log, urls = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4].split(' ')
def note(text):
    with open(log, 'a') as file: file.write(text + '\n')
def answer(connection, address):
    with connection:
        connection.settimeout(5)
        own = connection.getsockname()[0].replace('::ffff:', '')
        if not own.startswith(allowed): note(f'{own} from {address[0]}')
        try: line = connection.recv(65536).split(b'\r\n')[0].decode('latin-1')
        except OSError: return
        path = line.split(' ')[1] if ' ' in line else '/'
        found = re.fullmatch(r'/(30\d)/(\d+)', path)
        if own.startswith(allowed) and found:
            target = urls[int(found[2])]
            head = f'HTTP/1.1 {found[1]} Moved\r\nLocation: {target}\r\n'.encode()
            body = b''
        elif own.startswith(allowed) and path == '/links':
            body = ('<title>links</title>' + ''.join(f'<a href="{u}">x</a><img src="{u}">'
                                                     for u in urls)).encode()
            head = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
        elif path == '/robots.txt': head, body = b'HTTP/1.1 404 No\r\n', b''
        else:
            head = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
            body = b'<title>SECRET</title>'
        head += b'Content-Length: %d\r\nConnection: close\r\n\r\n' % len(body)
        connection.sendall(head + body)
def serve(listener):
    while True: threading.Thread(target=answer, args=listener.accept(), daemon=True).start()
for family, address in ((socket.AF_INET, '0.0.0.0'), (socket.AF_INET6, '::')):
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6: listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    listener.bind((address, port)); listener.listen(128)
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
note('listening')
threading.Event().wait()
"""
ENDED = ("completed", "discarded", "cancelled", "superseded")


class Stand:
    """A network in which only this machine is, its listener, and a worker in it."""

    def __init__(self, rig, front):
        self.rig, self.front, self.database = rig, front, rig.database("addresses")
        self.urls = [url.replace("PORT", str(PORT)) for url in URLS]
        self.log = f"{rig.folder}/connected"
        hosts, listener = f"{rig.folder}/hosts", f"{rig.folder}/listener.py"
        with open(hosts, "w") as file:
            file.write(HOSTS)
        switch = f"{rig.folder}/nsswitch"
        with open(switch, "w") as file:
            file.write("hosts: files\n")
        with open(listener, "w") as file:
            file.write(LISTENER)
        # Everything by the socket in a folder: no network leads to PostgreSQL from there.
        self.database.environment["DATABASE_URL"] = (
            f"host={rig.folder}/postgres port={rig.port} user={rig.owner} dbname="
            f"{self.database.name}")
        addresses = "".join(f"ip addr add {one} dev lo || true\n" for one in MINE) + "".join(
            f"ip -6 addr add {one}/128 dev lo nodad || true\n" for one in MINE_6)
        self.script = f"{rig.folder}/inside"
        with open(self.script, "w") as file:
            file.write(
                "ip link set lo up || exit 9\n"
                "sysctl -qw net.ipv6.conf.lo.disable_ipv6=0 || true\n" + addresses +
                f"mount --bind {hosts} /etc/hosts || exit 9\n"
                f"mount --bind {switch} /etc/nsswitch.conf || true\n"
                f"setpriv --pdeathsig KILL \"{sys.executable}\" {listener} "
                f"{PORT} 127.77. {self.log} "
                f"'{' '.join(self.urls)}' &\n"
                "exec setpriv --pdeathsig KILL \"$@\"\n")
        self.begin()

    def begin(self):
        self.worker = self.start("worker", "--lease", "3s", "--no-listen", "--poll", "200ms",
                                 "--queue", "default:16", "--pool-size", "5")
        wait_until(lambda: b"session opened" in self.worker.log, 15)
        self.forget()

    def start(self, *words):
        environment = self.database.environ(more={"TENURE_CONTENT_ALLOW": BLOCK})
        return Process(self.rig, [
            *ends_with_us(), "unshare", "--user", "--map-root-user", "--net", "--mount",
            "bash", self.script, self.rig.tenure, *words],
            environment, f"{self.rig.folder}/addresses-{self.rig.next_number()}.log")

    @property
    def connected(self):
        try:
            with open(self.log) as file:
                return [line for line in file.read().splitlines() if line != "listening"]
        except FileNotFoundError:
            return None

    def forget(self):
        open(self.log, "w").close()

    def renew(self):
        """Another worker, and nothing left of what killed the one before."""
        self.worker.kill()
        self.database.query("DELETE FROM tenure.job; DELETE FROM tenure.kind_death")
        self.begin()

    def settle(self, jobs, seconds=25):
        """Waits until each has ended, or waits for a time far ahead with its reason."""
        def open_ones():
            return self.database.query(
                "SELECT 1 FROM tenure.job WHERE id = ANY(%s::uuid[]) AND (runs = 0 OR "
                "state IN ('available', 'running') OR run_at < now() + interval '2 s')", [jobs])
        wait_until(lambda: not open_ones() or not self.worker.lives, seconds, 0.2)

    def judge(self, what, jobs, expected="nobody connects"):
        """By the listener; and each job has come to an end that is told."""
        self.settle(jobs)
        connected = self.connected
        problem = self.worker.death or connected and f"connected: {connected[:3]}"
        stored = self.database.query("SELECT 1 FROM content.version AS v WHERE to_jsonb(v)::text "
                                     "LIKE '%%SECRET%%'")
        if not problem and stored:
            problem = "the secret was stored"
            self.database.query("DELETE FROM content.version")
        left = [one for one, states in self.database.outcomes(jobs).items() if len(states) != 1]
        self.front.judge(what, problem or left and f"{len(left)} jobs are gone", expected)
        if not self.worker.lives:
            self.renew()
        self.forget()


def fetches(stand, mode):
    """One by one in the report, all at once for the worker: the code is read for each."""
    jobs = {}
    for url in stand.urls:
        payload = json.dumps({"url": url, "mode": mode, "force": True, "merge": "defensive"})
        jobs[url] = stand.database.enqueue("content-fetch", payload, max_attempts=1)
    stand.settle(list(jobs.values()), 40)
    connected, outcomes = stand.connected, stand.database.outcomes(jobs.values())
    codes = dict(stand.database.query(
        "SELECT job::text, code FROM content.fetch_run WHERE code IS NOT NULL"))
    for url, job in jobs.items():
        states = outcomes[job]
        code, problem = codes.get(job), ""
        if len(states) != 1:
            problem = f"the job is {states}"
        elif code and ("connect" in code.lower() or "timeout" in code.lower()):
            problem = f"it was tried: {code}"
        elif codes.get(job) is None and states[0] == "completed":
            problem = "completed, without a code"
        stand.front.judge(f"{mode} of {url}", problem, "refused, with its code", code or states)
    stand.front.judge(f"{mode} of {len(jobs)} addresses that must not be reached",
                      stand.worker.death or connected and f"connected: {connected}",
                      "nobody connects")
    stand.database.query("DELETE FROM content.version")
    stand.forget()


def redirects(stand):
    """All at once; when the worker dies of it, fewer at a time, until it is known of which."""
    both = [(status, number) for status in (301, 307) for number in range(len(stand.urls))
            if number % 2 == status % 2 or stand.rig.is_long]
    waiting = [both]
    while waiting:
        some = waiting.pop(0)
        jobs = [stand.database.enqueue("content-fetch", json.dumps({
            "url": f"http://127.77.{status - 300}.{number + 2}:{PORT}/{status}/{number}",
            "mode": "article", "force": True, "merge": "defensive"}), max_attempts=1)
            for status, number in some]
        stand.settle(jobs, 30)
        if not stand.worker.lives and len(some) > 1:
            stand.renew()
            size = (len(some) + 3) // 4
            waiting += [some[n:n + size] for n in range(0, len(some), size)]
            continue
        what = f"{len(jobs)} redirects to them" if len(some) > 1 else \
            f"{some[0][0]} with Location: {stand.urls[some[0][1]]}"
        stand.judge(what, jobs)


def checks(stand):
    """A page that refers to all of them; then a check that asks to be allowed everything."""
    page = f"http://{ALLOWED}:{PORT}/links"
    for what, more in (("a page that links to them", ("--allow", ALLOWED)),
                       ("a producer's check that allows 0.0.0.0/0 and ::/0",
                        ("--allow", "0.0.0.0/0", "--allow", "::/0"))):
        asked = stand.database.start(
            "check", "--workers", "0", page, *more, "--contact", "a@example.org", "--strict")
        wait_until(lambda: not asked.lives, 30)
        jobs = [one for one, in stand.database.query("SELECT id::text FROM tenure.job WHERE kind = "
                                                     "'dependency-check'")]
        asked.stop(5)
        stand.judge(what, jobs)
    for url in (f"http://127.0.0.1:{PORT}/", f"http://169.254.169.254:{PORT}/",
                f"http://168.63.129.16:{PORT}/"):
        asked = stand.database.start(
            "check", "--workers", "0", url, "--allow", "0.0.0.0/0", "--contact", "a@example.org")
        wait_until(lambda: not asked.lives, 8)
        asked.stop(5)
        stand.judge(f"a producer's check of {url} that allows 0.0.0.0/0", [])


def forged(stand):
    """Payloads with fields that nobody gave them, and rows that a producer writes."""
    database, victim = stand.database, f"http://127.0.0.1:{PORT}/"
    run = str(uuid.uuid4())
    options = {"kind": "site", "looks": 3, "queue": "default", "strict": False, "isForeign": False,
               "ownInterval": 0, "freshSeconds": 3600, "pauseSeconds": 1, "checksForeign": True,
               "allowedAddresses": ["0.0.0.0/0", "::/0"]}
    database.query("CREATE ROLE attack_asker LOGIN IN ROLE tenure_producer")
    try:
        with database.connect("attack_asker") as connection:
            connection.execute("INSERT INTO content.site_check (id, kind, start, options) VALUES "
                               "(%s, 'site', %s, %s)", [run, victim, json.dumps(options)])
    except psycopg.Error as error:
        stand.front.passed("a producer's row of a check, by hand: refused",
                           f"{error.sqlstate} {error.diag.message_primary}")
    hop = {"url": f"http://{ALLOWED}:{PORT}/301/0", "status": 301, "ms": 1, "address": ALLOWED}
    payloads = {
        "of a fetch that asks for allowedAddresses": ("content-fetch", {
            "url": victim, "mode": "article", "force": True, "merge": "defensive",
            "allowedAddresses": ["0.0.0.0/0"], "allow": ["0.0.0.0/0"]}),
        "of a fetch with a trail": ("content-fetch", {
            "url": victim, "mode": "article", "force": True, "merge": "defensive", "trail": [hop]}),
        "of a fetch with a trail of texts": ("content-fetch", {
            "url": victim, "mode": "article", "force": True, "merge": "defensive",
            "trail": [hop["url"], victim]}),
        "of a check's pages": ("dependency-check", {
            "check": run.upper(), "url": victim, "hops": 0, "urls": [victim], "depth": 0,
            "scope": "pages"}),
        "of a check's beginning": ("dependency-check", {"check": run.upper(), "url": victim,
                                                        "scope": "begin"}),
        "of a check, hops and depth of 2^63-1": ("dependency-check", {
            "check": run.upper(), "url": victim, "hops": (1 << 63) - 1, "urls": [victim],
            "depth": (1 << 63) - 1, "scope": "pages"}),
        "of a check's foreign target": ("dependency-check", {
            "check": run.upper(), "url": victim, "urls": stand.urls, "scope": "foreign"})}
    for what, (kind, payload) in payloads.items():
        job = database.enqueue(kind, json.dumps(payload), max_attempts=1)
        stand.judge(f"a payload {what}", [job])


def run(rig, front):
    trial = subprocess.run(["unshare", "--user", "--map-root-user", "--net", "--mount", "true"],
                           capture_output=True, text=True)
    if trial.returncode:
        front.note(f"no network of one's own can be had here, nothing was asked: {trial.stderr}")
        return
    stand = Stand(rig, front)
    if b"session opened" not in stand.worker.log or not stand.worker.lives:
        front.failed("the worker in a network of its own", "it starts", stand.worker.log)
        return
    fetches(stand, "article")
    if rig.is_long:
        fetches(stand, "file")
    redirects(stand)
    checks(stand)
    forged(stand)
    job = stand.database.enqueue("content-fetch", json.dumps({
        "url": f"http://{ALLOWED}:{PORT}/ok", "mode": "article", "force": True,
        "merge": "defensive"}), max_attempts=1)
    found = stand.database.wait_for([job], 10)
    front.judge("what is allowed is reached", found, "the job completes")
    front.judge("the worker", stand.worker.death, "it lives")
    stand.worker.stop(8)
    stand.worker.kill()
    assert os.path.exists(rig.folder)
