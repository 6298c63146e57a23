"""What is gone while pages are open: the page's own process, the server, its machine. Pages say so
and come back by themselves, and show what has changed meanwhile."""
import threading
import time
import types
import urllib.parse

import cut
import once
from pair import Console, Pair
from people import Browser
from rig import wait_until

ADA = {"X-Remote-User": "ada"}
OLD_FORM = "of another session, or old"
# What the page's own line has said so far, each once it was another one.
LISTEN = """() => { const live = document.getElementById("live"); window.said = [];
    new MutationObserver(() => window.said.push(live.textContent)).observe(
        live, {childList: true, characterData: true, subtree: true}); }"""


class Scene:
    """Pages that somebody has open, and what changes on them."""
    number = 0

    def __init__(self, database, console, browser, who):
        Scene.number += 1
        self.name, self.database, self.console = f"after{Scene.number}", database, console
        self.job = database.enqueue("report", queue="outages", run_at="2031-01-01 00:00Z")
        self.context = browser.new_context(extra_http_headers=who)
        self.context.set_default_timeout(20_000)
        self.wrong = []
        if not who:
            self.log_in()
        self.news = {"/": self.name, f"/jobs/{self.job}": "cancelled", "/queues": self.name,
                     "/workers": self.name}
        self.pages = {path: self.open(path) for path in self.news}
        self.say("Up to date.", 15, "")
        for path, page in self.pages.items():
            page.evaluate(LISTEN)
            if self.news[path] in self.text(page):
                self.wrong.append(f"{path} has “{self.news[path]}” too early")

    def log_in(self):
        page = self.context.new_page()
        page.goto(self.console.link)
        page.close()

    def open(self, path):
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(f"{path}: an error: {error}"))
        page.goto(self.console.root + path)
        return page

    @staticmethod
    def text(page):
        return page.locator("main").inner_text()

    def say(self, words, seconds, when):
        """Each page's own line has these words, in time."""
        begun = time.monotonic()
        for path, page in self.pages.items():
            live = page.locator("#live")
            while words not in live.inner_text():
                if time.monotonic() - begun > seconds:
                    self.wrong.append(f"{when}{path} doesn’t say “{words}” after {seconds} s, but "
                                      f"“{live.inner_text()}”")
                    break
                page.wait_for_timeout(100)
        return time.monotonic() - begun

    def change(self):
        """Something that each of the pages shows."""
        self.database.enqueue("report", queue=self.name)
        result = self.database.tenure("job", "cancel", self.job)
        if result.code != 0:
            self.wrong.append(f"a job isn’t cancelled: {result}")
        self.database.worker("--name", self.name, "--queue", "none")

    def come_back(self, seconds, when):
        took = self.say("Up to date.", seconds, when)
        for path, page in self.pages.items():
            end = time.monotonic() + 10
            while self.news[path] not in self.text(page):
                if time.monotonic() > end:
                    self.wrong.append(f"{when}{path} is as old as before")
                    break
                page.wait_for_timeout(100)
        return took

    def close(self):
        self.context.close()
        return self.wrong


def judge(tenure, browser):
    pair = Pair(tenure, types.SimpleNamespace(seed=1, is_long=False, budget=0))
    try:
        pair.start()
        database = pair.database("console")
        database.start("coordinator", "--lease", "3s")
        wrong = killed(database, browser)
        wrong += frozen(pair, database, browser)
        wrong += cut.judge(pair, database)
        wrong += once.shaken(pair, database, lambda: failover(pair, database, browser))
        return [f"outages: {one}" for one in wrong]
    finally:
        pair.stop()


def killed(database, browser):
    """kill -9 of the console, and another process at its address."""
    wrong = []
    for name, words, who in (("by a proxy: ", Console.PROXY, ADA), ("by a link: ", (), {})):
        console = Console(database, *words)
        scene = Scene(database, console, browser, who)
        form = scene.open("/jobs/enqueue")
        form.get_by_label("kind", exact=True).fill("report")
        form.get_by_label("payload, as JSON").fill(f'{{"form":"{scene.name}"}}')
        form.get_by_label("enqueue it although nobody knows the kind").check()
        console.web.kill()
        told = scene.say("can’t be reached", 8, "killed, ")
        scene.change()
        console.start()
        if not who:
            logged_out(scene)
            old_form(scene, form, 401, "Who are you?")
            scene.log_in()
        back = scene.come_back(15, "started again, ")
        old_form(scene, form, 403, OLD_FORM)
        form.close()
        new_form(scene)
        print(f"  {name}killed, pages say so after {told:.1f} s, are back after {back:.1f} s")
        wrong += [name + one for one in scene.close()]
        console.web.stop()
    return wrong


