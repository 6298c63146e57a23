"""The layers of tests: how each is run, and how its verdict reads."""
import os, pathlib, re, signal, subprocess, tempfile, time


class Failure(Exception):
    pass


def environment(mutant, operations=None):
    """Asleep, a quarter of the interleavings shows whether they sleep; awake, all that their
    operations meet."""
    variables = dict(os.environ)
    for name in ("TENURE_MUTANT", "TENURE_OPERATIONS", "TENURE_BESIDE"):
        variables.pop(name, None)
    variables["TENURE_INTERLEAVINGS"] = "whole" if mutant else "only 1/4"
    if mutant:
        variables["TENURE_MUTANT"] = mutant["name"]
    for name, key in (("TENURE_OPERATIONS", "operations"), ("TENURE_BESIDE", "beside")):
        if operations and key in operations:
            variables[name] = operations[key]
    return variables


def run(command, cwd, limit, variables=None, finding=None):
    """Returns (exit code or None at the limit, seconds, output), as soon as `finding` is there."""
    start = time.monotonic()
    with tempfile.NamedTemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            command, cwd=cwd, env=variables, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        read = pathlib.Path(output.name).read_text
        try:
            while process.poll() is None and time.monotonic() - start < limit:
                if finding and re.search(finding, read(errors="replace"), re.M):
                    time.sleep(0.5)  # Whole lines.
                    break
                time.sleep(0.2)
            code = process.poll()
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        return code, time.monotonic() - start, read(errors="replace")


class Layer:
    """A layer of tests: how to run it, how long it may take, and how its verdict reads."""

    def __init__(self, name, limit, command, finding, of="", not_of=None, is_dear=False):
        self.name, self.limit, self.command, self.finding = name, limit, command, finding
        self.of, self.not_of, self.is_dear = of, not_of, is_dear
        self.asleep = {}

    def concerns(self, mutant):
        return any(
            self.of in change["file"] and not re.search(self.not_of or "^$", change["file"])
            for change in mutant["changes"])

    def command_for(self, scratch, mutant, suite=None):
        command = self.command(scratch)
        return command[:-1] + [rf"^\w+\.{suite}[./]"] if suite else command

    def judge(self, scratch, mutant):
        """Returns (caught, seconds, what was seen).

        On a busy machine a test that bounds a time may fail by itself. So what has failed is run
        once more, alone, and has to fail again; and once with the mutant asleep, where it has to
        pass."""
        answer = self.once(scratch, mutant)
        if not answer[0]:
            return answer
        suite = re.search(r" at (\w+)\.swift:\d+", answer[2])
        suite = suite.group(1).split("+")[0] if suite and self.has_suites else None
        if suite and not self.once(scratch, mutant, suite)[0]:
            return False, answer[1], f"(once, and not again: {answer[2]})"
        return answer if self.sleeps(scratch, mutant, suite) else (
            False, answer[1], f"(it fails asleep, too: {answer[2]})")

    @property
    def has_suites(self):
        return self.finding == TEST

    def once(self, scratch, mutant, suite=None, is_awake=True):
        command = self.command_for(scratch, mutant, suite)
        variables = environment(mutant if is_awake else None, mutant)
        finding = self.finding if is_awake else None
        code, seconds, output = run(command, scratch, self.limit, variables, finding)
        found = re.search(self.finding, output, re.M)
        if code == 0 and not found:
            if self.has_suites and not re.search(r"with [1-9]\d* tests?", output):
                raise Failure(f"{mutant['name']}: no test is there: {command[-1]}")
            return False, seconds, ""
        if found:
            return True, seconds, found.group(1).strip().replace("|", "/")
        if code is None:
            return True, seconds, "did not end"
        if code < 0 or code > 2:
            return True, seconds, f"crashed ({code})"
        raise Failure(
            f"{self.name}, {mutant['name']}: exit {code} without a finding:\n{output[-2000:]}")

    def sleeps(self, scratch, mutant, suite):
        """Whether what has failed passes with nobody awake, at the second try at the latest."""
        command = self.command_for(scratch, mutant, suite)
        key = str(command) + mutant.get("operations", "") + mutant.get("beside", "")
        if key not in self.asleep:
            self.asleep[key] = any(
                not self.once(scratch, mutant, suite, is_awake=False)[0] for _ in range(2))
        return self.asleep[key]


def tests(pattern):
    def command(scratch):
        bundle = next((scratch / ".build/debug").glob("*.xctest"))
        # As many at a time as in bin/test: of all at once those fail that bound times.
        return [bundle, "--testing-library", "swift-testing",
                "--experimental-maximum-parallelization-width", "8", "--filter", pattern]
    return command


# The test by its name, and the file that it stands in.
TEST = (r"✘ Test (.*? (?:recorded an issue(?: with \d+ arguments?[^\n]*?)? at [\w+]+\.swift:\d+"
        r"|failed))")


class Named(Layer):
    """The suites that a mutant names as those that are to catch it, of any test target."""

    def __init__(self):
        super().__init__("named", 150, tests(""), TEST)

    def concerns(self, mutant):
        return "tests" in mutant

    def command_for(self, scratch, mutant, suite=None):
        names = [name if "." in name else rf"\w+\.{name}" for name in mutant["tests"].split("|")]
        if suite:
            names = [name for name in names if name.endswith("." + suite)] or [rf"\w+\.{suite}"]
        names = "|".join(name.replace(".", r"\.") if "\\" not in name else name for name in names)
        return self.command(scratch)[:-1] + [f"^({names})[./]"]


LAYERS = [
    Named(),
    Layer("simulate", 600, lambda scratch: [
        scratch / ".build/debug/Simulate", "--seeds", "6000"],
        r"^(✘ .*|seed \d+, .*)", not_of=r"\.sql$|^Sources/(Content|HTTPTransport)/|/Serving/"),
    Layer("worker", 240, tests(r"^(TenureTests|TenureWorkerTests|FaultTests.EnqueueTests)[./]"),
          TEST, not_of="^Sources/Content/|/Serving/"),
    Layer("client", 120, tests(r"^TenurePostgresTests[./]"),
          TEST, of="Sources/TenurePostgres/"),
    Layer("protocol", 1200, tests(r"^ProtocolTests\.InterleavingTests"), r"✘ Test (.*?) recorded",
          of=".sql", is_dear=True),
    Layer("serving", 240, tests(r"^TenureCLITests\.(WebServer|LastingServer)Tests[./]"),
          TEST, of="/Serving/"),
    Layer("sites", 300, tests(
        r"^ContentTests\.(Site|Notice|Channel|Mail|MailLink|Aspect|RuleNotice)Tests[./]"),
          TEST, of="Sources/Content/"),
    Layer("rig", 300, lambda scratch: [
        "Tests/Faults/run", "--skip-build", "--seconds", "60", "--seed", "1"],
        r"^✘ (?!the recording)(.*)", is_dear=True),
]
