"""Web servers that do what no server should. Each case has an address of its own, 127.9.x.y, and so
a host, a lane and a robots.txt of its own."""
import re
import socket
import threading
import time


class Request:
    def __init__(self, method, path, headers):
        self.method, self.path, self.headers = method, path, headers


def reply(status=200, headers=(), body=b"", version="HTTP/1.1", length=True, reason="Said"):
    """An answer as bytes; `headers` are pairs or lines."""
    lines = [f"{version} {status} {reason}".encode()]
    for one in headers:
        lines.append(one if isinstance(one, bytes) else f"{one[0]}: {one[1]}".encode("latin-1"))
    if length:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\nConnection: close\r\n\r\n" + body


def page(body, *headers):
    return reply(200, [("Content-Type", "text/html"), *headers], body)


class Hostile:
    """The servers of a front. A case is a function (request, socket) that writes what it likes; it
    may return bytes to be written."""

    def __init__(self):
        self.port, self.cases, self.asked, self.listeners = None, {}, {}, []
        self.lock, self.is_over, self.number = threading.Lock(), False, 0

    def add(self, case, robots=None):
        """The URL's beginning for this case."""
        self.number += 1
        address = f"127.9.{self.number // 250}.{self.number % 250 + 1}"
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, self.port or 0))
        self.port = listener.getsockname()[1]
        listener.listen(64)
        self.listeners.append(listener)
        threading.Thread(target=self.serve, args=(listener, address, case, robots),
                         daemon=True).start()
        return f"http://{address}:{self.port}"

    def serve(self, listener, address, case, robots):
        while not self.is_over:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection, address, case, robots),
                             daemon=True).start()

    def answer(self, connection, address, case, robots):
        try:
            with connection:
                connection.settimeout(30)
                request = self.read(connection)
                if not request:
                    return
                with self.lock:
                    self.asked[address] = self.asked.get(address, 0) + 1
                if request.path == "/robots.txt" and robots != "case":
                    connection.sendall(reply(200, [("Content-Type", "text/plain")], robots)
                                       if robots is not None else reply(404))
                    return
                given = case(request, connection)
                if given:
                    connection.sendall(given)
        except OSError:
            pass  # the other side has had enough

    @staticmethod
    def read(connection):
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more or len(data) > 1 << 20:
                return None
            data += more
        lines = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        method, path = (lines[0].split(" ") + ["", ""])[:2]
        headers = dict(re.findall(r"^([^:]+):\s*(.*)$", "\n".join(lines[1:]), re.M))
        return Request(method, path, {name.lower(): value for name, value in headers.items()})

    def close(self):
        self.is_over = True
        for listener in self.listeners:
            try:
                listener.shutdown(socket.SHUT_RDWR)  # wakes whoever accepts
            except OSError:
                pass
            listener.close()


def slowly(connection, data, pause, most):
    """Byte by byte, until nobody listens any more or the time is over."""
    end = time.monotonic() + most
    for byte in data:
        if time.monotonic() > end:
            return
        connection.sendall(bytes([byte]))
        time.sleep(pause)


def reset(connection):
    """Ends the connection with a reset instead of an end."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()
