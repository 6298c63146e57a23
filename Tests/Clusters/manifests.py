"""What has to hold of the manifests by themselves, and beside docker-compose.yml, the image and the
fetcher. Each check gives what is wrong."""
import ipaddress
import re

import schemas
from tree import containers, name_of, pod, seconds

USER = 10001
# What the coordinator and workers are told through secrets, or by the cluster.
SECRETS = {"PGUSER", "PGPASSWORD"}
LAST_WORDS = 10  # seconds
# What libpq calls a parameter's variable.
VARIABLES = {"target_session_attrs": "PGTARGETSESSIONATTRS", "connect_timeout": "PGCONNECT_TIMEOUT"}


def schemas_hold(tree):
    for where, objects in tree.plain.items():
        for one in objects.all:
            for problem in schemas.problems(one):
                yield f"{where}: {name_of(one)}: {problem}"
    for one in tree.yaml("deploy/kubernetes/secret.example.yaml"):
        for problem in schemas.problems(one):
            yield f"secret.example.yaml: {name_of(one)}: {problem}"


def secrets_are_made_by_the_operator(tree):
    """No kustomization makes one, each that is needed is in the example, and none there works."""
    example = {one["metadata"]["name"]: one["stringData"]
               for one in tree.yaml("deploy/kubernetes/secret.example.yaml")}
    needed = set()
    for where, objects in tree.plain.items():
        if objects.of("Secret"):
            yield f"{where} makes a Secret"
        for workload in objects.workloads:
            for container in containers(workload):
                needed |= {source["secretRef"]["name"] for source in container["envFrom"]
                           if "secretRef" in source}
    if needed != set(example):
        yield f"needed {sorted(needed)}, in the example {sorted(example)}"
    for name, data in example.items():
        if set(data) != SECRETS or data["PGPASSWORD"]:
            yield f"{name} in the example is not a login without a password"


def names_lead_somewhere(tree):
    """Selectors, ports, ConfigMaps and volumes name what there is."""
    for where, objects in tree.plain.items():
        pods = [one["spec"]["template"] for one in objects.workloads]
        for one in objects.of("Service") + objects.of("PodDisruptionBudget"):
            selector = one["spec"]["selector"]
            wanted = selector.get("matchLabels", selector)
            if not any(wanted.items() <= each["metadata"]["labels"].items() for each in pods):
                yield f"{where}: {name_of(one)} selects no pod"
        for one in objects.of("NetworkPolicy"):
            wanted = one["spec"]["podSelector"]["matchLabels"].items()
            if not any(wanted <= each["metadata"]["labels"].items() for each in pods):
                yield f"{where}: {name_of(one)} selects no pod"
        for workload in objects.workloads:
            volumes = {one["name"] for one in pod(workload).get("volumes", [])}
            for container in containers(workload):
                for mount in container["volumeMounts"]:
                    if mount["name"] not in volumes:
                        yield f"{where}: {name_of(workload)} mounts {mount['name']}, which is none"
                objects.settings(container)  # raises where a ConfigMap isn't there
        for one in objects.of("ScaledObject"):
            target = one["spec"]["scaleTargetRef"]
            scaled = objects.one(target["kind"], target["name"])
            if "replicas" in scaled["spec"]:
                yield f"{where}: {name_of(scaled)} sets replicas, and so does KEDA"
            known = {each["metadata"]["name"] for each in objects.of("TriggerAuthentication")}
            for trigger in one["spec"]["triggers"]:
                if trigger["authenticationRef"]["name"] not in known:
                    yield f"{where}: a trigger's authentication isn't there"


