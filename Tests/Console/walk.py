"""The console in a real browser."""
import pathlib
import time

import axe_playwright_python

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
VIEWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
# Pictures of these are in the docs.
PICTURES = {"/": "overview", "/jobs": "jobs", "/workers": "workers", "/sites": "sites"}


def paths(world):
    """Every page, with something on it."""
    def first(statement):
        return world.database.query(statement)[0][0]
    site, check = first("SELECT id FROM content.site"), first("SELECT id FROM content.site_check")
    item = first("SELECT id FROM content.item WHERE version > 0")
    url = first("SELECT url FROM content.site")
    session = world.database.query("SELECT id FROM tenure.session WHERE role = 'worker'")[0][0]
    return [
        "/", "/jobs", "/jobs?finished=1", "/jobs?queue=hostile", f"/jobs/{world.running}",
        f"/jobs/{world.failed}", f"/jobs/{world.later}", f"/jobs/{world.unworked}",
        "/jobs/enqueue", f"/jobs/{world.later}/edit", f"/jobs/find?id={world.later}",
        "/jobs/cancel?queue=hostile", "/queues", "/queues/default", "/queues/mail",
        "/queues/hostile", "/queues/reports", "/kinds", "/workers", f"/workers/{session}", "/keys",
        "/keys?kind=demo-sleep&key=site+7", "/batches", f"/batches/{check}", "/schedules", "/lanes",
        "/lanes?queue=hostile", "/statistics", "/statistics?since=7d",
        "/sites", f"/sites/{site}", f"/checks/{check}", "/links",
        "/links/ignore?target=a%2A&code=404",
        "/items", f"/items/{item}", f"/items/{item}/edit",
        f"/items/{item}/versions/1", "/actions?skip=1",
        "/explain", f"/explain?url={url}", "/impact", f"/impact?urls={url}", "/hosts", "/doctor"]


