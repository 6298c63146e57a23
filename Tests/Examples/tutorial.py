"""Does docs/tutorial.md by its word: writes each file, runs each command in one shell, what is to
run `beside` in another, and looks what came of it. What is to be built `beforehand` is there.

There is no systemd: `sudo` is a stand-in that puts files below a folder of its own, has systemd
verify the unit where it is installed, and starts and ends the unit's commands as that would."""
import argparse
import os
import re
import subprocess
import sys
import time

from pages import blocks, checkout, write

SUDO = r'''#!/usr/bin/env bash
set -euo pipefail
root=$TUTORIAL_ROOT unit=$TUTORIAL_ROOT/etc/systemd/system/thumbnails.service
value() { sed -n "s/^$1=//p" "$unit"; }
case "$1 $2" in
    "install -m")
        exec install -D "${@:2:$#-2}" "$root${!#}"
        ;;
    "systemctl daemon-reload")
        command -v systemd-analyze >/dev/null || exit 0
        mkdir -p "$root/verified"
        sed -E "s|^(ExecStart(Pre)?=)|\1$root|" "$unit" >"$root/verified/thumbnails.service"
        systemd-analyze verify "$root/verified/thumbnails.service" 2>&1 | tee "$root/verified/said"
        [[ ! -s $root/verified/said ]]
        ;;
    "systemctl enable")
        set -a
        source "$root$(value EnvironmentFile)"
        set +a
        read -ra before <<<"$(value ExecStartPre)"
        read -ra start <<<"$(value ExecStart)"
        "$root${before[0]}" "${before[@]:1}"
        ({
            code=0
            "$root${start[0]}" "${start[@]:1}" &
            echo $! >"$root/pid"
            wait $! || code=$?
            echo "$code" >"$root/code"
        } >"$root/log" 2>&1 &)
        ;;
    "systemctl stop")
        kill -TERM "$(<"$root/pid")"
        for _ in {1..450}; do
            [[ ! -f $root/code ]] || exit "$(<"$root/code")"
            sleep 0.1
        done
        exit 1
        ;;
    *)
        echo "sudo $*: unknown here" >&2
        exit 1
        ;;
esac
'''

# What a command of the page has to have printed, in this order.
EXPECTED = [
    r"Test run with 2 tests.* passed",
    r"make-thumbnail +available +default +picture-7",
    r"superseded",
    r"make-thumbnail +completed",
    r" worker .* live",
    r"make-thumbnail +completed +default +picture-9",
]


def script(parts, work):
    """The page as one script of a shell."""
    lines = ["set -euo pipefail", f"cd {work}"]
    written = 0
    for language, words, text in parts:
        if language == "sh" and words == "beside":
            lines += [
                f"({{\n{text}}} >{work}/beside.log 2>&1 & echo $! >{work}/beside.pid)",
                "for _ in {1..300}; do grep -q '^console: ' " + f"{work}/beside.log && break; "
                "sleep 0.2; done", f"grep '^console: ' {work}/beside.log"]
        elif language == "sh" and words == "beforehand":
            continue
        elif language == "sh":
            lines += [f"echo {sh_quoted('$ ' + line)}\n{line}" for line in text.splitlines()]
        else:
            if not words:
                raise RuntimeError(f"a block of {language} without the name of a file")
            name = f"{work}/files/{written}"
            write(name, text)
            written += 1
            lines.append(f'mkdir -p "$(dirname {words})" && cp {name} {words}')
    return "\n".join(lines) + "\n"


def sh_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def look_at_console(work):
    """The link lets one in, and the key's page has both jobs."""
    with open(f"{work}/beside.log") as file:
        link = re.search(r"^console: (\S+)$", file.read(), re.M)[1]
    cookies = f"{work}/cookies"
    page = re.match(r"https?://[^/]+", link)[0] + "/keys?kind=make-thumbnail&key=picture-7"
    for url in (link, page):
        text = subprocess.run(
            ["curl", "--silent", "--fail", "--location", "-b", cookies, "-c", cookies, url],
            check=True, stdout=subprocess.PIPE, text=True).stdout
    for word in ("superseded", "completed"):
        if word not in text:
            raise RuntimeError(f"the console's page of the key doesn't say {word}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tenure", required=True)
    parser.add_argument("--work", required=True)
    given = parser.parse_args()
    work = os.path.abspath(given.work)
    checkout(f"{work}/tenure")
    os.makedirs(f"{work}/tenure/.build/debug")
    os.symlink(os.path.realpath(given.tenure), f"{work}/tenure/.build/debug/tenure")
    write(f"{work}/bin/sudo", SUDO)
    os.chmod(f"{work}/bin/sudo", 0o755)
    write(f"{work}/script", script(blocks("docs/tutorial.md"), work))
    environment = {
        name: value for name, value in os.environ.items()
        if not name.startswith(("TENURE_", "PG")) and name != "DATABASE_URL"}
    environment |= {
        "PATH": f"{work}/bin:" + environment["PATH"], "TUTORIAL_ROOT": f"{work}/root"}
    began = time.monotonic()
    try:
        with open(f"{work}/out", "w") as out:
            code = subprocess.run(
                ["bash", f"{work}/script"], env=environment, stdout=out,
                stderr=subprocess.STDOUT).returncode
        with open(f"{work}/out") as out:
            text = out.read()
        if code:
            print(text[-4000:])
            return code
        place = 0
        for wanted in EXPECTED:
            found = re.compile(wanted, re.M).search(text, place)
            if not found:
                print(text[-4000:])
                raise RuntimeError(f"nothing printed {wanted} where it should")
            place = found.end()
        look_at_console(work)
    finally:
        if os.path.exists(f"{work}/beside.pid"):
            with open(f"{work}/beside.pid") as file:
                end_group(int(file.read()))
    print(f"  ✔ docs/tutorial.md, in {time.monotonic() - began:.0f} s, with both builds")
    return 0


def end_group(shell):
    """The shell that runs what is beside, and its child."""
    subprocess.run(["pkill", "-TERM", "-P", str(shell)])
    for _ in range(100):
        if not os.path.exists(f"/proc/{shell}"):
            return
        time.sleep(0.1)
    subprocess.run(["pkill", "-KILL", "-P", str(shell)])


if __name__ == "__main__":
    sys.exit(main())
