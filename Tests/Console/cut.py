"""A connection to the server that breaks at the worst moments, one verb at a time."""
import html
import itertools
import socket
import threading
import urllib.parse
import uuid

from once import DOUBT, VERBS, Ledger, Verb, gist
from pair import Console
from people import Browser
from world import TOKEN

# What a server says last of all to a backend that somebody ends.
FATAL = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"
READY = b"Z\0\0\0\5"


class Proxy:
    """Between the console and its server."""

    def __init__(self, target):
        self.target, self.way, self.marks, self.met = target, None, (), None
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def arm(self, way, *marks):
        """Breaks the first connection on which one of the marks is sent: before the request has
        arrived, before its answer has, or when the next one is sent, as a backend that is ended.
        """
        self.way, self.marks, self.met = way, marks, None

    def serve(self):
        while True:
            client = self.server.accept()[0]
            server = socket.create_connection(("127.0.0.1", self.target))
            for target in (self.pass_on, self.pass_back):
                threading.Thread(target=target, args=(client, server), daemon=True).start()

    def pass_on(self, client, server):
        try:
            while data := client.recv(1 << 20):
                if self.way == "next" and self.met:
                    self.way = None
                    client.sendall(b"E" + (len(FATAL) + 4).to_bytes(4, "big") + FATAL)
                    break
                if self.way and any(mark in data for mark in self.marks):
                    self.met = client
                    if self.way == "request":
                        break
                server.sendall(data)
        except OSError:
            pass
        self.close(client, server)

    def pass_back(self, client, server):
        try:
            while data := server.recv(1 << 20):
                if self.way == "answer" and self.met is client:
                    if data[-6:-1] == READY:
                        break  # it is done, whatever it was
                    continue
                client.sendall(data)
        except OSError:
            pass
        self.close(client, server)

    @staticmethod
    def close(*ends):
        for one in ends:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def marks(verb):
    """What stands in what is sent for it: the job's id, as text or as bytes."""
    return [verb.job.encode(), uuid.UUID(verb.job).bytes] if verb.job else [b"COMMIT"]


def judge(pair, database):
    """Each verb, as a form and as a program, at each such moment; then the same form once more."""
    proxy, wrong, answers = Proxy(pair.ports[0]), [], {}
    through = pair.database_at("console", proxy.port)
    console = Console(through, *Console.PROXY, TENURE_WEB_TOKEN=TOKEN)
    ways = ("request", "answer", "next")
    for way, name, as_form in itertools.product(ways, VERBS, (True, False)):
        verb = Verb(database, name, f"{name}-cut-{way}-{as_form}")
        if as_form:
            browser = Browser(console.port, X_Remote_User=verb.mark)
            verb.open(browser)
        proxy.arm(way, *marks(verb))
        verb.send(console.port, as_form)
        if not proxy.met:
            wrong.append(f"{verb.mark}: nothing was cut")
        proxy.arm(None)
        ledger = Ledger(database)
        answers[way, name] = verb.answer[0], verb.done(ledger)[0]
        wrong += verb.wrong(ledger)
        if way != "next" and verb.answer[0] != 503:
            wrong.append(f"{verb.mark} is answered {verb.answer[0]}")
        # What was in doubt and is asked for again by the same form.
        if as_form and way == "answer":
            verb.send(console.port, as_form)
            count, noted = verb.done(Ledger(database))
            if (count, noted) != (1, 1):
                wrong.append(f"the same form again: {verb.mark} is done {count} times, noted "
                             f"{noted} times, and answered {verb.answer[0]}")
    print(f"  cut: (status, times done) {answers}")
    wrong += chosen(database, proxy, console)
    console.web.stop()
    return wrong


def chosen(database, proxy, console):
    """Three that are chosen, of which the first is done when the connection breaks."""
    verbs = [Verb(database, "cancel", f"chosen-{number}") for number in range(3)]
    browser = Browser(console.port, Authorization=f"Bearer {TOKEN}")
    proxy.arm("next", *marks(verbs[0]))
    status, text, _ = browser.ask(
        "/jobs/cancel", "POST", urllib.parse.urlencode([("job", one.job) for one in verbs]))
    proxy.arm(None)
    count = sum(verb.done(Ledger(database))[0] for verb in verbs)
    if status == 503 and count and DOUBT not in html.unescape(text):
        return [f"of three that were chosen {count} are done, and the answer tells of a refusal: "
                f"{gist(html.unescape(text))}"]
    return []
