"""The metrics port of a worker, and the folder that `tenure check DIR` serves.

Whoever reaches the port may be anybody: the worker lives, its jobs end, and /readyz answers a new
client within a second, whatever others do to the port meanwhile."""
import os
import re
import socket
import threading
import time

from rig import free_port, wait_until

PATIENCE = 1.0  # seconds for /readyz
HEAD = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def connect(port, seconds=5):
    return socket.create_connection(("127.0.0.1", port), seconds)


def send(connection, data):
    try:
        connection.sendall(data)
        return True
    except OSError:
        return False  # it was closed: so it may be


def idle(port, attack):
    """Connections that say nothing."""
    for _ in range(attack.count):
        try:
            connection = socket.socket()
            connection.settimeout(0.2)
            attack.keep(connection)
            connection.connect(("127.0.0.1", port))
        except OSError:
            pass  # refused: so it may be


def half_a_head(port, attack):
    """Connections that have begun to say something."""
    for _ in range(attack.count // 4):
        try:
            connection = attack.keep(connect(port, 0.3))
            send(connection, HEAD + b"X-A: ")
        except OSError:
            pass


def large_head(size):
    def do(port, attack):
        connection = attack.keep(connect(port))
        connection.settimeout(3)
        send(connection, HEAD + b"X-A: " + b"a" * size + b"\r\n\r\n")
    return do


def many_large_heads(port, attack):
    for _ in range(8):
        threading.Thread(target=large_head(1 << 20), args=(port, attack), daemon=True).start()


def many_headers(port, attack):
    connection = attack.keep(connect(port))
    connection.settimeout(3)
    send(connection, HEAD + b"".join(b"X-%d: 1\r\n" % n for n in range(50_000)) + b"\r\n")


def byte_by_byte(port, attack):
    for _ in range(60):
        connection = attack.keep(connect(port))
        threading.Thread(target=drip, args=(connection, attack), daemon=True).start()


def drip(connection, attack):
    for byte in HEAD + b"X: y\r\n" * 100:
        if attack.is_over.wait(0.1) or not send(connection, bytes([byte])):
            return


def half_closed(port, attack):
    for _ in range(200):
        connection = attack.keep(connect(port))
        send(connection, HEAD)
        try:
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def resets(port, attack):
    for _ in range(500):
        connection = connect(port)
        send(connection, HEAD + b"\r\n")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()


def pipelined(port, attack):
    """10,000 requests, no answer read for a while."""
    connection = attack.keep(connect(port))
    connection.settimeout(3)
    for _ in range(100):
        if not send(connection, (HEAD.replace(b"readyz", b"metrics") + b"\r\n") * 100):
            return


def deaf(port, attack):
    """Those that ask for much and read nothing."""
    for _ in range(100):
        connection = attack.keep(connect(port))
        send(connection, (HEAD.replace(b"readyz", b"metrics") + b"\r\n") * 20)


def said(*texts):
    def do(port, attack):
        for text in texts:
            connection = attack.keep(connect(port))
            send(connection, text)
    return do


GARBAGE = said(os.urandom(4096), b"\0" * 4096, b"\r\n" * 5000,
               b"\x16\x03\x01\x02\0\1\0\1\xfc\3\3" * 50,
               b"GET\r\n\r\n", b"GET /\r\n\r\n", b" \r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
               b"G" * 100_000, b"GET " + b"/" * 200_000 + b" HTTP/1.1\r\n\r\n",
               b"GET /%00%ff%zz HTTP/1.1\r\nHost: a\r\n\r\n", b"GET http://[::1 HTTP/1.1\r\n\r\n",
               b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", b"\xff\xfe\xfd HTTP/1.1\r\n\r\n",
               b"GET /readyz?" + b"&a=%" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
HTTP2 = said(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes.fromhex("000000040000000000") * 500,
             HEAD + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
             b"HTTP2-Settings: AAA\r\n\r\n",
             HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n")
SMUGGLED = said(
    HEAD + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
    HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n5\r\nGPOST",
    HEAD + b"Content-Length: -1\r\n\r\n", HEAD + b"Content-Length: 9223372036854775807\r\n\r\nab",
    HEAD + b"Content-Length: 18446744073709551617\r\n\r\n", HEAD + b"Content-Length: 1, 2\r\n\r\n",
    HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1;" + b"x" * 100_000 + b"\r\n",
    HEAD + b" folded: x\r\n\tmore\r\n\r\n", HEAD + b"Range: bytes=0-9223372036854775807\r\n\r\n",
    HEAD + b"Range: bytes=-9223372036854775808\r\n\r\n", HEAD + b"Expect: 100-continue\r\n\r\n",
    HEAD.replace(b"GET", b"POST") + b"Content-Length: 1000000000000\r\n\r\n" + b"x" * 100_000)
# name: (what is done, connections, descriptors that the worker may have)
ATTACKS = {
    "1,500 idle connections, 1,024 descriptors": (idle, 1500, 1024),
    "2,000 idle connections, 256 descriptors": (idle, 2000, 256),
    "500 half heads, 256 descriptors": (half_a_head, 2000, 256),
    "a header of 125 KiB": (large_head(125 << 10), 1, 1024),
    "a header of 1 MiB": (large_head(1 << 20), 1, 1024),
    "8 headers of 1 MiB": (many_large_heads, 8, 1024),
    "50,000 headers": (many_headers, 1, 1024),
    "60 heads byte by byte": (byte_by_byte, 60, 1024),
    "200 half-closed connections": (half_closed, 200, 256),
    "500 resets": (resets, 500, 256),
    "10,000 pipelined requests": (pipelined, 1, 1024),
    "100 that don't read": (deaf, 100, 256),
    "garbage": (GARBAGE, 1, 1024), "HTTP/2 and upgrades": (HTTP2, 1, 1024),
    "smuggling": (SMUGGLED, 1, 1024)}


class Attack:
    def __init__(self, count):
        self.count, self.kept, self.is_over = count, [], threading.Event()

    def keep(self, connection):
        self.kept.append(connection)
        return connection

    def end(self):
        self.is_over.set()
        for connection in self.kept:
            connection.close()


def readyz(port):
    """(seconds, what was answered) for a new client."""
    begun = time.monotonic()
    try:
        with connect(port, 4) as connection:
            connection.sendall(HEAD + b"Connection: close\r\n\r\n")
            answer = connection.recv(4096).split(b"\r\n")[0].decode("latin-1")
    except OSError as error:
        answer = f"{type(error).__name__}"
    return time.monotonic() - begun, answer


def worker_on(database, descriptors):
    port = free_port()
    worker = database.worker(
        "--queue", "default:4", "--metrics-port", str(port),
        before=("prlimit", f"--nofile={descriptors}:{descriptors}"))
    wait_until(lambda: not worker.lives or "200" in readyz(port)[1], 10)
    return worker, port


def on_port(database, front, name, do, count, descriptors, stands):
    if descriptors not in stands or not stands[descriptors][0].lives:
        stands[descriptors] = worker_on(database, descriptors)
    worker, port = stands[descriptors]
    attack, before = Attack(count), worker.cpu
    doing = threading.Thread(target=guarded, args=(do, port, attack), daemon=True)
    doing.start()
    slowest, slow, answers, end = 0.0, 0, set(), time.monotonic() + 4
    while time.monotonic() < end and worker.lives:
        took, answer = readyz(port)
        slowest, slow = max(slowest, took), slow + (took > PATIENCE)
        answers.add(answer)
        time.sleep(0.3)
    problems = []
    # Once a little late is the machine's; and a port that is full may refuse one, never hang.
    if slow > 1 or slowest > 2 * PATIENCE or not any("200" in answer for answer in answers):
        problems.append(f"/readyz took {slowest:.1f} s: {sorted(answers)}")
    if worker.lives:
        problems.append(database.canary(8))
    attack.end()
    doing.join(5)
    time.sleep(0.2)
    if worker.death or not worker.lives:
        problems.insert(0, worker.death)
    else:
        used = worker.cpu - before
        took, answer = readyz(port)
        if "200" not in answer or took > PATIENCE:
            problems.append(f"afterwards /readyz: {answer} after {took:.1f} s")
            worker.kill()  # the next attack has one that is well
    front.judge(name, "; ".join(problem for problem in problems if problem),
                f"the worker lives, its jobs end, /readyz within {PATIENCE} s",
                f"/readyz within {slowest:.2f} s" + (
                    f", {used:.1f} s of CPU" if worker.lives else ""))


def guarded(do, port, attack):
    try:
        do(port, attack)
    except OSError:
        pass  # refused or closed: so it may be


# The folder that a check serves: (what, request line, Host, what must not be in the answer)
LINES = {
    "a foreign Host": ("GET /secret.html HTTP/1.1", "evil.test", b"the inner words"),
    "a foreign Host with its port": ("GET /secret.html HTTP/1.1", "evil.test:PORT",
                                     b"the inner words"),
    "a Host that begins like its own": ("GET /secret.html HTTP/1.1", "127.0.0.1.evil.test:PORT",
                                        b"the inner words"),
    "no Host": ("GET /secret.html HTTP/1.1", None, b"the inner words"),
    "an absolute foreign URL": ("GET http://evil.test/secret.html HTTP/1.1", "evil.test",
                                b"the inner words"),
    "/../": ("GET /../outside.txt HTTP/1.1", "127.0.0.1:PORT", b"the outer words"),
    "/%2e%2e/": ("GET /%2e%2e/outside.txt HTTP/1.1", "127.0.0.1:PORT", b"the outer words"),
    "/..%2f": ("GET /..%2foutside.txt HTTP/1.1", "127.0.0.1:PORT", b"the outer words"),
    "/sub/%2e%2e/%2e%2e/": ("GET /sub/%2e%2e/%2e%2e/outside.txt HTTP/1.1", "127.0.0.1:PORT",
                            b"the outer words"),
    "..%5c": ("GET /..%5coutside.txt HTTP/1.1", "127.0.0.1:PORT", b"the outer words"),
    "//etc/passwd": ("GET //etc/passwd HTTP/1.1", "127.0.0.1:PORT", b"root:"),
    "%00": ("GET /secret.html%00.txt HTTP/1.1", "127.0.0.1:PORT", b"the inner words"),
    "a link out of the folder": ("GET /out.txt HTTP/1.1", "127.0.0.1:PORT", b"the outer words")}


def ask(port, line, host):
    try:
        with connect(port, 3) as connection:
            head = f"{line}\r\n" + (f"Host: {host}\r\n".replace("PORT", str(port)) if host else "")
            connection.sendall(head.encode() + b"Connection: close\r\n\r\n")
            answer = b""
            while more := connection.recv(65536):
                answer += more
            return answer
    except OSError as error:
        return type(error).__name__.encode()


def listening(pid):
    """The ports on which a process listens."""
    inodes = set()
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            found = re.match(r"socket:\[(\d+)\]", os.readlink(f"/proc/{pid}/fd/{fd}"))
        except OSError:
            continue
        if found:
            inodes.add(found[1])
    with open("/proc/net/tcp") as file:
        rows = [row.split() for row in file.readlines()[1:]]
    return [int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A" and row[9] in inodes]


def folder(rig, database, front):
    place = f"{rig.folder}/site"
    os.makedirs(f"{place}/public/sub")
    with open(f"{place}/outside.txt", "w") as file:
        file.write("the outer words")
    os.symlink(f"{place}/outside.txt", f"{place}/public/out.txt")
    with open(f"{place}/public/secret.html", "w") as file:
        file.write("<title>t</title><p>the inner words")
    with open(f"{place}/public/index.html", "w") as file:
        file.write("<title>t</title>" + "".join(f"<a href=/{n}.html>x</a>" for n in range(40)))
    for number in range(40):
        with open(f"{place}/public/{number}.html", "w") as file:
            file.write("<title>t</title><p>words")
    check = database.start("check", f"{place}/public", "--interval", "1s", "--lease", "6s")
    ports = wait_until(lambda: check.lives and listening(check.pid), 10)
    if not ports:
        front.failed("tenure check DIR", "it serves the folder", check.log[-300:])
        return
    own = ask(ports[0], "GET /secret.html HTTP/1.1", "127.0.0.1:PORT")
    front.judge("the served folder, by its own name",
                "" if b"the inner words" in own else own[:200], "the page")
    for what, (line, host, unwanted) in LINES.items():
        answer = ask(ports[0], line, host)
        front.judge(f"the served folder: {what}", unwanted in answer and answer[:120],
                    "not what was asked for", answer.split(b"\r\n")[0])
    for what, do in {"garbage": GARBAGE, "smuggling": SMUGGLED, "a header of 1 MiB":
                     large_head(1 << 20)}.items():
        attack = Attack(1)
        guarded(do, ports[0], attack)
        time.sleep(0.3)
        attack.end()
        front.judge(f"the served folder: {what}", check.death, "the check goes on")
    check.stop(10)


def run(rig, front):
    database, stands = rig.database("ports"), {}
    folder(rig, database, front)
    for name, (do, count, descriptors) in ATTACKS.items():
        on_port(database, front, name, do, count, descriptors, stands)
    for descriptors, (worker, _) in stands.items():
        if worker.lives:
            code = worker.stop()
            front.judge(f"the worker of {descriptors} descriptors, at the end",
                        "" if code == 0 else f"{code}", "exit code 0")
    assert rig.folder
