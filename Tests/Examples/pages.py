"""What the examples' tests read of a page, and the checkout that packages depend on."""
import os
import re
import subprocess

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def blocks(page):
    """The fenced blocks of a page: the language, the words behind it, the text."""
    with open(os.path.join(ROOT, page)) as file:
        text = file.read()
    return [(match[1], match[2].strip(), match[3])
            for match in re.finditer(r"^```(\w+)(.*)\n((?:.*\n)*?)```$", text, re.M)]


def checkout(folder):
    """What lies in the working tree now, by the name that a manifest gives it."""
    os.makedirs(folder)
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
        stdout=subprocess.PIPE).stdout.split(b"\0")
    there = b"\0".join(one for one in names if one and os.path.lexists(os.path.join(
        ROOT, one.decode())))
    copy = subprocess.Popen(
        ["tar", "--create", "--null", "--files-from=-"], cwd=ROOT, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE)
    unpack = subprocess.Popen(["tar", "--extract", "-C", folder], stdin=copy.stdout)
    copy.stdin.write(there)
    copy.stdin.close()
    if copy.wait() or unpack.wait():
        raise RuntimeError("the working tree could not be copied")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
