"""What comes at a worker's metrics port: idle connections, long headers, slow clients; and one
that only wants to know whether it is ready. Runs until its standard input ends, then prints how
long the answers about readiness took, in seconds, as JSON."""
import json
import resource
import select
import socket
import sys
import threading
import time

port, idle, again = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
over = threading.Event()
probes, opened = [], 0


def connect():
    found = socket.create_connection(("127.0.0.1", port), timeout=10)
    found.settimeout(10)
    return found


def hold():
    """Says nothing. Who was sent away comes again, after a while."""
    global opened
    poll, held, due = select.poll(), {}, [0.0] * idle
    while not over.is_set():
        now = time.monotonic()
        while due and due[0] <= now:
            due.pop(0)
            try:
                one = connect()
                held[one.fileno()] = one
                poll.register(one, select.POLLIN | select.POLLRDHUP)
                opened += 1
            except OSError:
                due.append(now + (again or 1e9))
        for number, _ in poll.poll(20):
            poll.unregister(number)
            held.pop(number).close()
            due.append(time.monotonic() + (again or 1e9))


def shout():
    """A header of a mebibyte, four times a second."""
    head = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * (1 << 20) + b"\r\n\r\n"
    while not over.wait(0.25):
        try:
            with connect() as one:
                one.sendall(head)
                one.recv(100)
        except OSError:
            pass


def trickle():
    """Twenty requests, a byte of each in a tenth of a second."""
    clients = []
    while not over.wait(0.1):
        try:
            while len(clients) < 20:
                clients.append(connect())
                clients[-1].sendall(b"GET /metrics HTTP/1.1\r\nHost: ")
        except OSError:
            pass
        for one in list(clients):
            try:
                one.send(b"a")
            except OSError:
                clients.remove(one)


def probe():
    while not over.wait(0.2):
        start = time.monotonic()
        try:
            with connect() as one:
                one.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                ready = one.recv(100).startswith(b"HTTP/1.1 200")
        except OSError:
            ready = False
        probes.append(time.monotonic() - start if ready else 60.0)


parts = [threading.Thread(target=part) for part in (hold, shout, trickle, probe)]
for part in parts:
    part.start()
sys.stdin.read()
over.set()
for part in parts:
    part.join()
print(json.dumps({"probes": probes, "opened": opened}))