def logged_out(scene):
    """A browser that has to log in again is told so, and goes on being told."""
    scene.say("logged out", 15, "started again, ")
    for page in scene.pages.values():
        page.evaluate("window.said.length = 0")
    page.wait_for_timeout(7000)
    for path, page in scene.pages.items():
        said = page.evaluate("window.said")
        if said or "logged out" not in page.locator("#live").inner_text():
            scene.wrong.append(f"logged out, {path} goes on to say {said[:4]}, "
                               f"{len(said)} lines in 7 s")


def enqueued(scene):
    """How many jobs the form has made."""
    return scene.database.query(
        "SELECT count(*) FROM tenure.job WHERE payload ->> 'form' = %s", [scene.name])[0][0]


def press(page):
    with page.expect_navigation() as gone:
        page.get_by_role("button", name="Enqueue it").click()
    return gone.value


def old_form(scene, page, status, words):
    """One that the process before had made: one clear page, and nothing done, however often."""
    # By its button, or, where that is gone, by a reload.
    button = page.get_by_role("button", name="Enqueue it")
    answer = press(page) if button.count() else page.reload()
    for again in ("", " again"):
        if answer.status != status or words not in scene.text(page) or enqueued(scene):
            scene.wrong.append(f"an old form{again}: {answer.status}, {enqueued(scene)} jobs, "
                               f"“{scene.text(page)[:200]}”")
        answer = page.reload()


def new_form(scene):
    """With scripts and without: one job, and none by a reload."""
    state = scene.context.storage_state()
    for number, scripts in enumerate((True, False), 1):
        context = scene.context.browser.new_context(
            storage_state=state, java_script_enabled=scripts,
            extra_http_headers=ADA if scene.console.words else {})
        page = context.new_page()
        page.goto(scene.console.root + "/jobs/enqueue")
        page.get_by_label("kind", exact=True).fill("report")
        page.get_by_label("payload, as JSON").fill(f'{{"form":"{scene.name}"}}')
        page.get_by_label("enqueue it although nobody knows the kind").check()
        answer = press(page)
        page.reload()
        if answer.status != 200 or enqueued(scene) != number:
            scene.wrong.append(f"a new form, scripts {scripts}: {answer.status}, "
                               f"{enqueued(scene)} jobs, not {number}")
        context.close()


def frozen(pair, database, browser):
    """A server that hangs for ten seconds."""
    console = Console(database, *Console.PROXY)
    scene = Scene(database, console, browser, ADA)
    ada, answers = Browser(console.port, **ADA), {}
    ada.ask("/jobs/enqueue")
    job = database.enqueue("report", queue="outages", run_at="2031-01-01 00:00Z")
    body = urllib.parse.urlencode({"token": ada.token})

    def ask(name, *words):
        begun = time.monotonic()
        answer = Browser(console.port, **ADA).ask(*words, Accept="application/json")
        answers[name] = answer[0], time.monotonic() - begun
    with pair.frozen():
        begun = time.monotonic()
        threads = [threading.Thread(target=ask, args=words) for words in (
            ("a page", "/jobs"), ("a verb", f"/jobs/{job}/cancel", "POST", body))]
        for one in threads:
            one.start()
        told = scene.say("database", 8, "frozen, ")
        for path in ("/console.css", "/console.js", "/openapi.json", "/nothing"):
            ask(path, path)
            if answers[path][0] not in (200, 404) or answers[path][1] > 1:
                scene.wrong.append(f"beside a server that hangs, {path}: {answers[path]}")
        time.sleep(max(0, 10 - (time.monotonic() - begun)))
    back = scene.say("Up to date.", 15, "thawed, ")
    for one in threads:
        one.join()
    for name in ("a page", "a verb"):
        # It waits for an answer, or in vain for a connection, which is told.
        if answers[name][0] not in (200, 503) or answers[name][1] > 35:
            scene.wrong.append(f"{name} that waited for the server: {answers[name]}")
    acts = once.Ledger(database).acts[job]
    if acts not in ([["cancel"]] if answers["a verb"][0] == 200 else [[], ["cancel"]]):
        scene.wrong.append(f"a verb that was answered {answers['a verb'][0]} was done as {acts}")
    scene.change()
    scene.come_back(15, "thawed, ")
    print(f"  frozen, pages say so after {told:.1f} s, are back after {back:.1f} s: {answers}")
    console.web.stop()
    return scene.close()


def failover(pair, database, browser):
    """The primary's machine is lost, and its standby takes over."""
    console = Console(database, *Console.PROXY)
    scene = Scene(database, console, browser, ADA)
    pair.lose()
    told = scene.say("database", 15, "without a primary, ")
    lines = {page.locator("#live").inner_text() for page in scene.pages.values()}
    pair.promote()
    back = scene.say("Up to date.", 20, "with a new primary, ")
    wait_until(lambda: database.query("SELECT NOT pg_is_in_recovery()")[0][0], 10)
    scene.change()
    scene.come_back(20, "with a new primary, ")
    print(f"  without a primary, pages say so after {told:.1f} s: {lines}; are back after "
          f"{back:.1f} s")
    console.web.stop()
    return scene.close()
