"""An agent behind an address: the task is posted to it, the answer comes back.

The body is the task as `command` gets it, with `message`, `turn` and `history`. The answer is a JSON object with
`output` and, where there is something to tell, `events`; or it is plain text. Anything else, a web page say, is no
answer of an agent.
"""

import re
from collections.abc import Mapping
from typing import Any

import orjson

from packs.formats.schema.pieces import integer, mapping, number, strict, text
from runs.agents.contract import AgentFailed, Cancelled, Config, Purpose, Reply, Request, blamed, unusable
from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.exchange import Answer, Web
from runs.agents.endpoints.retrying import read_retry_after, retry
from runs.agents.endpoints.statuses import trouble_of
from runs.agents.endpoints.watch import Watch
from runs.replay.causes import Group, cause

LABEL = "HTTP"
HELP = "Posts the task as JSON to an address and takes the answer from what comes back."
PURPOSE = Purpose.OWN
EXAMPLE = "`https://agents.example.org/answer`"
DEFAULT_TIMEOUT, DEFAULT_RETRIES = 300, 2
SCHEMA = strict(
    LABEL,
    {
        "address": text(
            "Address",
            "Begins with https://. Hosts of the own network must be allowed by the studio's operator.",
            pattern="^https?://[^ ]+$",
            examples=["https://agents.example.org/answer"],
        ),
        "headers": mapping(
            "Headers",
            {"type": "string"},
            "Sent with each request; ${secrets.NAME} stands for a secret of the team.",
            open=True,
            examples=[{"Authorization": "Bearer ${secrets.AGENT_KEY}"}],
        ),
        "timeout_seconds": number(
            "Time limit of a request (seconds)", exclusiveMinimum=0, maximum=3600, default=DEFAULT_TIMEOUT
        ),
        "max_retries": integer(
            "Retries", "After 429, 5xx and connections that fail.", minimum=0, maximum=10, default=DEFAULT_RETRIES
        ),
    },
    required=["address"],
)
CONVERSES = True
NEEDS_WORKSPACE = False
RUNS_PROGRAMS = False
SHOWN_CHARACTERS = 400
SECRET = re.compile(r"\$\{secrets\.([A-Za-z_][A-Za-z0-9_]*)\}")
# What a host says that stands before an agent and does not reach it.
GATEWAY = (502, 503, 504)
TEXTS = ("", "text/plain", "text/markdown")


def respond(config: Config, request: Request) -> Reply:
    """What the address answers. Raises AgentFailed, Unreachable, Cancelled."""
    if request.web is None:
        raise unusable("This studio gives agents no way to other hosts.")
    watch = Watch.of(request.seconds, request.is_cancelled)
    headers = {"content-type": "application/json", **filled(config.get("headers", {}), request.secrets)}
    body = orjson.dumps(body_of(request), default=str)
    web, timeout = request.web, float(config.get("timeout_seconds", DEFAULT_TIMEOUT))
    try:
        kind, answer = retry(
            lambda number: post(web, config["address"], headers, body, watch.within(timeout)),
            watch,
            int(config.get("max_retries", DEFAULT_RETRIES)),
        )
    except EndpointFailed as error:
        raise meaning_of(error) from None
    return read(kind, answer, request)


def body_of(request: Request) -> dict[str, Any]:
    """The task as an agent may see it, and what is said now."""
    reported = {"message": request.message, "turn": request.turn, "history": list(request.history)}
    return {**request.task.for_agent(), **reported}


def filled(headers: Mapping[str, str], secrets: Mapping[str, str]) -> dict[str, str]:
    """The headers with secrets in their places. Raises Unreachable for a secret that the team does not have."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in secrets:
            raise unusable(f"The team has no secret {found[1]!r}: an administrator sets it, or changes the headers.")
        return secrets[found[1]]

    return {name: SECRET.sub(value, text) for name, text in headers.items()}


def post(web: Web, address: str, headers: Mapping[str, str], body: bytes, watch: Watch) -> tuple[str, bytes]:
    """One attempt; gives the media type and the body. Raises EndpointFailed."""
    with web.send("POST", address, watch, headers, body) as answer:
        refuse_trouble(answer)
        return answer.headers.get("content-type", ""), answer.body()


def refuse_trouble(answer: Answer) -> None:
    """Raises EndpointFailed for every status but success."""
    status = answer.status
    trouble = Trouble.UNREACHABLE if status in GATEWAY else trouble_of(status)
    if trouble is None:
        return
    said = "" if 300 <= status < 400 else answer.body().decode("utf-8", "replace")[:SHOWN_CHARACTERS]
    hint = " Redirects are not followed." if 300 <= status < 400 else ""
    raise EndpointFailed(
        trouble, f"The agent answered with status {status}.{hint} {said}".strip(), retry_after_of(answer)
    )


def retry_after_of(answer: Answer) -> float | None:
    return read_retry_after(answer.headers.get("retry-after", ""))


def meaning_of(error: EndpointFailed) -> Exception:
    """What trouble with the address means for the trial."""
    if error.trouble is Trouble.CANCELLED:
        return Cancelled()
    return blamed(cause(Group.ADDRESS, error.trouble), str(error))


def read(kind: str, body: bytes, request: Request) -> Reply:
    """The answer in a body of a media type. Raises AgentFailed, and Unreachable for what no agent sends."""
    media = kind.partition(";")[0].strip().lower()
    if media in TEXTS:
        return Reply(body.decode("utf-8", "replace"))
    if "json" not in media:
        message = f"The address answers with {media}. An agent answers with JSON (application/json) or with text/plain."
        raise blamed(cause(Group.ADDRESS, "wrong_type"), message)
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise AgentFailed(f"The answer of the agent is not JSON: {error}.") from None
    if isinstance(value, str):
        return Reply(value)
    if not isinstance(value, dict) or not isinstance(value.get("output"), str):
        raise AgentFailed('The answer of the agent must be a JSON object with a text under "output".')
    events = value.get("events", [])
    for event in events if isinstance(events, list) else [events]:
        record(event, request)
    return Reply(value["output"])


def record(event: Any, request: Request) -> None:
    """Record an event that the agent tells of. Raises AgentFailed for what is none."""
    payload = event.get("payload", {}) if isinstance(event, Mapping) else None
    if not isinstance(payload, dict) or not isinstance(event.get("type"), str):
        raise AgentFailed("An event of the agent needs a type, and a payload that is an object.")
    request.record(event["type"], payload)
