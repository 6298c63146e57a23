"""The files under deploy/, and what is made of them."""
import functools
import json
import os
import pathlib
import re
import tempfile

import yaml

from tools import call


class Broken(Exception):
    """A file that its own program refuses."""


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h|min)?", str(text)).groups()
    return int(number) * {"ms": 0.001, "m": 60, "min": 60, "h": 3600}.get(unit, 1)


class Tree:
    """A folder with deploy/, docs/operate and what they are compared with; or one where something
    was spoilt."""

    def __init__(self, root, tools):
        self.root, self.tools = pathlib.Path(root), tools

    def text(self, path):
        return (self.root / path).read_text()

    def yaml(self, path):
        try:
            return [one for one in yaml.safe_load_all(self.text(path)) if one]
        except yaml.YAMLError as error:
            raise Broken(f"{path}: {error}") from error

    @functools.cached_property
    def compose(self):
        return self.yaml("docker-compose.yml")[0]

    # What kubectl and Helm make of it.

    def kustomized(self, folder):
        made = call(self.tools.carried("kubectl"), "kustomize",
                    self.root / "deploy/kubernetes" / folder)
        if made.returncode != 0:
            raise Broken(f"kubectl kustomize {folder}: {made.stderr.strip()[-300:]}")
        return Objects(yaml.safe_load_all(made.stdout))

    @functools.cached_property
    def running(self):
        return self.kustomized(".")

    @functools.cached_property
    def migration(self):
        return self.kustomized("migrate")

    @functools.cached_property
    def scaled(self):
        return self.kustomized("keda")

    @property
    def plain(self):
        """Each of them, by what it is called for people."""
        return {"deploy/kubernetes": self.running, "migrate": self.migration, "keda": self.scaled}

    def helm(self, *words):
        with tempfile.TemporaryDirectory(prefix="tenure-helm-") as home:
            return call(self.tools.carried("helm"), *words, env={
                "PATH": os.environ["PATH"], "HOME": home, "HELM_CACHE_HOME": home,
                "HELM_CONFIG_HOME": home, "HELM_DATA_HOME": home})

    def chart(self, values=None, release="tenure", check=True):
        given = ["--set-json", json.dumps(values)] if values else []
        made = self.helm("template", release, self.root / "deploy/helm/tenure", *given)
        if not check:
            return made
        if made.returncode != 0:
            raise Broken(f"helm template: {made.stderr.strip()[-300:]}")
        return Objects(yaml.safe_load_all(made.stdout))


class Objects:
    """What would be applied together."""

    def __init__(self, documents):
        self.all = [one for one in documents if one]

    def of(self, kind):
        return [one for one in self.all if one["kind"] == kind]

    def one(self, kind, ending):
        """The only one of a kind whose name ends so; a ConfigMap's ends with a hash."""
        for found in self.of(kind):
            if found["metadata"]["name"].endswith(ending):
                return found
        raise Broken(f"no {kind} …{ending}")

    @property
    def workloads(self):
        return self.of("Deployment") + self.of("Job")

    def settings(self, container):
        """What its environment says, but for secrets and what the cluster fills in."""
        found = {}
        for source in container.get("envFrom", []):
            if name := source.get("configMapRef", {}).get("name"):
                found.update(self.one("ConfigMap", name)["data"])
        for one in container.get("env", []):
            found[one["name"]] = one.get("value")
        return found


def pod(workload):
    return workload["spec"]["template"]["spec"]


def containers(workload):
    return pod(workload).get("initContainers", []) + pod(workload)["containers"]


def name_of(one):
    return f"{one['kind']} {one['metadata']['name']}"
