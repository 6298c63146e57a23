"""Makes the reports and has them looked at; Tests/Reports/run starts it with what it needs."""
import argparse, json, os, pathlib, re, subprocess, sys, time

import yaml
from playwright.sync_api import sync_playwright

import folders, formats, pages

FORMATS = ["json", "sarif", "github", "junit", "csv", "markdown", "html"]


class Reports:
    def __init__(self, given):
        self.tenure, self.work = given.tenure, given.work
        self.wrong = []
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.environment = environment | {"TENURE_FOLDER": str(given.work / "postgres")}

    def run(self, *arguments, code):
        ran = subprocess.run(
            [self.tenure, *arguments], cwd=self.work, env=self.environment, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if ran.returncode not in code:
            line = f"tenure {' '.join(arguments)[:200]} ended with {ran.returncode}"
            self.wrong.append(f"{line}: {ran.stderr[:500]}")
        return ran.stdout

    def check(self, name, folder):
        """One check, and a file of each format."""
        start = time.monotonic()
        reports = [f"--report={format}={self.file(name, format)}" for format in FORMATS]
        self.run("check", f"./{folder}", *reports, code=(0, 1))
        report = json.loads(self.file(name, "json").read_text())
        took = time.monotonic() - start
        size = self.file(name, "html").stat().st_size // 1024
        print(
            f"  {name}: {len(report['findings'])} findings, {formats.places(report)} places, "
            f"{took:.1f} s, HTML {size} KiB")
        return report

    def file(self, name, format):
        return self.work / f"{name}.{format}"

    def text(self, name, format):
        with open(self.file(name, format), encoding="utf-8", newline="") as file:
            return file.read()

    def read(self, name, report):
        """As programs do. Returns the number of SARIF's results."""
        found, results = formats.sarif(self.text(name, "sarif"), report)
        found += formats.github(self.text(name, "github"))
        found += formats.junit(self.text(name, "junit"), report)
        found += formats.table(self.text(name, "csv"), report)
        self.wrong += [f"{name}: {line}" for line in found]
        return results


def make(reports, given):
    """Every report there is; of each whose HTML is looked at, how many findings it shows."""
    for name, files in {
        "none": {"index.html": folders.page("well")}, "few": folders.few(),
        "many": folders.many(given.findings), "hostile": folders.hostile(),
    }.items():
        folders.write(given.work / name, files)
    found = {name: reports.check(name, name) for name in ("none", "few", "many", "hostile")}
    if len(found["many"]["findings"]) != given.findings or found["none"]["findings"]:
        reports.wrong.append("the folders don't give the findings that they should")
    why = ["--reason", "not </p> written, ::yet::", "--by", "ada"]
    reports.run("links", "ignore", "drafts/*", *why, code=(0,))
    index = given.work / "few/index.html"
    index.write_text(index.read_text().replace("old.html", "new.html") + "<!-- moved -->\n")
    found["again"] = reports.check("again", "few")
    if len(found["again"]["ignored"]) != 1:
        reports.wrong.append("nothing was ignored")
    compare = ["check", "--compare", found["few"]["check"], found["again"]["check"]]
    for format in ("sarif", "github", "html"):
        text = reports.run(*compare, "--format", format, code=(1,))
        reports.file("compared", format).write_text(text)
    stays = formats.fingerprints(reports.text("few", "sarif"))
    if len(set(stays) & set(formats.fingerprints(reports.text("again", "sarif")))) != 4:
        reports.wrong.append("fingerprints don't stay from one check to the next")
    return found


def documents():
    """The YAML of docs/ci.md, each piece by what reads it."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs/ci.md").read_text()
    github, gitlab, hook = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", text, re.DOTALL))
    wrong = []
    # YAML 1.1 takes `on` for true.
    steps = github["jobs"]["links"]["steps"]
    if True not in github or not all(step.keys() & {"run", "uses"} for step in steps):
        wrong.append("docs/ci.md: the workflow has a step that does nothing, or no event")
    files = [step["with"]["sarif_file"] for step in steps if "upload-sarif" in step.get("uses", "")]
    if not any(f"sarif={file}" in step.get("run", "") for file in files for step in steps):
        wrong.append("docs/ci.md: the workflow uploads what it doesn't write")
    report = gitlab["links"]["artifacts"]["reports"]["junit"]
    if not any(f"junit={report}" in line for line in gitlab["links"]["script"]):
        wrong.append("docs/ci.md: GitLab is given what isn't written")
    if hook["repos"][0]["hooks"][0].keys() < {"id", "name", "entry", "language"}:
        wrong.append("docs/ci.md: the hook lacks what pre-commit wants")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    for name in ("--tenure", "--browser"):
        parser.add_argument(name, required=True)
    parser.add_argument("--findings", type=int, default=5000)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--screenshots", type=pathlib.Path)
    given = parser.parse_args()
    reports = Reports(given)
    reports.wrong += documents()
    found = make(reports, given)
    results = sum(reports.read(name, report) for name, report in found.items())
    compared, more = formats.sarif(reports.text("compared", "sarif"))
    reports.wrong += compared + formats.github(reports.text("compared", "github"))
    schema = sum("SARIF" in line for line in reports.wrong)
    print(f"  SARIF: {results + more} results in {len(found) + 1} logs, {schema} errors")
    files = {name: reports.file(name, "html") for name in [*found, "compared"]}
    wrong, errors, warnings = pages.nu(files.values())
    reports.wrong += wrong
    print(f"  Nu: {errors} errors, {warnings} warnings in {len(files)} pages")
    with sync_playwright() as playwright:
        browser = pages.Browser(playwright, given.browser, given.screenshots)
        for name, file in files.items():
            shown = len(found[name]["findings"]) if name in found else 0
            reports.wrong += browser.look(file, shown)
        print(f"  axe: {browser.violations} violations in {browser.looks} looks")
        browser.browser.close()
    for line in reports.wrong[:50]:
        print(f"  ✘ {line}")
    print(f"{len(reports.wrong)} wrong")
    return 1 if reports.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
