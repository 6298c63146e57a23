#!/usr/bin/env python3
"""Lists the public API of the library from its symbol graphs: a file a module, a line a symbol.

    Tests/API/list.py GRAPHS FOLDER            compares with FOLDER, exits 1 where they differ
    Tests/API/list.py GRAPHS FOLDER --write    writes FOLDER anew

`bin/docs` makes the graphs and compares, `bin/docs --api` writes. A change of these files is a
change of what users compile against: read it before it is committed."""
import collections
import difflib
import json
import pathlib
import sys


def declaration(symbol):
    """As it is written, without attributes' line breaks and with one space between words."""
    text = "".join(part["spelling"] for part in symbol["declarationFragments"])
    return " ".join(text.split())


def members(graphs):
    """The lines of each module; what it adds to another module's types, too."""
    found = collections.defaultdict(set)
    for path in sorted(graphs.glob("*.symbols.json")):
        module = path.name.removesuffix(".symbols.json").partition("@")[0]
        for symbol in json.loads(path.read_text())["symbols"]:
            place = symbol["pathComponents"]
            found[module].add((tuple(place[:-1]), declaration(symbol)))
    return {module: sorted(lines) for module, lines in found.items()}


def text(lines):
    """Grouped by the type that a symbol belongs to."""
    groups = collections.defaultdict(list)
    for place, line in lines:
        groups[".".join(place)].append(line)
    parts = []
    for place in sorted(groups):
        parts.append((f"{place}\n" if place else "") + "".join(
            f"{'    ' if place else ''}{line}\n" for line in groups[place]))
    return "\n".join(parts)


def main():
    graphs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    wanted = {f"{module}.txt": text(lines) for module, lines in members(graphs).items()}
    if not wanted:
        sys.exit(f"no symbol graph in {graphs}")
    if "--write" in sys.argv[3:]:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()
        for name, lines in wanted.items():
            (folder / name).write_text(lines)
        return
    there = {path.name: path.read_text() for path in folder.glob("*.txt")}
    changed = False
    for name in sorted(wanted.keys() | there.keys()):
        old, new = there.get(name, ""), wanted.get(name, "")
        if old == new:
            continue
        changed = True
        sys.stderr.writelines(difflib.unified_diff(
            old.splitlines(True), new.splitlines(True), f"{folder}/{name}", "what is built", n=1))
    if changed:
        sys.exit("the public API is not what is written down; if that is meant: bin/docs --api")


main()
