"""Whether the chart makes what deploy/kubernetes says, and what it makes with other values."""
import copy

import manifests
import schemas
from tree import containers, name_of, pod

# What only Helm adds.
LABELS = {"app.kubernetes.io/instance", "app.kubernetes.io/managed-by",
          "app.kubernetes.io/version", "helm.sh/chart"}
OTHER_VALUES = {
    "all of it": {
        "keda": {"enabled": True, "secret": "elsewhere", "maxReplicas": 40},
        "metrics": {"podMonitor": True, "host": "::", "port": 9000},
        "image": {"tag": "0.2.0", "pullSecrets": [{"name": "registry"}]},
        "database": {"host": "one,two", "port": "5432,5433", "caConfigMap": "",
                     "sslmode": "require"},
        "networkPolicy": {"database": [{"ipBlock": {"cidr": "10.1.0.0/16"}}]},
        "worker": {"queues": {"default": 10, "mail": 2}, "graceSeconds": 600, "replicas": 1,
                   "env": {"TENURE_CONTENT_CONTACT": "ops@example.org", "TENURE_POOL_SIZE": 20}},
        "leaseSeconds": 60, "coordinator": {"env": {"TENURE_KEEP_ENDED": "2d"}},
    },
    "as little as can be": {
        "migrate": {"enabled": False}, "networkPolicy": {"enabled": False},
        "metrics": {"annotations": False}, "worker": {"channelSecrets": ""},
    },
    "without roles": {"migrate": {"roles": False}},
}
REFUSED = {
    "a value that is misspelt": {"worker": {"replica": 3}},
    "a lease of two hours": {"leaseSeconds": 7200},
    "a queue with a quote in its name": {"worker": {"queues": {"it's": 1}}},
    "a queue without slots": {"worker": {"queues": {"default": 0}}},
    "a setting that isn't Tenure's": {"worker": {"env": {"LD_PRELOAD": "x"}}},
}


def plain(one, objects):
    """Without what only one of them has: labels of Helm, the ConfigMap's hash."""
    one = copy.deepcopy(one)
    if one["kind"] in ("Deployment", "Job"):
        for container in containers(one):
            logins = [each for each in container.pop("envFrom") if "secretRef" in each]
            filled = [each for each in container.get("env", []) if "valueFrom" in each]
            container["env"] = [objects.settings(container | {"envFrom": []}), filled, logins]

    def strip(part):
        if isinstance(part, dict):
            return {key: strip(value) for key, value in part.items()
                    if key not in LABELS and not key.startswith("helm.sh/")}
        return [strip(each) for each in part] if isinstance(part, list) else part
    stripped = strip(one)
    if not stripped["metadata"].get("annotations", True):
        del stripped["metadata"]["annotations"]
    return stripped


def inlined(objects):
    """The settings of ConfigMaps as each container's own."""
    for workload in objects.workloads:
        for container in containers(workload):
            filled = [one for one in container.get("env", []) if "valueFrom" in one]
            said = [{"name": name, "value": value}
                    for name, value in objects.settings(container).items()
                    if value is not None]
            container["env"] = said + filled
    return objects


def difference(one, other, path=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            yield from difference(one.get(key), other.get(key), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (this, that) in enumerate(zip(one, other)):
            yield from difference(this, that, f"{path}[{index}]")
    elif one != other:
        yield f"{path}: {one} in the manifests, {other} by the chart"


def is_the_same(tree):
    kinds = {"without KEDA": ([tree.running, tree.migration], None),
             "with KEDA": ([tree.scaled, tree.migration], {"keda": {"enabled": True}})}
    for case, (parts, values) in kinds.items():
        chart = {name_of(one): plain(one, made) for made in [inlined(tree.chart(values))]
                 for one in made.all}
        wanted = {}
        for objects in parts:
            for one in inlined(copy.deepcopy(objects)).all:
                if one["kind"] != "ConfigMap":
                    wanted[name_of(one)] = plain(one, objects)
        for name in sorted({*chart, *wanted}):
            for problem in difference(wanted.get(name), chart.get(name)):
                yield f"{case}: {name}{problem}"


def lints(tree):
    made = tree.helm("lint", "--strict", tree.root / "deploy/helm/tenure")
    if made.returncode != 0 or "0 chart(s) failed" not in made.stdout:
        yield made.stdout[-300:] + made.stderr[-300:]


def other_values_hold(tree):
    for case, values in OTHER_VALUES.items():
        objects = tree.chart(values, release="other")
        for one in objects.all:
            for problem in schemas.problems(one):
                yield f"{case}: {name_of(one)}: {problem}"

        class Chart:
            plain = {case: objects}
            running = objects
            text, yaml = tree.text, tree.yaml
        for check in (manifests.names_lead_somewhere, manifests.ports_agree,
                      manifests.grace_is_enough, manifests.pods_are_confined,
                      manifests.rollouts_lose_nothing):
            yield from check(Chart)
    yield from values_arrive(tree.chart(OTHER_VALUES["all of it"]))


def values_arrive(objects):
    worker = objects.one("Deployment", "-worker")
    settings = objects.settings(containers(worker)[0])
    found = {
        "grace": (pod(worker)["terminationGracePeriodSeconds"], 620),
        "queues": (settings["TENURE_QUEUES"], "default:10,mail:2"),
        "contact": (settings["TENURE_CONTENT_CONTACT"], "ops@example.org"),
        "pool": (settings["TENURE_POOL_SIZE"], "20"),
        "ports": (settings["PGPORT"], "5432,5433"),
        "triggers": (len(objects.one("ScaledObject", "")["spec"]["triggers"]), 4),
        "no CA": (settings.get("PGSSLROOTCERT"), None),
        "annotations": (worker["spec"]["template"]["metadata"].get("annotations"), None),
    }
    for what, (value, wanted) in found.items():
        if value != wanted:
            yield f"{what}: {value}, not {wanted}"


def wrong_values_are_refused(tree):
    for what, values in REFUSED.items():
        made = tree.chart(values, check=False)
        if made.returncode == 0 or "schema" not in made.stderr:
            yield f"{what} is taken"


CHECKS = {
    "Helm lints the chart": lints,
    "the chart makes what deploy/kubernetes says": is_the_same,
    "with other values, too, objects are valid and agree": other_values_hold,
    "values that can't be are refused": wrong_values_are_refused,
}
