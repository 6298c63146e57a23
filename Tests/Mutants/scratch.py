"""The scratch copy: all mutants in it, asleep, and built once."""
import pathlib, re, shutil, subprocess, tomllib

from layers import Failure, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWITCH = """\
import FoundationEssentials

/// In scratch copies only: the mutant that is awake.
package let awakeMutant = ProcessInfo.processInfo.environment["TENURE_MUTANT"]
package func isMutant(_ name: String) -> Bool { awakeMutant == name }
"""


def load():
    with open(ROOT / "Tests/Mutants/mutants.toml", "rb") as file:
        mutants = tomllib.load(file)["mutant"]
    names = [mutant["name"] for mutant in mutants]
    for name in names:
        if names.count(name) > 1 or not re.fullmatch(r"[a-z0-9-]+", name):
            raise Failure(f"mutants.toml: name {name!r} is used twice or not in lower case")
    return mutants


def replace(texts, mutant):
    for change in mutant["changes"]:
        path, old, new = change["file"], change["old"], change["new"]
        text = texts.setdefault(path, (ROOT / path).read_text())
        if text.count(old) != 1:
            raise Failure(
                f"mutant {mutant['name']} no longer applies: {path} has {text.count(old)} times:\n"
                f"{old}\nChange mutants.toml with the code it breaks.")
        if path.endswith(".sql"):
            awake = f"(current_setting('tenure.mutant', true) = '{mutant['name']}')"
        else:
            awake = f"isMutant(\"{mutant['name']}\")"
        texts[path] = text.replace(old, new.replace("MUTANT", awake))


def check_gates(texts):
    """The interleavings stop before these statements, which a sleeping mutant must leave alone."""
    gates = (ROOT / "Tests/Protocol/World/Gate.swift").read_text()
    for _, statement in re.findall(
            r'Gate\("(\w+)", "\w+", (?:before|inside): "((?:[^"\\]|\\.)*)"', gates):
        statement = statement.replace("\\n", "\n")
        for path, text in texts.items():
            if path.endswith(".sql") and statement not in text \
                    and statement in (ROOT / path).read_text():
                raise Failure(f"a mutant of {path} changes what a gate stands before: {statement}")


def changed_texts(mutants):
    texts = {}
    for mutant in mutants:
        replace(texts, mutant)
    check_gates(texts)
    for path, text in texts.items():
        if path.endswith(".swift") and not path.startswith("Sources/TenurePostgres/") \
                and not re.search(r"^([@\w]+ )*import TenurePostgres$", text, re.M):
            texts[path] = "import TenurePostgres\n" + text
    settings = "Sources/EmbeddedPostgres/Cluster/ServerSettings.swift"
    text = texts.get(settings, (ROOT / settings).read_text())
    mark = '"unix_socket_permissions": "0700",'
    if text.count(mark) != 1:
        raise Failure(f"{settings} has changed: it must hold {mark} once")
    awake = 'ProcessInfo.processInfo.environment["TENURE_MUTANT"] ?? ""'
    texts[settings] = text.replace(mark, f"{mark}\n            \"tenure.mutant\": {awake},")
    if "import Foundation" not in text:
        texts[settings] = "import FoundationEssentials\n" + texts[settings]
    texts["Sources/TenurePostgres/Mutant.swift"] = SWITCH
    return texts


def copy(texts, scratch):
    names = set(filter(None, subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
        check=True, capture_output=True, text=True).stdout.split("\0")))
    for name in names:
        source, target = ROOT / name, scratch / name
        if name not in texts and source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != source.read_bytes():
                shutil.copy(source, target)
    for name, text in texts.items():
        target = scratch / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # Unchanged files keep their time: a second run builds nothing.
        if not target.exists() or target.read_text() != text:
            target.write_text(text)
    # What an earlier copy had and the tree has no more would be built with the rest.
    for folder in ("Sources", "Tests", "migrations"):
        for path in (scratch / folder).rglob("*"):
            name = str(path.relative_to(scratch))
            is_there = name in texts or name in names and (ROOT / name).exists()
            if path.is_file() and not is_there and "__pycache__" not in name:
                path.unlink()


def build(scratch, layers):
    commands = [["swift", "build", "--build-tests"]]
    if any(layer.name == "simulate" for layer in layers):
        commands.append(["swift", "build", "-c", "release", "--product", "Simulate"])
    for command in commands:
        print("building:", " ".join(command), flush=True)
        code, _, output = run(command, scratch, 3000)
        (scratch / "build.log").write_text(output)
        if code != 0:
            raise Failure(f"the mutants don't build:\n{output[-4000:]}")
