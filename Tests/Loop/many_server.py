"""Many hosts on addresses of their own, in one process; each arrival is a line of a log."""
import asyncio
import sys
import time

PAGES = 10


def address(host):
    return f"127.1.{host // 250}.{host % 250 + 1}"


class Hosts:
    def __init__(self, log, slow):
        self.log, self.slow = open(log, "w", buffering=1), slow

    async def serve(self, host, reader, writer):
        try:
            while line := await reader.readline():
                arrived = time.time()
                method, path, _ = line.decode("latin-1").split(" ", 2)
                name = b""
                while (field := await reader.readline()) not in (b"\r\n", b""):
                    if field.lower().startswith(b"host:"):
                        name = field[5:].strip()
                # Some hosts are slower than their interval is long: requests overlap there.
                await asyncio.sleep(self.slow if host % 10 == 0 else 0.02)
                status, body = self.answer(path, f"http://{name.decode('latin-1')}")
                kind = {"xml": "application/xml", "txt": "text/plain"}.get(
                    path.rsplit(".", 1)[-1], "text/html")
                writer.write(
                    f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}"
                    "\r\n\r\n".encode() + (b"" if method == "HEAD" else body))
                self.log.write(f"{host} {arrived:.6f} {time.time():.6f} {path}\n")
                await writer.drain()
        except (ConnectionError, ValueError):
            pass  # whoever asks may go at any time
        finally:
            writer.close()

    @staticmethod
    def answer(path, origin):
        """Two sites a host, whose first page leads to nine others, and whose sitemaps name them;
        some pages change by the minute."""
        if path == "/robots.txt":
            return "200 OK", "".join(
                f"Sitemap: {origin}/{site}/map.xml\n" for site in "ab").encode()
        parts = path.split("/")
        if len(parts) == 3 and parts[2] == "map.xml":
            urls = "".join(f"<url><loc>{origin}/{parts[1]}/p{n}</loc></url>"
                           for n in range(1, PAGES))
            return "200 OK", f"<urlset>{urls}</urlset>".encode()
        if len(parts) != 3 or parts[1] not in ("a", "b") or parts[2] not in (
                "", *(f"p{n}" for n in range(1, PAGES))):
            return "404 Not Found", b"<title>no</title>"
        page = int(parts[2][1:] or 0) if parts[2] else 0
        links = "".join(f"<a href=p{n}>{n}</a>" for n in range(1, PAGES)) if page == 0 else ""
        minute = int(time.time() / 60 / page) if page > 6 else 0
        return "200 OK", (f"<!doctype html><title>{path} {minute}</title>"
                          f"<p>Some words of {path}, {minute}.</p>{links}").encode()


async def main(count, log, slow):
    hosts = Hosts(log, slow)
    first = await asyncio.start_server(
        lambda r, w: hosts.serve(0, r, w), address(0), 0, backlog=64)
    port = first.sockets[0].getsockname()[1]
    servers = [first] + [
        await asyncio.start_server(lambda r, w, h=host: hosts.serve(h, r, w), address(host), port,
                                   backlog=64)
        for host in range(1, count)]
    print(port, flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3])))
