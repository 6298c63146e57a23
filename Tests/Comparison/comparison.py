"""Findings of several tools, side by side."""
import collections
import dataclasses
import urllib.parse


def plain(url):
    """One spelling for a URL, without the port, which is another at each run."""
    parts = urllib.parse.urlsplit(url)
    path = urllib.parse.quote(urllib.parse.unquote(parts.path), safe="/%:@!$&'()*+,;=~")
    query = f"?{parts.query}" if parts.query else ""
    host = "" if parts.hostname == "127.0.0.1" else f"{parts.scheme}://{parts.netloc}"
    return host + path + query


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    """That a page refers to something which isn't there: once, however often it does."""
    kind: str
    target: str
    fragment: str
    page: str

    @staticmethod
    def of(page, target, fragment, code):
        kind = "missing fragment" if code == "missingFragment" else "broken"
        name = urllib.parse.unquote(fragment or "")
        return Finding(kind, plain(target), name, plain(page))

    @property
    def name(self):
        return self.target + (f"#{self.fragment}" if self.fragment else "")


class Lists:
    """Which tool says what."""

    def __init__(self, by_tool, reached):
        """`reached`: the pages that links lead to."""
        self.tools = list(by_tool)
        self.reached = {plain(page) for page in reached}
        self.said = collections.defaultdict(set)
        for tool, findings in by_tool.items():
            for finding in findings:
                self.said[finding].add(tool)

    def _who(self, finding):
        who = " + ".join(tool for tool in self.tools if tool in self.said[finding])
        return who if finding.page in self.reached else f"{who}, on pages that no link leads to"

    def text(self):
        """How many each group of tools agrees on; of what not all say, each target."""
        groups = collections.defaultdict(list)
        for finding in sorted(self.said):
            groups[self._who(finding)].append(finding)
        lines = ["  findings, a page and a target each:"]
        for who, findings in sorted(groups.items(), key=lambda group: -len(group[1])):
            lines.append(f"    {len(findings):6} {who}")
        everybody = " + ".join(self.tools)
        for who, findings in sorted(groups.items()):
            if who != everybody:
                lines += ["", f"  only {who}:", *self._targets(findings)]
        return "\n".join(lines)

    @staticmethod
    def _targets(findings):
        pages = collections.defaultdict(list)
        for finding in findings:
            pages[finding.kind, finding.name].append(finding.page)
        for (kind, name), places in sorted(pages.items()):
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            yield f"    {kind}: {name}\n        at {places[0]}{more}"

    def everything(self):
        """A line for each finding."""
        return "".join(
            f"{self._who(finding)}\t{finding.kind}\t{finding.name}\t{finding.page}\n"
            for finding in sorted(self.said))
