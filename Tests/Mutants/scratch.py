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
    """Files that are as they were keep their time, and where all are, nothing is built again."""
    names = set(filter(None, subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
        check=True, capture_output=True, text=True).stdout.split("\0")))
    contents = {
        name: texts[name].encode() if name in texts else (ROOT / name).read_bytes()
        for name in names | set(texts) if name in texts or (ROOT / name).is_file()}
    changed = [
        name for name, content in contents.items()
        if not (scratch / name).exists() or (scratch / name).read_bytes() != content]
    # What an earlier copy had and the tree has no more would be built with the rest.
    gone = [
        path for folder in ("Sources", "Tests", "migrations")
        for path in (scratch / folder).rglob("*")
        if path.is_file() and str(path.relative_to(scratch)) not in contents
        and path.suffix != ".pyc"]
    for name in changed:
        target = scratch / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if name in texts:
            target.write_bytes(contents[name])
        else:
            shutil.copy(ROOT / name, target)
    for path in gone:
        path.unlink()
    is_built = re.compile(r"^(Sources|Tests(?!/Mutants/)|migrations|Package)\b(?!.*\.(py|md)$)")
    if gone or any(is_built.match(name) for name in changed):
        (scratch / "built").unlink(missing_ok=True)


def build(scratch):
    note = scratch / "built"
    if note.exists():
        return
    command = ["swift", "build", "--build-tests"]
    print("building:", " ".join(command), flush=True)
    code, _, output = run(command, scratch, 3000)
    (scratch / "build.log").write_text(output)
    if code != 0:
        raise Failure(f"the mutants don't build:\n{output[-4000:]}")
    note.touch()