def ports_agree(tree):
    """The container's port is the setting's, and where annotations, probes and Services lead."""
    for where, objects in tree.plain.items():
        for workload in objects.of("Deployment"):
            container, = containers(workload)
            at = f"{where}: {name_of(workload)}"
            settings = objects.settings(container)
            named = {one["name"]: str(one["containerPort"]) for one in container["ports"]}
            if named != {"metrics": settings["TENURE_METRICS_PORT"]}:
                yield f"{at}: ports {named}, TENURE_METRICS_PORT {settings['TENURE_METRICS_PORT']}"
            if ipaddress.ip_address(settings["TENURE_METRICS_HOST"]).is_loopback:
                yield f"{at}: probes don't reach TENURE_METRICS_HOST"
            notes = workload["spec"]["template"]["metadata"].get("annotations", {})
            if notes and notes.get("prometheus.io/port") != named.get("metrics"):
                yield f"{at}: prometheus.io/port is {notes.get('prometheus.io/port')}"
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                if container[probe]["httpGet"]["port"] not in named:
                    yield f"{at}: {probe} asks another port"
            if container["livenessProbe"]["httpGet"]["path"] == "/readyz":
                yield f"{at}: is restarted when the database is away"
        for service in objects.of("Service"):
            port, = service["spec"]["ports"]
            if str(port["port"]) not in named.values() or port["targetPort"] != "metrics":
                yield f"{where}: {name_of(service)} leads to another port"


def grace_is_enough(tree):
    """The pod's is longer than the worker's, the time to let go, and the last words."""
    for where, objects in tree.plain.items():
        for workload in objects.of("Deployment"):
            given = pod(workload).get("terminationGracePeriodSeconds", 30)
            settings = objects.settings(containers(workload)[0])
            grace = seconds(settings.get("TENURE_GRACE", 0))
            wanted = grace + seconds(settings["TENURE_LEASE"]) / 6 + LAST_WORDS
            if given < wanted:
                yield (f"{where}: {name_of(workload)} has {given} s, and needs "
                       f"{grace:g} + a sixth of the lease + {LAST_WORDS} = {wanted:g} s")


def pods_are_confined(tree):
    for where, objects in tree.plain.items():
        for workload in objects.workloads:
            at, spec = f"{where}: {name_of(workload)}", pod(workload)
            if spec.get("automountServiceAccountToken") is not False:
                yield f"{at}: has a token of the cluster"
            if spec.get("enableServiceLinks") is not False:
                yield f"{at}: a Service tenure-metrics would set TENURE_METRICS_PORT"
            mine = spec.get("securityContext", {})
            if mine.get("runAsNonRoot") is not True or mine.get("runAsUser") != USER:
                yield f"{at}: is not user {USER}"
            if mine.get("seccompProfile") != {"type": "RuntimeDefault"}:
                yield f"{at}: has no seccomp profile"
            for container in containers(workload):
                own = container.get("securityContext", {})
                if own != {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                           "capabilities": {"drop": ["ALL"]}}:
                    yield f"{at}: {container['name']} may do more: {own}"
                if "memory" not in container["resources"].get("limits", {}):
                    yield f"{at}: {container['name']} has no limit of memory"
                if "cpu" in container["resources"].get("limits", {}):
                    yield f"{at}: {container['name']} is throttled, and misses its beats"
    if f"--uid {USER} " not in tree.text("Dockerfile"):
        yield f"the image's user is not {USER}"


def rollouts_lose_nothing(tree):
    """One more is ready before one goes, and nodes can be drained when the database is away."""
    for where, objects in tree.plain.items():
        for one in objects.of("Deployment"):
            if one["spec"]["strategy"].get("rollingUpdate", {}).get("maxUnavailable") != 0:
                yield f"{where}: {name_of(one)} is stopped before another is ready"
        for one in objects.of("PodDisruptionBudget"):
            if one["spec"].get("unhealthyPodEvictionPolicy") != "AlwaysAllow":
                yield f"{where}: {name_of(one)} keeps nodes from being drained"
    if tree.running.one("Deployment", "-coordinator")["spec"]["replicas"] < 2:
        yield "one coordinator: nobody leads while it is moved"


