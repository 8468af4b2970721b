"""The OpenAPI description of the API: what drf-spectacular cannot see for itself."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from drf_spectacular.openapi import AutoSchema

from packs.api.shapes import FindingsShape

# An endpoint of a list, as drf-spectacular hands it on: path, its pattern, method, view.
Endpoint = tuple[str, str, str, Callable[..., Any]]

_ACT = re.compile(r"\(\?P<act>([a-z|]+)\)")
BYTES = {"type": "string", "format": "binary"}
REFUSAL = "The request was refused: what is wrong, where, and what to do."


def one_path_for_each_act(endpoints: Iterable[Endpoint]) -> Iterator[Endpoint]:
    """Acts that share a route get an address each: `packs/{id}/undo/`, `packs/{id}/archive/`."""
    for path, pattern, method, view in endpoints:
        acts = _ACT.search(pattern)
        for act in acts[1].split("|") if acts else ():
            yield path.replace("{act}", act), _ACT.sub(act, pattern), method, view
        if acts is None:
            yield path, pattern, method, view


def as_openapi_3_1(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """What drf-spectacular still says in the words of OpenAPI 3.0: bytes as texts, and anything or null."""
    for part in parts_of(result):
        if {} in part.get("oneOf", ()):
            # Anything includes null, and exactly one of the two would be meant.
            del part["oneOf"]
        for media, content in part.items():
            if "/" in media and isinstance(content, dict) and content.get("schema") == BYTES:
                content["schema"] = {}
    return result


def parts_of(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from parts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from parts_of(inner)


def plainer(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter of a path as what it is: a number, or one of a few words, where Django has a pattern for it."""
    pattern = schema.get("pattern", "").removeprefix("^").removesuffix("$")
    if pattern.startswith(r"\d"):
        return {"type": "integer"}
    return {"type": "string", "enum": pattern.split("|")} if "|" in pattern else schema


class Described(AutoSchema):
    """Every operation has a name of its own, a tag, and the one shape of a refusal."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> Any:
        """As drf-spectacular describes it; `{act}` in a name stands for the end of the path."""
        operation = super().get_operation(path, path_regex, path_prefix, method, registry)
        if operation:
            act = path.rstrip("/").rpartition("/")[2]
            operation["operationId"] = operation["operationId"].replace("{act}", act)
            shape = self._get_response_for_code(FindingsShape, "default")  # type: ignore[no-untyped-call]
            operation["responses"].setdefault("default", {**shape, "description": REFUSAL})
            for parameter in operation.get("parameters", ()):
                parameter["schema"] = plainer(parameter["schema"])
        return operation

    def get_tags(self) -> list[str]:
        """The first word of the path; nodes of drafts have theirs as a parameter."""
        return super().get_tags() or ["drafts"]
