"""What the galleries of agents and connections offer, by what it is for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from django.urls import reverse

from packs.models import Team
from runs.agents import AGENTS
from runs.agents.contract import Purpose
from runs.launch.launching import unavailable_reason


@dataclass(frozen=True, slots=True)
class Choice:
    """One kind as the gallery shows it: `kind` has its label, sentence and example; `note` why it does not run here."""

    name: str
    purpose: str
    url: str
    kind: Mapping[str, str]
    note: str = ""


class Group(NamedTuple):
    purpose: str
    choices: list[Choice]


class Serving(StrEnum):
    """Where a connection leads."""

    HOSTED = "A provider serves the models"
    OWN = "You serve the models"
    OTHER = "Another address"


@dataclass(frozen=True, slots=True)
class Provider:
    """A place where models answer, as far as its connections are alike."""

    label: str
    place: Serving
    says: str
    address: str = ""
    provider: str = "openai"
    has_responses: bool = False


_HOSTED = "Needs a key of your account there."
_OWN = "Needs no key; the operator of the studio must allow its host."
PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("OpenAI", Serving.HOSTED, _HOSTED, "https://api.openai.com/v1", has_responses=True),
    "anthropic": Provider("Anthropic", Serving.HOSTED, _HOSTED, "https://api.anthropic.com/v1", "anthropic"),
    "gemini": Provider(
        "Google Gemini", Serving.HOSTED, _HOSTED, "https://generativelanguage.googleapis.com/v1beta/openai", "gemini"
    ),
    "mistral": Provider("Mistral", Serving.HOSTED, _HOSTED, "https://api.mistral.ai/v1", "mistral"),
    "openrouter": Provider(
        "OpenRouter",
        Serving.HOSTED,
        f"Models of many providers. {_HOSTED}",
        "https://openrouter.ai/api/v1",
        "openrouter",
    ),
    "ollama": Provider("Ollama", Serving.OWN, _OWN, "http://127.0.0.1:11434/v1", "ollama"),
    "vllm": Provider("vLLM", Serving.OWN, _OWN, "http://127.0.0.1:8000/v1", "vllm"),
    "llama-cpp": Provider("llama.cpp", Serving.OWN, _OWN, "http://127.0.0.1:8080/v1", "llama-cpp"),
    "other": Provider(
        "OpenAI-compatible endpoint", Serving.OTHER, "Anything that answers POST requests to /chat/completions."
    ),
}


def agent_kinds(team: Team) -> list[Group]:
    """The kinds of agent, each with the page that makes one for a team."""
    choices = [
        Choice(
            name,
            kind.PURPOSE,
            f"{reverse('runs:agent-new', args=[name])}?team={team.slug}",
            {"label": kind.LABEL, "says": kind.HELP, "example": kind.EXAMPLE},
            unavailable_reason(name),
        )
        for name, kind in AGENTS.items()
    ]
    return _grouped(Purpose, choices)


def connection_kinds(team: Team) -> list[Group]:
    """The places where models answer, each with the page that makes a connection of a team."""
    choices = [
        Choice(
            name,
            found.place,
            f"{reverse('runs:connection-new')}?team={team.slug}&kind={name}",
            {"label": found.label, "says": found.says, "example": f"`{found.address}`" if found.address else ""},
        )
        for name, found in PROVIDERS.items()
    ]
    return _grouped(Serving, choices)


def _grouped(purposes: Iterable[Any], choices: list[Choice]) -> list[Group]:
    groups = (Group(purpose, [choice for choice in choices if choice.purpose == purpose]) for purpose in purposes)
    return [group for group in groups if group.choices]
