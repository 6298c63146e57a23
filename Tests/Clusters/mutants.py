"""What each check has to notice: something spoilt in a copy of the files, and a piece of what the
check then says."""
from typing import NamedTuple

BASE = "deploy/kubernetes/base"
WORKER, COORDINATOR = f"{BASE}/worker.yaml", f"{BASE}/coordinator.yaml"
NETWORK, SETTINGS = f"{BASE}/network.yaml", "deploy/kubernetes/settings/tenure.env"
JOB, SCALE = "deploy/kubernetes/migrate/job.yaml", "deploy/kubernetes/keda/scale.yaml"
SECRET = "deploy/kubernetes/secret.example.yaml"
CHART = "deploy/helm/tenure"
UNIT = "deploy/systemd/tenure-worker@.service"
COMPOSE, ALERTS = "docker-compose.yml", "docs/operate/alerts.yml"


class Mutant(NamedTuple):
    what: str
    says: str
    changes: list


def one(what, says, path, old, new):
    return Mutant(what, says, [(path, old, new)])


SHORT_GRACE = (WORKER, "TENURE_GRACE, value: 30s", "TENURE_GRACE, value: 3s")

ALL = {
    "schemas_hold": [
        one("a field that there is none of", "replica", WORKER, "  replicas: 3", "  replica: 3"),
        one("a text for a number", "Deployment tenure-worker", WORKER, "replicas: 3",
            'replicas: "3"'),
        one("an API that has gone", "policy/v1beta1", f"{BASE}/disruption.yaml", "policy/v1",
            "policy/v1beta1"),
        one("a field that KEDA hasn't", "minReplicas: unknown", SCALE, "minReplicaCount",
            "minReplicas"),
        one("a number for a text of KEDA's", "targetQueryValue", SCALE, '"100"', "100"),
    ],
    "secrets_are_made_by_the_operator": [
        one("a password in the example", "not a login", SECRET, 'PGPASSWORD: ""',
            "PGPASSWORD: tenure"),
        one("a secret that isn't in the example", "needed", WORKER, "name: tenure-worker}\n"
            "          env", "name: tenure-crew}\n          env"),
        one("the example applied", "makes a Secret", "deploy/kubernetes/kustomization.yaml",
            "  - base\n", "  - base\n  - secret.example.yaml\n"),
    ],
    "names_lead_somewhere": [
        one("a Service without pods", "Service tenure-coordinator selects no pod", COORDINATOR,
            "selector: *labels\n  ports", "selector: {app: tenure}\n  ports"),
        one("a volume that is none", "mounts tmpdir", WORKER, "{name: tmp, mountPath",
            "{name: tmpdir, mountPath"),
        one("a ConfigMap that is none", "no ConfigMap", WORKER, "configMapRef: {name: tenure}",
            "configMapRef: {name: tenured}"),
        one("replicas beside KEDA's", "and so does KEDA",
            "deploy/kubernetes/keda/kustomization.yaml",
            "op: remove\n        path: /spec/replicas",
            "op: add\n        path: /spec/replicas\n        value: 3"),
        one("a policy for nobody", "NetworkPolicy tenure selects no pod", NETWORK,
            "matchLabels:\n      app.kubernetes.io/name: tenure",
            "matchLabels:\n      app: tenure"),
    ],
    "ports_agree": [
        one("another port in the settings", "TENURE_METRICS_PORT 9999", SETTINGS,
            "TENURE_METRICS_PORT=9464", "TENURE_METRICS_PORT=9999"),
        one("health for the pod alone", "probes don't reach", SETTINGS, "HOST=0.0.0.0",
            "HOST=127.0.0.1"),
        one("another port to scrape", "prometheus.io/port is 9465", WORKER,
            'prometheus.io/port: "9464"', 'prometheus.io/port: "9465"'),
        one("a restart for a database that is away", "restarted when", WORKER,
            "livenessProbe:\n            <<: *alive",
            "livenessProbe:\n            httpGet: {path: /readyz, port: metrics}"),
    ],
    "grace_is_enough": [
        one("a pod's grace that is too short", "has 40 s, and needs 30 +", WORKER,
            "PeriodSeconds: 45", "PeriodSeconds: 40"),
        one("a worker's grace that was raised alone", "needs 60 +", WORKER,
            "TENURE_GRACE, value: 30s", "TENURE_GRACE, value: 1m"),
        one("a lease that was raised alone", "50 s", SETTINGS, "TENURE_LEASE=30s",
            "TENURE_LEASE=60s"),
    ],
    "pods_are_confined": [
        one("root", "is not user", WORKER, "runAsUser: 10001", "runAsUser: 0"),
        one("an image of another user", "the image's user", "Dockerfile", "--uid 10001",
            "--uid 10002"),
        one("a file system to write to", "may do more", COORDINATOR,
            "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"),
        one("a capability", "may do more", JOB, "drop: [ALL]", "drop: [NET_RAW]"),
        one("no seccomp", "no seccomp", WORKER, "seccompProfile: {type: RuntimeDefault}",
            "seccompProfile: {type: Unconfined}"),
        one("a token of the cluster", "token", JOB, "automountServiceAccountToken: false",
            "automountServiceAccountToken: true"),
        one("variables of Services", "tenure-metrics", WORKER, "enableServiceLinks: false",
            "enableServiceLinks: true"),
        one("a limit of CPU", "throttled", WORKER, "limits: {memory", "limits: {cpu: 1, memory"),
    ],
    "rollouts_lose_nothing": [
        one("pods stopped first", "stopped before", WORKER, "maxUnavailable: 0",
            "maxUnavailable: 1"),
        one("nodes that can't be drained", "from being drained", f"{BASE}/disruption.yaml",
            "EvictionPolicy: AlwaysAllow", "EvictionPolicy: IfHealthyBudget"),
        one("one coordinator", "nobody leads", COORDINATOR, "replicas: 2", "replicas: 1"),
    ],
    "compose_agrees": [
        one("another grace there", "worker: grace: compose 20s", COMPOSE, 'TENURE_GRACE: "30s"',
            'TENURE_GRACE: "20s"'),
        one("another time to stop there", "time to stop", COMPOSE, "stop_grace_period: 45s",
            "stop_grace_period: 50s"),
        one("another command here", "arguments", JOB, "[migrate, up]", "[migrate, status]"),
        one("another probe here", "readiness", WORKER, "periodSeconds: 5", "periodSeconds: 6"),
        one("a wait for the database that is missing here", "connect_timeout", SETTINGS,
            "PGCONNECT_TIMEOUT=3\n", ""),
    ],
    "network_is_the_fetchers": [
        one("a private block that is open", "172.16.0.0/12", NETWORK,
            "              - 172.16.0.0/12\n", ""),
        one("all of IPv6", "fc00::/7", NETWORK, "cidr: 2000::/3", "cidr: ::/0"),
        one("a block that isn't inside", "Kubernetes refuses", NETWORK, "- 3fff::/20",
            "- 4fff::/20"),
        one("the web for all", "not only workers", NETWORK,
            "component: worker\n  policyTypes: [Egress]",
            "part-of: worker\n  policyTypes: [Egress]"),
        one("more let in", "lets more in", NETWORK, "port: metrics", "port: 22"),
    ],
    "lints": [
        one("a chart without a version", "version", f"{CHART}/Chart.yaml", "\nversion: 0.1.0", ""),
    ],
    "is_the_same": [
        one("another probe in the chart", "livenessProbe", f"{CHART}/templates/_pod.tpl",
            "failureThreshold: 6", "failureThreshold: 5"),
        one("a setting that only the manifests have", "TENURE_POLL", WORKER,
            "- {name: TENURE_GRACE", "- {name: TENURE_POLL, value: 2s}\n            "
            "- {name: TENURE_GRACE"),
        one("a block that only one leaves out", "NetworkPolicy tenure-worker", NETWORK,
            "              - 10.0.0.0/8\n", ""),
        one("another query", "triggers[0]", SCALE, "LIMIT 1000", "LIMIT 999"),
        one("a template that doesn't render", "Broken", f"{CHART}/templates/worker.yaml",
            "{{- end }}\napiVersion", "apiVersion"),
    ],
    "other_values_hold": [
        one("a grace that isn't counted", "needs 600", f"{CHART}/templates/worker.yaml",
            "add .Values.worker.graceSeconds", "add 30"),
        one("a port that is fixed", "all of it: Service other-tenure-coordinator leads",
            f"{CHART}/templates/coordinator.yaml",
            "port: {{ .Values.metrics.port }}", "port: 8080"),
        one("a field that the operator hasn't", "unknown", f"{CHART}/templates/podmonitor.yaml",
            "podMetricsEndpoints", "podMetricEndpoints"),
        one("queues that are lost", "queues", f"{CHART}/templates/worker.yaml",
            'join "," $queues', 'first $queues'),
    ],
    "wrong_values_are_refused": [
        one("a schema that takes everything", "a queue with a quote",
            f"{CHART}/values.schema.json", '"^[A-Za-z0-9_.-]{1,128}$"', '"."'),
        one("a schema that isn't closed", "misspelt", f"{CHART}/values.schema.json",
            '"worker": {\n      "type": "object", "additionalProperties": false',
            '"worker": {\n      "type": "object"'),
    ],
    "systemd_reads_them": [
        one("a key that systemd doesn't know", "Unknown key", UNIT, "PrivateTmp", "PrivatTmp"),
        one("a value that it doesn't know", "Failed to parse", UNIT, "Type=exec", "Type=run"),
        one("another program", "not executable", UNIT, "local/bin/tenure worker",
            "local/bin/tenured worker"),
    ],
    "little_is_open": [
        one("a unit that may more", "more than", UNIT, "CapabilityBoundingSet=\n", ""),
    ],
    "they_agree": [
        one("a time to stop that is too short", "40 s to stop", UNIT, "TimeoutStopSec=45s",
            "TimeoutStopSec=40s"),
        one("a unit that waits to be told", "does not notify", UNIT, "Type=exec", "Type=notify"),
        one("another grace", "TENURE_GRACE is 20s", UNIT, "TENURE_GRACE=30s", "TENURE_GRACE=20s"),
        one("a password in the environment", "password is in",
            "deploy/systemd/worker.env.example", "PGUSER=crew", "PGUSER=crew\nPGPASSWORD=x"),
        one("another memory", "MemoryMax", UNIT, "MemoryMax=1G", "MemoryMax=256M"),
        one("connections that nobody checks", "PGSSLMODE is require",
            "deploy/systemd/database.env.example", "verify-full", "require"),
    ],
    "promtool_reads_them": [
        one("a rule that is no expression", "alerts.yml", ALERTS, "max(tenure_database_up) == 0",
            "max(tenure_database_up == 0"),
        one("a scrape of another name", 'job="tenure"', "deploy/kubernetes/prometheus.yml",
            "job_name: tenure", "job_name: pods"),
    ],
    "rules_fire": [
        one("a rule that never fires", "TenureSessionsDie", ALERTS, "[15m])) > 2",
            "[15m])) > 2000"),
        one("a rule that always fires", "TenureMigrationFailed", "deploy/kubernetes/alerts.yml",
            '-migrate"} > 0', '-migrate"} >= 0'),
    ],
    "every_alert_is_explained": [
        one("an alert that is new", "TenureKindStopped", ALERTS, "alert: TenureKindPaused",
            "alert: TenureKindStopped"),
    ],
    "settings_are_known": [
        one("a setting that is misspelt", "TENURE_QUEUE is no setting", WORKER,
            "name: TENURE_QUEUES", "name: TENURE_QUEUE"),
        one("one in the shared file", "TENURE_LEASES", SETTINGS, "TENURE_LEASE=",
            "TENURE_LEASES="),
        one("one in the chart", "TENURE_LOGFORMAT", f"{CHART}/templates/_pod.tpl",
            "TENURE_LOG_FORMAT", "TENURE_LOGFORMAT"),
        one("one in a unit", "TENURE_NAMES", UNIT, "TENURE_NAME=", "TENURE_NAMES="),
    ],
    "job_migrates": [
        one("a command that there is none of", "migrate", JOB, "[migrate, up]", "[migrate, all]"),
        one("a flag that there is none of", "--grant", JOB, "[roles, --apply]", "[roles, --grant]"),
    ],
    "pods_start": [
        one("an argument that there is none of", "does not start", WORKER, "args: [worker]",
            "args: [worker, --slots, '3']"),
        one("a value that the binary refuses", 'TENURE_LEASE is "2h"', SETTINGS, "LEASE=30s",
            "LEASE=2h"),
        one("a liveness path that there is none of", "does not start", COORDINATOR,
            "path: /healthz", "path: /livez"),
        one("a readiness path that there is none of", "never ready", WORKER, "path: /readyz",
            "path: /ready"),
        one("a scrape of another path", "answers /figures with 404", WORKER,
            "prometheus.io/path: /metrics", "prometheus.io/path: /figures"),
        one("a connection without encryption", "no encryption", SETTINGS,
            "PGSSLMODE=verify-full", "PGSSLMODE=disable"),
    ],
    "password_counts": [
        one("a password that works", "ends with", SECRET, 'PGPASSWORD: ""',
            'PGPASSWORD: "can@ry/p:ss?"'),
    ],
    "drain_is_orderly": [
        Mutant("readiness that doesn't end with the shutdown", "say (200, 200)",
               [SHORT_GRACE, (WORKER, "path: /readyz", "path: /healthz")]),
        Mutant("a pod that is killed before the end", "not at its end after 2 s",
               [SHORT_GRACE, (WORKER, "PeriodSeconds: 45", "PeriodSeconds: 2")]),
    ],
    "queries_count": [
        one("jobs that aren't due", "with three due", SCALE, "AND j.run_at <= now()\n", "\n"),
        one("lanes job by job", "two lanes", SCALE, "j.queue = 'default' AND j.lane IS NULL",
            "j.queue = 'default'"),
        one("a pause that isn't seen", "paused", SCALE, "paused_at IS NOT NULL",
            "paused_at IS NULL"),
        one("another queue's", "with three due", SCALE, "j.queue = 'default'",
            "j.queue = 'other'"),
    ],
    "units_start": [
        one("a filter that is too narrow", "does not start", UNIT,
            "SystemCallFilter=@system-service", "SystemCallFilter=@basic-io"),
        one("a signal that isn't a shutdown", "ends with", UNIT, "KillSignal=SIGTERM",
            "KillSignal=SIGHUP"),
        one("a password that isn't found", "does not start", UNIT, "PGPASSFILE=%d/pgpass",
            "PGPASSFILE=%d/none"),
    ],
}
