"""The OpenAPI description of the API: what drf-spectacular cannot see for itself."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, OpenApiExample

from packs.api.shared.shapes import FindingsShape
from studio.examples import ANSWERS, REQUESTS

# An endpoint of a list, as drf-spectacular hands it on: path, its pattern, method, view.
Endpoint = tuple[str, str, str, Callable[..., Any]]

_ACT = re.compile(r"\(\?P<act>([a-z|]+)\)")
_SENTENCE_END = re.compile(r"\.(?:\s+|$)")
BYTES = {"type": "string", "format": "binary"}
MAX_ID = 2**63 - 1
# Every status that refuses a request: the name of its answer in the description, and when it is given.
REFUSALS = {
    "400": ("BadRequest", "The request is malformed, or names a parameter, field or value that does not exist."),
    "401": ("Unauthorized", "The request has no valid key and no session."),
    "403": ("Forbidden", "You can see this, but your role or your key does not allow the request."),
    "404": ("NotFound", "There is nothing at this address, or it belongs to a team that you are not in."),
    "408": ("RequestTimeout", "The body came too slowly."),
    "409": ("Conflict", "The thing is not in a state that allows this, or somebody else changed it."),
    "412": ("PreconditionFailed", "`If-Match` names an older revision. Read again and repeat the edit."),
    "413": ("ContentTooLarge", "The body is too large."),
    "414": ("UriTooLong", "The query of the address is too long."),
    "415": ("UnsupportedMediaType", "The body has a type that this address does not take."),
    "422": ("UnprocessableContent", "The content was read and is refused; the findings say why."),
    "428": ("PreconditionRequired", "The header `If-Match` is missing."),
    "429": ("TooManyRequests", "Too much is waiting or was tried already. Ask again later."),
    "5XX": (
        "ServerError",
        "The studio has an internal error (500), cannot answer now (503), or its disk is full (507).",
    ),
}
ALWAYS = ("400", "401", "403", "414", "429", "5XX")
OF_BODIES = ("408", "413", "415")
OF_WRITES = ("409", "422")
OF_REVISIONS = ("412", "428")


def one_path_for_each_act(endpoints: Iterable[Endpoint]) -> Iterator[Endpoint]:
    """Acts that share a route get an address each: `packs/{id}/undo/`, `packs/{id}/archive/`."""
    for path, pattern, method, view in endpoints:
        acts = _ACT.search(pattern)
        for act in acts[1].split("|") if acts else ():
            yield path.replace("{act}", act), _ACT.sub(act, pattern), method, view
        if acts is None:
            yield path, pattern, method, view


def as_openapi_3_1(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """What drf-spectacular still says in the words of OpenAPI 3.0: files as texts, and anything or null.

    Bodies stay texts of the format `binary`: makers of clients know a file by it.
    """
    for part in parts_of(result):
        if {} in part.get("oneOf", ()):
            # Anything includes null, and exactly one of the two would be meant.
            del part["oneOf"]
        for answer in part.get("responses", {}).values():
            for content in answer.get("content", {}).values():
                if content["schema"] == BYTES:
                    content["schema"] = {}
    return result


def with_refusals(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The answers that operations refer to by name."""
    shape = {"$ref": "#/components/schemas/Findings"}
    result["components"]["responses"] = {
        name: {"description": text, "content": {"application/json": {"schema": shape}}}
        for name, text in REFUSALS.values()
    }
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
    if pattern.startswith(r"\d") or schema.get("type") == "integer":
        return {"type": "integer", "minimum": 1, "maximum": MAX_ID}
    if "|" in pattern:
        return {"type": "string", "enum": pattern.split("|")}
    return {name: value for name, value in schema.items() if name != "pattern"}


# Parameters of queries that name what a call is about.
NAMING = frozenset({"team", "of"})


def refusals_of(method: str, operation: dict[str, Any]) -> Iterator[str]:
    """The statuses that can refuse an operation, beside those that it describes itself."""
    yield from ALWAYS
    parameters = operation.get("parameters", ())
    if any(parameter["in"] == "path" or parameter["name"] in NAMING for parameter in parameters) or method != "GET":
        yield "404"
    if method != "GET":
        yield from OF_WRITES
    if "requestBody" in operation:
        yield from OF_BODIES
    if any(parameter["name"] == "If-Match" for parameter in parameters):
        yield from OF_REVISIONS


class Described(AutoSchema):
    """Every operation has a name of its own, a summary, a tag, and the one shape of a refusal."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> Any:
        """As drf-spectacular describes it; `{act}` in a name or summary stands for the end of the path."""
        operation = super().get_operation(path, path_regex, path_prefix, method, registry)
        if operation:
            act = path.rstrip("/").rpartition("/")[2]
            operation["operationId"] = operation["operationId"].replace("{act}", act)
            operation["summary"] = operation["summary"].replace("{act}", act.capitalize())
            self.resolve_serializer(FindingsShape, "response")
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["schema"] = plainer(parameter["schema"])
            for status in refusals_of(method, operation):
                operation["responses"].setdefault(status, {"$ref": f"#/components/responses/{REFUSALS[status][0]}"})
        return operation

    def get_summary(self) -> str:
        """The first sentence of what the view says of itself."""
        return _SENTENCE_END.split(super().get_description())[0]

    def get_description(self) -> str:  # type: ignore[override]
        """What follows the summary."""
        return "".join(_SENTENCE_END.split(super().get_description(), maxsplit=1)[1:])

    def get_examples(self) -> list[OpenApiExample]:
        """What a client may send to the operation, and what it may get."""
        name = self.get_operation_id()
        asked = [OpenApiExample("Request", REQUESTS[name], request_only=True)] if name in REQUESTS else []
        return [*asked, OpenApiExample("Answer", ANSWERS[name], response_only=True)] if name in ANSWERS else asked

    def get_serializer_name(self, serializer: Any, direction: Direction) -> str:
        """Without the words for what it is in our code: `Pack`, not `PackShape`. Bodies get the ending `Request`."""
        name = type(serializer).__name__.removesuffix("Serializer").removesuffix("Shape")
        return name.removesuffix("Body").removesuffix("Request") if direction == "request" else name

    def get_tags(self) -> list[str]:
        """The first word of the path; nodes of drafts have theirs as a parameter."""
        return super().get_tags() or ["drafts"]
