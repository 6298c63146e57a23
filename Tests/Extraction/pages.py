"""The public sets, as a person has placed them, and what each expects of a page."""
import dataclasses
import json
import pathlib
import typing

import scores


@dataclasses.dataclass
class Page:
    name: str
    path: pathlib.Path
    expected: typing.Any


@dataclasses.dataclass
class Set:
    name: str
    measure: type
    pages: list
    # The pages were written down again in UTF-8, whatever they say of themselves.
    is_utf8: bool = False


def readability(folder):
    pages = []
    for source in sorted(folder.glob("test/test-pages/*/source.html")):
        expected = (source.parent / "expected.html").read_text("utf-8")
        pages.append(Page(source.parent.name, source, expected))
    return Set("readability", scores.Shares, pages, is_utf8=True)


def trafilatura(folder):
    tests = folder / "tests"
    listed = json.loads((tests / "evaldata.json").read_text("utf-8"))
    pages = []
    for url, expected in sorted(listed.items()):
        # Where both have a page, the first is the one that its own evaluation reads.
        paths = [tests / part / expected["file"] for part in ("cache", "eval")]
        pages.append(Page(url, next(path for path in paths if path.is_file()), expected))
    return Set("trafilatura", scores.Segments, pages)


READERS = {"readability": ("test/test-pages", readability, "mozilla/readability"),
           "trafilatura": ("tests/evaldata.json", trafilatura, "adbar/trafilatura")}
