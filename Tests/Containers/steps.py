"""What is done to the stack, step by step, while the load goes on."""
import json
import os
import re
import time

from engine import ROOT, call, until
from report import expect
from watch import step_watch

# Attempts that were charged for runs that didn't end their job: by failures, kills, lost leases.
CHARGED = """
    SELECT (SELECT coalesce(sum(attempt - (state = 'running')::int), 0) FROM tenure.job)
         + (SELECT coalesce(sum(attempt - (outcome IN ('completed', 'discarded'))::int), 0)
            FROM tenure.job_history)"""
# By a worker: an enqueue alone can supersede.
ENDED = "SELECT count(*) FROM tenure.job_history WHERE outcome = 'completed'"


def step_up(stack):
    stack.up(workers=2)
    stack.ready("worker", 2)
    stack.ready("coordinator", 1)
    expect("two workers and a coordinator are ready", True)
    container = json.loads(call("docker", "inspect", stack.ids("worker")[0]).stdout)[0]
    expect("not root, read only", container["Config"]["User"] == "10001:10001"
           and container["HostConfig"]["ReadonlyRootfs"])
    expect("SIGTERM stops it, with more than its grace",
           container["Config"].get("StopSignal", "SIGTERM") == "SIGTERM"
           and container["Config"]["StopTimeout"] > 30, container["Config"]["StopTimeout"])
    secret = os.environ["TENURE_DB_PASSWORD"]
    shown = "".join(call("docker", "top", one, "-eo", "pid,args").stdout
                    for service in ("worker", "coordinator", "postgres")
                    for one in stack.ids(service))
    expect("no password in any argument", "tenure" in shown and secret not in shown)
    logs = stack.compose("logs", "--no-color").stdout
    expect("nor in the logs", len(logs) > 0 and secret not in logs)


def step_scale(stack):
    stack.compose("up", "-d", "--no-build", "--no-recreate", "--scale", "worker=5", "worker")
    stack.ready("worker", 5)
    seen = set()

    def all_seen():
        seen.update(stack.sql(
            "SELECT DISTINCT session_id FROM tenure.job WHERE state = 'running'").stdout.split())
        return len(seen) == 5
    until("five workers run jobs", 60, all_seen)
    expect("five workers run jobs", True)


