"""The folders that are checked."""
import html

# Texts that would like to be something else wherever they are printed.
HOSTILE = [
    "<script>alert(1)</script>", "]]><!-- -->", "\u009b1m", "::error::x", "##[error]x",
    "\"'&amp;", "a\n::set-output name=x::y", "\u202etxt.exe\u2066", "100%25%0A,:;",
    "{0} [link](javascript:alert(1))", "=cmd|' /C calc'!A0", "javascript:alert(1)",
    "e\u0301\u0301", "שלום عربى", "x" * 100_000, "<img src=https://other.test/x>", "\u200b\u00ad",
]
# What stands in links, as a page has it; each is a finding.
LINKS = [
    "a b", "a|b", "a[1]", "a%zz", "a%00b", "%E2%80%AE.html", "x?a=\"b\"&c='d'", "x#a#b",
    "index.html#%ff", "index.html#]]>", "index.html#:~x", "http://[bad", "http://a b/", "https://",
    "x::error::y", "x,y:z", "x\u202ey", "{x}", "\\x", "x" * 3000, "-->.html", "'\"><b>x</b>",
]


def page(body, title="x"):
    return f"<!doctype html><meta charset=utf-8><title>{title}</title><p id=top>{body}"


def few():
    """One hard, one soft, one missing anchor; one that is mended later, and one that comes."""
    body = '<img src="gone.png"> <a href="guide/a.html#nope">no</a> <a href="old.html">old</a>'
    guide = '<a href="../missing.html">m</a> <a href="../drafts/b.html">draft</a>'
    return {"index.html": page(f'{body} <a href="guide/a.html">a</a>'), "guide/a.html": page(guide)}


def many(count):
    pages = {}
    each = 50
    for number in range(count // each):
        links = [f'<a href="../gone/{number}-{link}.html">link {link}</a>' for link in range(each)]
        pages[f"part{number % 7}/page{number}.html"] = page("\n".join(links))
    return pages


def hostile():
    texts = [
        f'<a href="gone{index}" title="{html.escape(text)}">{html.escape(text)}</a>'
        for index, text in enumerate(HOSTILE)]
    links = [f'<a href="{html.escape(link)}">{index}</a>' for index, link in enumerate(LINKS)]
    body = "\n".join(texts + links)
    return {
        "index.html": page(body, "</title><script>"), "a,b:c%.html": page(body),
        "::error::f.html": page('<a href="gone-too">x</a>'), "it's \"f\" & <b>.html": page(body),
        "]]>\u202e.html": page(body)}


def write(folder, pages):
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