def compose_agrees(tree):
    """docker-compose.yml and the manifests say the same of what both have."""
    names = {"worker": tree.running, "coordinator": tree.running, "migrate": tree.migration}
    for name, objects in names.items():
        service = tree.compose["services"][name]
        workload = objects.one("Job" if name == "migrate" else "Deployment", f"-{name}")
        container = containers(workload)[0]
        settings, given = objects.settings(container), service["environment"]
        pairs = {
            "arguments": (service["command"], container["args"]),
            "user": (service["user"], f"{USER}:{USER}"),
            "read only": (service["read_only"], True),
            "TENURE_METRICS_PORT": (given["TENURE_METRICS_PORT"], settings["TENURE_METRICS_PORT"]),
            "TENURE_LOG_FORMAT": (given["TENURE_LOG_FORMAT"], settings["TENURE_LOG_FORMAT"]),
        }
        url = dict(re.findall(r"[?&](\w+)=([^&]+)", given["DATABASE_URL"]))
        for key, value in url.items():
            pairs[key] = (value, settings.get(VARIABLES[key]))
        if name != "migrate":
            probe, check = container["readinessProbe"], service["healthcheck"]
            pairs["readiness"] = (
                (check["test"][-1].rpartition("9464")[2], seconds(check["interval"]),
                 seconds(check["timeout"]), check["retries"]),
                (probe["httpGet"]["path"], probe["periodSeconds"], probe["timeoutSeconds"],
                 probe["failureThreshold"]))
        if name == "worker":
            pairs["grace"] = (given["TENURE_GRACE"], settings["TENURE_GRACE"])
            pairs["time to stop"] = (seconds(service["stop_grace_period"]),
                                     pod(workload)["terminationGracePeriodSeconds"])
            pairs["replicas"] = (service["deploy"]["replicas"], workload["spec"]["replicas"])
        for what, (one, other) in pairs.items():
            if one != other:
                yield f"{name}: {what}: compose {one}, Kubernetes {other}"


def network_is_the_fetchers(tree):
    """What workers may reach leaves out all that the fetcher refuses; nobody else has the web."""
    web = tree.running.one("NetworkPolicy", "tenure-worker")["spec"]
    if web["podSelector"]["matchLabels"].get("app.kubernetes.io/component") != "worker":
        yield "not only workers have the web"
    blocks = [peer["ipBlock"] for rule in web["egress"] for peer in rule["to"]]
    for one in blocks:
        whole = ipaddress.ip_network(one["cidr"])
        for each in map(ipaddress.ip_network, one["except"]):
            if each == whole or not (each.version == whole.version and each.subnet_of(whole)):
                yield f"{each} is no part of {whole}: Kubernetes refuses that"
    special = tree.text("Sources/HTTPTransport/Addresses/SpecialAddresses.swift")
    found = re.findall(r"\(\.v([46])\((\w+)(?: << (\w+))?, (\w+)\)", special)
    if len(found) < 30:
        yield f"only {len(found)} special blocks were found in SpecialAddresses.swift"
    for version, number, shift, length in found:
        kind = ipaddress.IPv4Network if version == "4" else ipaddress.IPv6Network
        block = kind((int(number, 0) << int(shift or "0", 0), int(length, 0)))
        if is_open(block, blocks):
            yield f"workers may reach {block}, which the fetcher refuses"
    for policy in tree.running.of("NetworkPolicy"):
        for rule in policy["spec"].get("ingress", []):
            if [port["port"] for port in rule["ports"]] != ["metrics"]:
                yield f"{name_of(policy)} lets more in than scrapes"


def is_open(block, allowed):
    for one in allowed:
        whole = ipaddress.ip_network(one["cidr"])
        if block.version != whole.version or not block.overlaps(whole):
            continue
        closed = [ipaddress.ip_network(each) for each in one.get("except", [])]
        if not any(block.subnet_of(each) for each in closed):
            return True
    return False


CHECKS = {
    "each object is as Kubernetes 1.37, KEDA 2.16 and their schemas have it": schemas_hold,
    "secrets are the operator's, and the example has no password": secrets_are_made_by_the_operator,
    "selectors, ports, volumes and ConfigMaps name what there is": names_lead_somewhere,
    "ports and probes agree with the settings": ports_agree,
    "pods have the time that a worker needs to end": grace_is_enough,
    "pods may do nothing that they don't need": pods_are_confined,
    "rollouts and drained nodes lose nothing": rollouts_lose_nothing,
    "docker-compose.yml agrees": compose_agrees,
    "what workers may reach is what the fetcher asks": network_is_the_fetchers,
}
