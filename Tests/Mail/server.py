#!/usr/bin/env python3
"""A mail server for tests, on 127.0.0.1 unless told else: aiosmtpd, with faults to order.

    server.py --log FILE [--host H] [--port N] [--tls starttls|implicit --cert FILE --key FILE]
              [--login USER:PASSWORD] [--fault NAME [--times N]]

Prints its port in a line. What it takes is a line of JSON in the log, as Python's own parser of
mail reads it; `taken` says whether the client was told so.
"""
import argparse, asyncio, base64, email, email.policy, json, logging, ssl, time

from aiosmtpd.smtp import SMTP, AuthResult

FAULTS = {
    "greeting": ["421 4.3.2 busy", "hang"],
    "mail": ["550 5.7.1 not from you", "450 4.7.1 later"],
    "rcpt": ["550 5.1.1 nobody here", "451 4.7.1 greylisted", "421 4.3.2 going down"],
    "data": ["554 5.7.1 looks like spam", "452 4.3.1 full", "hang", "close"],
    "quit": ["hang", "close"],
}


class Handler:
    def __init__(self, options):
        self.options = options
        self.left = options.times
        self.log = open(options.log, "a")

    def fault(self, place):
        """What goes wrong here, such as `550 …`; None for nothing."""
        name = self.options.fault
        if not name or not name.startswith(place + " ") or self.left == 0:
            return None
        self.left -= 1
        return name[len(place) + 1:]

    async def handle_MAIL(self, server, session, envelope, address, options):
        fault = self.fault("mail")
        if fault:
            return fault
        envelope.mail_from = address
        return "250 2.1.0 fine"

    async def handle_RCPT(self, server, session, envelope, address, options):
        fault = self.fault("rcpt")
        if fault:
            return fault
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 fine"

    async def handle_DATA(self, server, session, envelope):
        fault = self.fault("data")
        self.note(server, session, envelope, fault is None)
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault == "close":
            server.transport.abort()
        return fault or "250 2.0.0 taken"

    async def handle_QUIT(self, server, session, envelope):
        fault = self.fault("quit")
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault == "close":
            server.transport.abort()
        return "221 2.0.0 farewell"

    def note(self, server, session, envelope, taken):
        raw = envelope.content
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        self.log.write(json.dumps({
            "at": time.time(), "taken": taken, "sender": envelope.mail_from,
            "recipient": envelope.rcpt_tos[0],
            "encrypted": server.transport.get_extra_info("sslcontext") is not None,
            "user": session.auth_data.decode() if session.authenticated else None,
            "headers": {name.lower(): str(value) for name, value in mail.items()},
            "text": mail.get_content().replace("\r\n", "\n"),
            "longest": max(len(line) for line in raw.split(b"\r\n")),
            "defects": [str(defect) for defect in mail.defects],
            "raw": base64.b64encode(raw).decode(),
        }) + "\n")
        self.log.flush()


class Server(SMTP):
    async def _handle_client(self):
        fault = self.event_handler.fault("greeting")
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault:
            await self.push(fault)
            return self.transport.close()
        await super()._handle_client()


def context(options):
    if not options.tls:
        return None
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(options.cert, options.key)
    return made


async def main():
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # connections that break are orders
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--tls", choices=["starttls", "implicit"])
    parser.add_argument("--cert")
    parser.add_argument("--key")
    parser.add_argument("--login")
    parser.add_argument("--fault")
    parser.add_argument("--times", type=int, default=-1)
    options = parser.parse_args()
    known = [f"{place} {fault}" for place, faults in FAULTS.items() for fault in faults]
    if options.fault and options.fault not in known:
        parser.error(f"--fault: give one of {known}")
    handler, tls = Handler(options), context(options)

    def login(server, session, envelope, mechanism, data):
        given = f"{data.login.decode()}:{data.password.decode()}"
        return AuthResult(
            success=given == options.login, handled=False, auth_data=data.login)

    def server():
        return Server(
            handler, hostname="mail.test", ident="tests", enable_SMTPUTF8=False,
            tls_context=tls if options.tls == "starttls" else None, require_starttls=False,
            authenticator=login if options.login else None, auth_require_tls=False,
            auth_required=bool(options.login))

    listening = await asyncio.get_running_loop().create_server(
        server, options.host, options.port, ssl=tls if options.tls == "implicit" else None)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await listening.serve_forever()


asyncio.run(main())