class Walker:
    def __init__(self, playwright, given, port, link):
        self.browser = playwright.chromium.launch(
            executable_path=given.browser,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        self.given, self.root = given, f"http://127.0.0.1:{port}"
        self.violations, self.looks, self.wrong = 0, 0, []
        context = self.browser.new_context()
        page = context.new_page()
        page.goto(link)
        if "Overview" not in page.title():
            self.wrong.append(f"the link leads to {page.title()}")
        self.cookies = context.cookies()
        context.close()

    def close(self):
        self.browser.close()

    def open(self, width=1280, scheme="light", **more):
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **more)
        context.set_default_timeout(60_000)
        context.add_cookies(self.cookies)
        page = context.new_page()
        page.on("console", lambda one: one.type == "error" and self.wrong.append(
            f"{page.url}: the console says {one.text[:200]}"))
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: an error: {error}"))
        page.on("dialog", lambda dialog: self.wrong.append(f"{page.url}: a dialog"))
        page.on("request", lambda request: request.url.startswith(self.root)
                or self.wrong.append(f"{page.url}: a request for {request.url[:200]}"))
        return page

    def look(self, paths, folder):
        for width, scheme in VIEWS:
            page = self.open(width, scheme)
            for number, path in enumerate(paths):
                page.goto(self.root + path)
                name = f"{path} at {width} {scheme}"
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    self.wrong.append(f"{name} is {wide} wide")
                if page.evaluate("window.pwned"):
                    self.wrong.append(f"{name} runs a script of somebody else's")
                if width == 1280 and scheme == "light":
                    (folder / f"page-{number:02}.html").write_text(page.request.get(
                        self.root + path).text())
                self.axe(page, name)
                if self.given.screenshots and path in PICTURES:
                    page.screenshot(
                        path=self.given.screenshots / f"{PICTURES[path]}-{width}-{scheme}.png")
            page.context.close()
        found, self.wrong = self.wrong, []
        return found

    def door(self, port, folder):
        """What those see who have to log in, and who have failed to."""
        for width, scheme in VIEWS:
            page = self.browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
            page.goto(f"http://127.0.0.1:{port}/jobs?state=held")
            for number in range(2):
                self.axe(page, f"the door at {width} {scheme}")
                (folder / f"page-door-{number}.html").write_text(page.content())
                page.get_by_label("Role of the database").fill(f"{width} {scheme} {number}")
                page.get_by_label("Its password").fill("wrong")
                with page.expect_navigation():
                    page.keyboard.press("Enter")
            if "is not right" not in page.locator(".notice").inner_text():
                self.wrong.append("a wrong password isn't told of")
            page.context.close()
        found, self.wrong = self.wrong, []
        return found

    def axe(self, page, name):
        result = page.evaluate(AXE + "\n;axe.run(document, {resultTypes: ['violations']})")
        self.looks += 1
        self.violations += len(result["violations"])
        self.wrong += [
            f"{name}: axe: {one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
            for one in result["violations"]]

    def press(self, page, button):
        """By keyboard: from the top with Tab until the button has the focus."""
        page.keyboard.press("Control+Home")
        page.evaluate("document.activeElement && document.activeElement.blur()")
        for _ in range(300):
            page.keyboard.press("Tab")
            text = page.evaluate("document.activeElement.textContent")
            if text.strip() == button and page.evaluate("document.activeElement.tagName") in (
                    "BUTTON", "A"):
                with page.expect_navigation():
                    page.keyboard.press("Enter")
                return True
        self.wrong.append(f"{page.url}: no key leads to “{button}”")
        return False

    def said(self, page, words):
        notice = page.locator(".notice").first
        text = notice.inner_text() if notice.count() else ""
        if words not in text:
            self.wrong.append(f"{page.url} says “{text}”, not “{words}”")

    def act(self, world):
        """Every verb, by keyboard alone, with scripts and without."""
        for scripts in (True, False):
            page = self.open(java_script_enabled=scripts)
            page.on("dialog", lambda dialog: dialog.dismiss())
            database = world.database
            job = database.enqueue("report", '{"of":"it"}', queue="reports")
            site = f"/sites/{database.query('SELECT id FROM content.site')[0][0]}"
            steps = [
                ("/queues/default", "Pause: start no more jobs", "Paused"),
                ("/queues/default", "Resume", "Resumed"),
                ("/kinds", "Pause", "Paused"), ("/kinds", "Resume", "Resumed"),
                ("/schedules", "Enqueue now", "beside its ticks"),
                ("/schedules", "Pause", "Paused"), ("/schedules", "Resume", "Resumed"),
                (site, "Pause", "Paused"), (site, "Resume", "Resumed"),
                (site, "Check it now", "The check has begun"),
                (f"/jobs/{job}", "Run it now", "It runs as job"),
                (f"/jobs/{job}", "Give it up", "Given up"),
                (f"/jobs/{job}", "Run it again", "It runs as job")]
            for path, button, words in steps:
                page.goto(self.root + path)
                if self.keyless(page, button) if not scripts else self.press(page, button):
                    self.said(page, words)
            self.enter(page)
            # All that match, after it was said how many.
            for _ in range(3):
                database.enqueue("report", '{"of":"all"}', queue="many")
            page.goto(self.root + "/jobs?queue=many")
            page.get_by_role("link", name="Cancel all that match").click()
            page.wait_for_url("**/jobs/cancel**")
            page.get_by_role("button", name="Cancel 3 jobs").click()
            page.wait_for_url(lambda url: url.endswith("/jobs?queue=many"))
            self.said(page, "3 cancelled")
            # Chosen ones.
            chosen = database.enqueue("report", '{"of":"chosen"}', queue="many")
            page.goto(self.root + "/jobs?queue=many")
            page.locator(f"input[value='{chosen}']").check()
            page.get_by_role("button", name="Discard chosen").click()
            page.wait_for_url("**/jobs")
            self.said(page, "1 discarded")
            page.context.close()
        found, self.wrong = self.wrong, []
        return found

    def enter(self, page):
        """Enter asks for nothing where it isn't said for what, and what is typed stays."""
        page.goto(self.root + "/queues/default")
        why = page.get_by_label("why, for the audit log")
        why.fill("their server moves")
        why.press("Enter")
        page.wait_for_timeout(300)
        if not page.url.endswith("/queues/default") or why.input_value() != "their server moves":
            self.wrong.append(f"Enter in the field for why leads to {page.url}")

    def keyless(self, page, button):
        """Without scripts Playwright can't ask what has the focus: a click has to do."""
        page.get_by_role("button", name=button, exact=True).first.click()
        page.wait_for_load_state()
        return True

    def live(self, world):
        """What changes is seen without a reload; a database that is killed is told of, and pages
        come back by themselves."""
        page = self.open()
        page.goto(self.root + "/jobs?queue=live")
        # What is chosen stays so, and the focus stays where it was.
        first = world.database.enqueue("report", '{"n":1}', queue="live")
        self.until(page, first, "a new job isn't seen")
        page.locator(f"input[value='{first}']").focus()
        page.locator(f"input[value='{first}']").check()
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        if "queue=live" not in page.url or world.database.outcomes([first])[first] != ["available"]:
            self.wrong.append(f"Enter on a box is a verb: {page.url}")
        second = world.database.enqueue("report", '{"n":2}', queue="live")
        self.until(page, second, "a second job isn't seen")
        if not page.locator(f"input[value='{first}']").is_checked():
            self.wrong.append("what was chosen is no longer")
        if page.evaluate("document.activeElement.value") != first:
            self.wrong.append("the focus is lost when a part is replaced")
        world.rig.crash()
        self.status(page, "database", "that the database is gone isn't said")
        world.rig.restart()
        self.status(page, "Up to date", "pages don't come back")
        third = world.database.enqueue("report", '{"n":3}', queue="live")
        self.until(page, third, "after a crash a new job isn't seen")
        page.context.close()
        # What the browser said of its own lost connections is no mistake of the page.
        found, self.wrong = [one for one in self.wrong if "ERR_" not in one], []
        return found

    def until(self, page, job, words):
        try:
            page.wait_for_selector(f"input[value='{job}']", timeout=15_000)
        except Exception:  # noqa: BLE001
            self.wrong.append(f"{words}; the page says: {page.locator('#live').inner_text()}")

    def status(self, page, words, wrong):
        """The page's own line says so, in time."""
        end = time.monotonic() + 30
        while words not in page.locator("#live").inner_text():
            if time.monotonic() > end:
                self.wrong.append(f"{wrong}: {page.locator('#live').inner_text()}")
                return
            page.wait_for_timeout(200)
