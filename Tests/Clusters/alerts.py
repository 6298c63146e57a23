"""Alert rules and scrapes, as Prometheus reads them; and whether rules fire when they should."""
import json
import pathlib
import re
import tempfile

import yaml

from tools import call

RULES = ["docs/operate/alerts.yml", "deploy/kubernetes/alerts.yml"]
CONTAINER = 'container="tenure",pod="p",namespace="n"'
# Minute by minute: nothing for five minutes, and then what the rule is for.
SERIES = {
    'tenure_sessions_died_total{instance="a"}': "0+0x5 4+0x30",
    'tenure_kinds_paused_total{instance="a"}': "0+0x5 1+0x30",
    'kube_job_status_failed{job_name="tenure-migrate",namespace="n"}': "0+0x5 1+0x30",
    'kube_deployment_status_replicas_available{deployment="tenure-worker",namespace="n"}':
        "3+0x5 2+0x30",
    'kube_deployment_spec_replicas{deployment="tenure-worker",namespace="n"}': "3+0x40",
    'kube_pod_container_status_last_terminated_reason{reason="OOMKilled",' + CONTAINER + "}":
        "1+0x40",
    "kube_pod_container_status_restarts_total{" + CONTAINER + "}": "0+0x5 1+0x30",
}
# The last minute at which it is quiet, and one at which it fires.
FIRES = {"TenureSessionsDie": (5, 8), "TenureKindPaused": (5, 8), "TenureMigrationFailed": (5, 8),
         "TenureRolloutStuck": (19, 25), "TenureOutOfMemory": (5, 8)}


def promtool_reads_them(tree):
    read = call(tree.tools.promtool(), "check", "rules", *[tree.root / one for one in RULES])
    if read.returncode != 0:
        yield (read.stdout + read.stderr).replace(str(tree.root), "")[-400:]
    # Debian's promtool is built without the search for pods, which is left out here.
    scrape = tree.yaml("deploy/kubernetes/prometheus.yml")[0]
    for one in scrape["scrape_configs"]:
        if one.pop("kubernetes_sd_configs") != [{"role": "pod"}]:
            yield "the scrape doesn't look for pods"
        if one["job_name"] != "tenure":
            yield f'the rules know job="tenure", and the scrape is {one["job_name"]}'
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        yaml.safe_dump(scrape, file)
        file.flush()
        read = call(tree.tools.promtool(), "check", "config", file.name)
    if read.returncode != 0:
        yield (read.stdout + read.stderr)[-400:]


def rules_fire(tree):
    expressions = [
        {"expr": f'count(ALERTS{{alertname="{name}",alertstate="firing"}}) or vector(0)',
         "eval_time": f"{minute}m", "exp_samples": [{"labels": "{}", "value": number}]}
        for name, minutes in FIRES.items() for number, minute in enumerate(minutes)]
    test = {"rule_files": [str(tree.root / one) for one in RULES], "evaluation_interval": "1m",
            "tests": [{"interval": "1m", "promql_expr_test": expressions, "input_series": [
                {"series": name, "values": values} for name, values in SERIES.items()]}]}
    with tempfile.TemporaryDirectory(prefix="tenure-clusters-") as work:
        file = pathlib.Path(work) / "test.yml"
        file.write_text(json.dumps(test))
        read = call(tree.tools.promtool(), "test", "rules", file)
    if read.returncode != 0:
        said = re.findall(r'alertname="(\w+)".*\n.*time: (\w+)', read.stdout + read.stderr)
        yield str(said) if said else (read.stdout + read.stderr)[-600:]


def every_alert_is_explained(tree):
    pages = tree.text("docs/operate/day-two.md") + tree.text("docs/operate/kubernetes.md")
    for path in RULES:
        for name in re.findall(r"- alert: (\w+)", tree.text(path)):
            if f"### {name}\n" not in pages and f"| `{name}` |" not in pages:
                yield f"{name} is explained nowhere"


CHECKS = {
    "promtool reads rules and scrapes": promtool_reads_them,
    "rules fire when they should, and not before": rules_fire,
    "every alert is explained": every_alert_is_explained,
}
