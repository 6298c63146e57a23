"""nginx with a folder, on a port of its own of 127.0.0.1."""
import contextlib
import shutil
import socket
import subprocess
import sys
import time

CONFIGURATION = """
daemon off;
worker_processes 1;
pid {work}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3;
    uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
    include /etc/nginx/mime.types;
    access_log off;
    server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


@contextlib.contextmanager
def nginx(root, work):
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        sys.exit("nginx is missing; install nginx-light")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    configuration = work / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(work=work, port=port, root=root))
    server = subprocess.Popen([program, "-c", str(configuration), "-e", "stderr"])
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()
