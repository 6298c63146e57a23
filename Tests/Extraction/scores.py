"""How an extracted text is judged, by each set's own measure."""
import collections
import dataclasses
import hashlib
import html.parser
import re

INLINE = set("a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span "
             "strike strong sub sup time tt u var wbr".split())
WORD = re.compile(r"[\u0e00-\u0e2f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|"
                  r"[^\W\u0e00-\u0e2f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
SHINGLE = 4


def is_tuned_on(name):
    """Which half a page is in: rules are looked for on one half, and judged by the other."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


class TextOfHTML(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts = []
        self.hidden = 0

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "style"):
            self.hidden += 1
        if tag not in INLINE:
            self.parts.append(" ")

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.hidden = max(0, self.hidden - 1)
        if tag not in INLINE:
            self.parts.append(" ")

    def handle_data(self, data):
        if not self.hidden:
            self.parts.append(data)


def text_of_html(source):
    reader = TextOfHTML()
    reader.feed(source)
    reader.close()
    return "".join(reader.parts)


def shingles(text):
    """Runs of four words, with how often each comes; of a shorter text the whole."""
    words = WORD.findall(text.lower())
    runs = range(max(1, len(words) - SHINGLE + 1)) if words else range(0)
    return collections.Counter(tuple(words[i:i + SHINGLE]) for i in runs)


@dataclasses.dataclass
class Shares:
    """Of the runs of four words, by page: how many of ours are expected, and of the expected
    ours. Each page counts as much as any other."""
    rows: list = dataclasses.field(default_factory=list)
    names = ("precision", "recall", "F1")

    def add(self, expected, text):
        wanted, found = shingles(text_of_html(expected)), shingles(text)
        both = sum((wanted & found).values())
        precision = both / found.total() if found else float(not wanted)
        recall = both / wanted.total() if wanted else 1.0
        total = precision + recall
        self.rows.append((precision, recall, 2 * precision * recall / total if total else 0.0))
        return self.rows[-1][2]

    def scores(self):
        return [sum(column) / len(self.rows) for column in zip(*self.rows)]


def one_spaced(text):
    return re.sub(r"\s+", " ", text).strip()


@dataclasses.dataclass
class Segments:
    """Segments that have to be there, and that must not be, counted over all pages together."""
    found: int = 0
    missed: int = 0
    wrong: int = 0
    kept_out: int = 0
    names = ("precision", "recall", "F1", "accuracy")

    def add(self, expected, text):
        text = one_spaced(text)
        found = sum(one_spaced(segment) in text for segment in expected["with"])
        wrong = sum(one_spaced(segment) in text for segment in expected["without"])
        missed, kept_out = len(expected["with"]) - found, len(expected["without"]) - wrong
        self.found, self.missed = self.found + found, self.missed + missed
        self.wrong, self.kept_out = self.wrong + wrong, self.kept_out + kept_out
        return (found + kept_out) / (found + missed + wrong + kept_out)

    def scores(self):
        precision = self.found / max(1, self.found + self.wrong)
        recall = self.found / max(1, self.found + self.missed)
        f1 = 2 * self.found / max(1, 2 * self.found + self.wrong + self.missed)
        total = self.found + self.missed + self.wrong + self.kept_out
        return [precision, recall, f1, (self.found + self.kept_out) / max(1, total)]