def step_metrics(stack):
    stack.compose("up", "-d", "--no-build", "--no-deps", "prometheus")

    def targets():
        found = json.loads(stack.curl("http://prometheus:9090/api/v1/targets") or "{}")
        return [one["health"] for one in found.get("data", {}).get("activeTargets", [])]
    until("Prometheus answers", 60, lambda: call(
        "docker", "exec", stack.ids("worker")[0], "curl", "-sf", "http://prometheus:9090/-/ready",
        check=False).returncode == 0)
    until("Prometheus scrapes all six", 60, lambda: targets() == ["up"] * 6)
    expect("Prometheus scrapes five workers and the coordinator", True)
    rules = json.loads(stack.curl("http://prometheus:9090/api/v1/rules"))["data"]["groups"]
    loaded = [rule for group in rules for rule in group["rules"]]
    expect("it evaluates the alert rules", len(loaded) > 5
           and all(rule["health"] in ("ok", "unknown") for rule in loaded), len(loaded))
    shown = set()
    for service in ("worker", "coordinator"):
        for one in stack.ids(service):
            text = call("docker", "exec", one, "curl", "-s", "http://127.0.0.1:9464/metrics").stdout
            shown.update(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    named = set()
    for path in (ROOT / "docs/operate").iterdir():
        named.update(re.sub("_(bucket|sum|count)$", "", name) for name in re.findall(
            r"\btenure_[a-z_]+", path.read_text()))
    # Roles are named alike.
    named -= {f"tenure_{role}" for role in ROLES}
    unknown = named - shown
    expect("every metric named in docs/operate is shown", len(named) > 10 and not unknown,
           ", ".join(sorted(unknown)) or len(named))


ROLES = ["coordinator", "operator", "producer", "reader", "worker"]

# What to kill inside a container: its init process ends with it, and the engine starts it again. A
# `docker kill` would be an operator's wish, after which nothing is started.
MURDER = ('for p in /proc/[1-9]*; do [[ $(<$p/comm) != tenure ]] || kill -9 ${p##*/}; done '
          '2>/dev/null')


def step_kill(stack):
    charged, died = stack.number(CHARGED), "SELECT count(*) FROM tenure.session WHERE died"
    deaths = stack.number(died)
    victim = stack.ids("worker")[0]
    # A container's host name, and so its session's name, begins with its id.
    session = stack.number("SELECT id FROM tenure.session WHERE ended_at IS NULL "
                           f"AND role = 'worker' AND name LIKE '%{victim[:12]}%'")
    held = f"SELECT count(*) FROM tenure.job WHERE session_id = {session} AND state = 'running'"
    until("the one to be killed is at work", 60, lambda: stack.number(held) > 2)
    running = stack.number(held)
    call("docker", "exec", victim, "bash", "-c", MURDER, check=False)
    start = time.monotonic()
    until("it is started again", 60, lambda: call(
        "docker", "inspect", "-f", "{{.RestartCount}}", victim).stdout.strip() == "1")
    again = time.monotonic() - start
    until("its session is declared dead", 90, lambda: stack.number(died) == deaths + 1)
    until("a dead session holds no job", 60, lambda: stack.number(held) == 0)
    expect("killed with -9 at work; jobs it ran", running > 0, running)
    expect("started again by the engine after", True, f"{again:.1f} s")
    expect("its jobs are free again, after (lease 15 s)", True, f"{time.monotonic() - start:.1f} s")
    stack.ready("worker", 5)
    cost = stack.number(CHARGED) - charged
    expect("attempts it cost, at most what ran in it", 0 < cost <= 10, cost)


def rolling_restart(stack):
    env = dict(os.environ, COMPOSE=" ".join(stack.command))
    start = time.monotonic()
    call("docs/operate/rolling-restart", env=env)
    return time.monotonic() - start


def step_rolling(stack):
    charged, ended = stack.number(CHARGED), stack.number(ENDED)
    olds = set(stack.ids("worker") + stack.ids("coordinator"))
    took = rolling_restart(stack)
    news = set(stack.ids("worker") + stack.ids("coordinator"))
    expect("each of 5 workers and the coordinator was replaced in turn",
           len(news) == 6 and not news & olds, f"{took:.0f} s")
    expect("jobs completed meanwhile", stack.number(ENDED) > ended, stack.number(ENDED) - ended)
    cost = stack.number(CHARGED) - charged
    expect("attempts it cost", cost == 0, cost)
    expect("jobs handed back so far, at no cost", True, stack.number(
        "SELECT count(*) FROM (SELECT refunds FROM tenure.job UNION ALL SELECT runs - attempt "
        "FROM tenure.job_history WHERE outcome <> 'superseded') all_jobs WHERE refunds > 0"))


def step_again(stack):
    charged = stack.number(CHARGED)
    stack.compose("stop", "worker", "coordinator")
    pending = stack.number("SELECT count(*) FROM tenure.job")
    codes = call("docker", "inspect", "-f", "{{.State.ExitCode}}",
                 *stack.ids("worker", "-a")).stdout.split()
    expect("workers ended by themselves", set(codes) == {"0"}, " ".join(codes))
    stack.compose("down")
    expect("nothing is left but the volumes", not stack.ids("postgres", "-a"))
    stack.up(workers=5)
    stack.ready("worker", 5)
    cost = stack.number(CHARGED) - charged
    expect("down and up again; jobs that waited meanwhile", pending > 0, pending)
    expect("attempts it cost", cost == 0, cost)


FOLLOWS = "SELECT count(*) FROM pg_stat_replication WHERE application_name = '{}' AND {}"


def step_standby(stack):
    os.environ["TENURE_STANDBY_NAMES"] = ""
    stack.compose("up", "-d", "--no-build", "--no-deps", "standby")
    stack.ready("standby", 1)
    until("the standby streams", 60, lambda: stack.number(
        FOLLOWS.format("standby", "state = 'streaming'")) == 1)
    expect("a standby streams", True)
    os.environ["TENURE_STANDBY_NAMES"] = "standby"
    stack.compose("up", "-d", "--no-build", "--no-deps", "postgres")
    stack.ready("postgres", 1)
    until("commits wait for the standby", 60, lambda: stack.number(
        FOLLOWS.format("standby", "sync_state = 'sync'")) == 1)
    expect("the primary began anew under load, and commits wait for the standby", True)
    behind = call("docker", "exec", stack.ids("standby")[0], "psql", "-U", "tenure", "-d", "tenure",
                  "-Atqc", ENDED).stdout.strip()
    expect("the standby has what completed", int(behind) > 0, behind)


def step_promote(stack):
    stack.ready("worker", 5)
    call("docker", "kill", "-s", "KILL", stack.ids("postgres")[0])
    start = time.monotonic()
    call("docker", "exec", stack.ids("standby")[0], "pg_ctl", "promote")
    stack.compose("rm", "-fs", "postgres")
    stack.database = "standby"
    ended = stack.number(ENDED)
    until("jobs complete on the promoted standby", 90, lambda: stack.number(ENDED) > ended)
    expect("the primary killed with -9; jobs complete on the promoted standby, after", True,
           f"{time.monotonic() - start:.1f} s")
    stack.ready("worker", 5)


def step_back(stack):
    # Else commits would wait for a standby while there is none.
    os.environ["TENURE_STANDBY_NAMES"] = ""
    env = dict(os.environ, COMPOSE=" ".join(stack.command))
    call("docs/operate/rejoin", "postgres", "standby", env=env)
    until("the old primary follows the new one", 120, lambda: stack.number(
        FOLLOWS.format("walreceiver", "state = 'streaming'")) == 1)
    expect("the old primary follows the new one", True)
    charged, pending = stack.number(CHARGED), stack.number("SELECT count(*) FROM tenure.job")
    stack.compose("stop", "standby")
    start = time.monotonic()
    call("docker", "exec", stack.ids("postgres")[0], "pg_ctl", "promote")
    stack.database = "postgres"
    ended = stack.number(ENDED)
    until("jobs complete on the first one again", 90, lambda: stack.number(ENDED) > ended)
    expect("jobs complete on the first one again, after", True, f"{time.monotonic() - start:.1f} s")
    cost = stack.number(CHARGED) - charged
    expect("attempts it cost", cost == 0, f"{cost} ({pending} jobs were there)")
    call("docs/operate/rejoin", "standby", "postgres", env=env)
    until("the standby is one again", 120, lambda: stack.number(
        FOLLOWS.format("standby", "state = 'streaming'")) == 1)
    expect("and the standby is one again", True)


STEPS = {"up": step_up, "scale": step_scale, "metrics": step_metrics, "kill": step_kill,
         "rolling": step_rolling, "again": step_again, "standby": step_standby,
         "promote": step_promote, "back": step_back}


def step_backup(stack):
    """As docs/operate/day-two.md says it; on a stack without load, for what came after the dump is
    lost by it."""
    stack.compose("stop", "worker", "coordinator")
    stack.sql("SELECT count(*) FROM generate_series(1, 50) i, tenure.enqueue("
              "'demo-sleep', '{\"seconds\": 0.1}', key => i::text, mode => 'superseding')")
    inside = ["docker", "exec", "-i", stack.ids(stack.database)[0]]
    dump = call(*inside, "bash", "-c", "pg_dump -U tenure -Fc tenure >/tmp/dump && stat -c %s "
                "/tmp/dump").stdout.strip()
    fence = stack.number("SELECT nextval('tenure.fence')")
    call(*inside, "dropdb", "-U", "tenure", "--force", "tenure")
    call(*inside, "createdb", "-U", "tenure", "tenure")
    call(*inside, "pg_restore", "-U", "tenure", "-d", "tenure", "--exit-on-error", "/tmp/dump")
    stack.compose("run", "--rm", "--no-deps", "migrate", "restore", "check", "--fix")
    expect("a dump was restored", True, f"{dump} bytes")
    beyond = stack.number("SELECT nextval('tenure.fence')") - fence
    expect("fences go on beyond those given since", beyond > 0, beyond)
    stack.compose("up", "-d", "--no-build", "--no-recreate", "coordinator", "worker")
    until("its jobs are done", 120,
          lambda: stack.number("SELECT count(*) FROM tenure.job") == 0)
    done = stack.number("SELECT count(*) FROM tenure.job_history "
                        "WHERE key = ANY (SELECT i::text FROM generate_series(1, 50) i)")
    expect("jobs of the dump that completed", done == 50, done)


# What is done when the load is over and has been judged.
AFTERWARDS = {"backup": step_backup, "watch": step_watch}
