"""What asking a model takes and gives, in the words of OpenAI-compatible endpoints but without their JSON."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class Trouble(StrEnum):
    """Why a model gave no answer. Whose trouble each of them is stands in `runs.replay.causes`."""

    AUTHENTICATION = "authentication"
    NOT_FOUND = "not_found"
    REDIRECTED = "redirected"
    REFUSED = "refused"
    TOO_LONG = "too_long"
    FILTERED = "filtered"
    SPENT = "spent"
    RATE_LIMITED = "rate_limited"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    SERVER = "server"
    BAD_REPLY = "bad_reply"
    NOT_ALLOWED = "not_allowed"
    CANCELLED = "cancelled"


class EndpointFailed(Exception):
    """A model gave no answer. The message holds no key that can be hidden; `trouble` says what to do about it.

    `retry_after` are the seconds that the endpoint asked to wait, None where it did not say.
    """

    def __init__(self, trouble: Trouble, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.trouble = trouble
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool as the model wrote it; `arguments` is the text, which need not be JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Delta:
    """A part of an answer that is still being written: more of its text, or a call of a tool that has begun."""

    text: str = ""
    tool_call: ToolCall | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked.

    `messages` are chat messages as JSON values (`role`, `content`, `tool_calls`, `tool_call_id`); `tools` are function
    declarations as JSON values. `temperature`, `max_tokens` and `seed` None leave the choice to the endpoint. `extra`
    is sent as it stands. `seconds` is the time left for this call with all of its retries, None for no limit.
    `on_delta` is given the answer as it comes, where the endpoint streams; after a retry it begins anew.
    """

    model: str
    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    response_format: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    stream: bool = True
    seconds: float | None = None
    is_cancelled: Callable[[], bool] = lambda: False
    on_delta: Callable[[Delta], None] | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call, and its cost in US dollars; None where nobody said or no price is known."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None

    @property
    def total_tokens(self) -> int | None:
        known = [count for count in (self.input_tokens, self.output_tokens) if count is not None]
        return sum(known) if known else None


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """What a model costs, in US dollars per million tokens."""

    input_per_million: float
    output_per_million: float

    def of(self, usage: Usage) -> float | None:
        """The cost of a call; None where nobody counted its tokens."""
        if usage.total_tokens is None:
            return None
        spent = (usage.input_tokens or 0) * self.input_per_million
        return (spent + (usage.output_tokens or 0) * self.output_per_million) / 1_000_000


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model answered.

    `seconds` is the time of the attempt that succeeded, `first_token_seconds` the time until its first content (None
    without streaming), `attempts` how often the endpoint was asked: 0 for a reply that was stored. `connection` and
    `provider` say who gave such a reply; empty stands for the endpoint itself.
    """

    text: str
    model: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    first_token_seconds: float | None = None
    attempts: int = 1
    connection: str = ""
    provider: str = ""


class Endpoint(Protocol):
    """A connection to a place where models answer, ready for use; it holds its key and never shows it.

    `provider` is the word that packs have for who serves the models; `has_responses` says whether `respond` is known.
    """

    name: str
    provider: str
    has_responses: bool

    @property
    def address(self) -> str:
        """Where they answer; empty where nobody is asked."""

    def ask(self, request: ModelRequest) -> ModelReply:
        """One answer, after as many retries as the connection allows. Raises EndpointFailed."""

    def respond(self, request: ModelRequest) -> ModelReply:
        """One call of the endpoint's own agent, which uses the provider's tools. Raises EndpointFailed."""


@dataclass(slots=True)
class Around:
    """What an endpoint that stands before another says of itself: the same as that one."""

    endpoint: Endpoint
    name: str = field(init=False)
    provider: str = field(init=False)
    address: str = field(init=False)
    has_responses: bool = field(init=False)

    def __post_init__(self) -> None:
        self.name, self.provider = self.endpoint.name, self.endpoint.provider
        self.address, self.has_responses = self.endpoint.address, self.endpoint.has_responses
