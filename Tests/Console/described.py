"""What the OpenAPI document says of each page, held against the page's own JSON."""
import json
import re

import jsonschema

from world import Program


def judge(port, paths):
    program = Program(port)
    document = json.loads(program.ask("/openapi.json")[1])
    wrong, seen = [], set()
    names = [re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "$") for path in document["paths"]]
    for path in paths:
        place = path.split("?")[0]
        fits = [one for one, name in zip(document["paths"], names) if name.match(place)]
        # A name of its own goes before one in braces.
        found = min(fits, key=lambda one: one.count("{"), default=None)
        if not found or "get" not in document["paths"][found]:
            wrong.append(f"{path} is described nowhere")
            continue
        seen.add(found)
        schema = document["paths"][found]["get"]["responses"]["200"]["content"][
            "application/json"]["schema"]
        value = json.loads(program.ask(path, Accept="application/json")[1])
        checker = jsonschema.Draft202012Validator(
            {**schema, "components": document["components"]})
        wrong += [f"{path}: {error.json_path}: {error.message[:200]}"
                  for error in list(checker.iter_errors(value))[:5]]
        wrong += [f"{path}: {name} is not described"
                  for name in sorted(set(unknown(value, schema, document)))[:5]]
        asked = {one["name"] for one in document["paths"][found]["get"].get("parameters", [])}
        for name in re.findall(r"[?&]([\w-]+)=", path):
            if name not in asked:
                wrong.append(f"{path}: the parameter {name} is not described")
    unseen = {path for path, of in document["paths"].items() if "get" in of} - seen
    # What `tenure job delete` and its like match isn't worth a page for each.
    unseen = {path for path in unseen if not re.match(r"/jobs/(discard|delete|retry)$", path)}
    if unseen:
        wrong.append(f"no page is held against {sorted(unseen)}")
    error = json.loads(program.ask("/jobs?state=x", Accept="application/json")[1])
    if set(error) != set(document["components"]["schemas"]["Problem"]["properties"]):
        wrong.append(f"an error is {error}")
    if any(not re.fullmatch(r"/(\w|[{}/-])*", path) for path in document["paths"]):
        wrong.append("a path is none")
    return wrong


def unknown(value, schema, document):
    """The fields of a value that its schema doesn't name."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        schema = document["components"]["schemas"][name]
    for choice in schema.get("anyOf", []):
        if value is not None and choice.get("type") != "null":
            yield from unknown(value, choice, document)
    if isinstance(value, list) and "items" in schema:
        for one in value:
            yield from unknown(one, schema["items"], document)
    if isinstance(value, dict) and "properties" in schema:
        for name, one in value.items():
            if name in schema["properties"]:
                yield from unknown(one, schema["properties"][name], document)
            else:
                yield name
