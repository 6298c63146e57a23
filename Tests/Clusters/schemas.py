"""Whether an object is one that Kubernetes, KEDA or the Prometheus operator take: nothing unknown
in it, nothing missing, and each value of its type."""
import functools

import jsonschema
import kubernetes_validate.utils as kubernetes
import pydantic
import referencing
from cloudcoil.models.keda.v1alpha1 import ScaledObject, TriggerAuthentication
from cloudcoil.models.prometheus_operator.v1 import PodMonitor

VERSION = "1.37.0"
OTHERS = {one.__name__: one for one in (ScaledObject, TriggerAuthentication, PodMonitor)}


@functools.cache
def definitions():
    return kubernetes.schema_contents(
        f"kubernetes-json-schema/v{VERSION}-local-strict/_definitions.json", VERSION)


@functools.cache
def validator(kind, version):
    """As kubernetes-validate has it, made once: its definitions are large."""
    group, _, number = version.rpartition("/")
    name = "-".join(word for word in (kind.lower(), group.split(".")[0], number) if word)
    schema = kubernetes.schema_contents(
        f"kubernetes-json-schema/v{VERSION}-local-strict/{name}.json", VERSION)
    registry = referencing.Resource.from_contents(schema) @ referencing.Registry()
    registry = referencing.Resource.from_contents(definitions()) @ registry
    return jsonschema.validators.Draft202012Validator(schema, registry=registry)


def lost(given, kept, path=""):
    """Fields that a model didn't know and so didn't keep."""
    if isinstance(given, dict):
        for key, value in given.items():
            if not isinstance(kept, dict) or key not in kept:
                yield f"{path}.{key}: unknown"
            else:
                yield from lost(value, kept[key], f"{path}.{key}")
    elif isinstance(given, list):
        for index, value in enumerate(given):
            yield from lost(value, kept[index], f"{path}.{index}")


def problems(one):
    if model := OTHERS.get(one["kind"]):
        try:
            kept = model.model_validate(one).model_dump(by_alias=True, exclude_none=True)
        except pydantic.ValidationError as error:
            return [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        return list(lost(one, kept))
    try:
        found = validator(one["kind"], one["apiVersion"]).iter_errors(one)
        return [f"{'.'.join(map(str, e.absolute_path))}: {e.message[:120]}" for e in found]
    except FileNotFoundError:
        return [f"there is no {one['kind']} of {one['apiVersion']}"]
