"""The sites that are watched, and who hears of them."""
import base64
import hashlib
import hmac
import http.server
import json
import re
import subprocess
import threading

SECRET = "kanary-of-the-loop"


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        """Whoever is killed leaves connections broken."""


class Sites:
    """Each has a first page that refers to the others; which of them are missing is ours to say."""

    def __init__(self, count, pages, at=("127.0.0.1", 0), name="127.0.0.1"):
        self.count, self.pages, self.broken, self.name = count, pages, set(), name
        sites = self

        class Answer(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                match = re.fullmatch(r"/s(\d+)/(?:p(\d+))?", self.path)
                is_there = match and int(match[1]) < sites.count
                if is_there and match[2]:
                    is_there = self.path not in sites.broken
                links = "".join(
                    f"<a href=p{n}>{n}</a>\n" for n in range(sites.pages)) if is_there else ""
                body = f"<!doctype html><title>s</title>{links}".encode()
                self.send_response(200 if is_there else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", len(body))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = Server(at, Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, site):
        return f"http://{self.name}:{self.server.server_address[1]}/s{site}/"

    def path(self, site, page):
        return f"/s{site}/p{page}"

    def broken_urls(self, site):
        return {self.url(site) + path.rsplit("/", 1)[1]
                for path in list(self.broken) if path.startswith(f"/s{site}/")}


class Told:
    """A notice as one of the sinks got it."""

    def __init__(self, notice, body, check):
        self.notice, self.body, self.check = notice, body, check


class Hook:
    """Takes what is posted, and remembers it. Every fifth answer is lost: it comes again."""

    def __init__(self, loses, at=("127.0.0.1", 0), name="127.0.0.1"):
        self.told, self.wrong, self.count = [], [], 0
        hook = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                told = json.loads(body)
                hook.told.append(Told(told["id"], body, told.get("check")))
                if not hook.is_signed(self.headers["Tenure-Signature"], body):
                    hook.wrong.append(f"{told['id']}: not signed")
                if self.headers["Tenure-Notice"] != told["id"]:
                    hook.wrong.append(f"{told['id']}: another id in its header")
                hook.count += 1
                if loses and hook.count % 5 == 0:
                    return self.connection.close()
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = Server(at, Answer)
        self.url = f"http://{name}:{self.server.server_address[1]}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def is_signed(header, body):
        fields = dict(part.split("=", 1) for part in (header or "").split(",") if "=" in part)
        text = fields.get("t", "").encode() + b"." + body
        signed = hmac.new(SECRET.encode(), text, hashlib.sha256).hexdigest()
        return hmac.compare_digest(signed, fields.get("v1", ""))


class Post:
    """The mail server of Tests/Mail, whose log is what has arrived."""

    def __init__(self, python, script, log, before, arguments, name="127.0.0.1"):
        open(log, "w").close()
        self.log = log
        self.process = subprocess.Popen(
            [*before, python, script, "--log", log, *arguments], stdout=subprocess.PIPE, text=True)
        self.url = f"smtp://{name}:{int(self.process.stdout.readline())}"

    @property
    def told(self):
        with open(self.log) as file:
            mails = [json.loads(line) for line in file if line.endswith("\n")]
        found = []
        for mail in mails:
            check = re.search(r"^check (\S+), notice (\S+)$", mail["text"], re.M)
            told = Told(mail["headers"]["tenure-notice"], base64.b64decode(mail["raw"]),
                        check and check[1])
            if told.notice not in mail["headers"]["message-id"]:
                raise RuntimeError(f"{told.notice}: another id in its header")
            found.append(told)
        return found

    def stop(self):
        self.process.kill()
        self.process.wait()
