"""Builds each example as a package of its own, by the manifest in its README."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time

from pages import ROOT, blocks, checkout, write

# Examples/PostgresNIO takes a package that can't be had here.
EXAMPLES = ("First", "Shop", "Orders", "Web")


def manifest(name):
    for language, _, text in blocks(f"Examples/{name}/README.md"):
        if language == "swift" and text.startswith("// swift-tools-version"):
            return text
    raise RuntimeError(f"Examples/{name}/README.md has no manifest")


def copy_sources(name, folder, text):
    target = re.search(r"executableTarget\(\s*name: \"([^\"]+)\"", text)[1]
    place = f"{folder}/Sources/{target}"
    os.makedirs(place)
    own = os.path.join(ROOT, "Examples", name)
    for one in os.listdir(own):
        if one.endswith(".swift"):
            shutil.copy(f"{own}/{one}", place)
    for tests in re.findall(r"testTarget\(\s*name: \"([^\"]+)\"", text):
        write(f"{folder}/Tests/{tests}/Empty.swift", "import Testing\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", required=True)
    work = os.path.abspath(parser.parse_args().work)
    checkout(f"{work}/tenure")
    for name in EXAMPLES:
        folder = f"{work}/{name.lower()}"
        text = manifest(name)
        write(f"{folder}/Package.swift", text)
        copy_sources(name, folder, text)
        began = time.monotonic()
        # What the libraries compile to is the same for all of them.
        build = subprocess.run(
            ["swift", "build", "--package-path", folder, "--scratch-path", f"{work}/build"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if build.returncode:
            print(build.stdout[-4000:])
            print(f"✘ the manifest of Examples/{name}")
            return 1
        seconds = time.monotonic() - began
        print(f"  ✔ the manifest of Examples/{name}, {seconds:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
