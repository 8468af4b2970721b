"""The settings of `execution` and of conversations, as far as their values count (agentv C.7, E)."""

from collections.abc import Mapping
from typing import Any

from packs.formats.agentv.reading import is_text
from packs.formats.agentv.schema.suite import EXECUTION
from packs.formats.agentv.schema.test import TALK
from packs.formats.document import Document
from packs.formats.structure import counting
from packs.formats.values import listing, mapping

DEFAULT_THRESHOLD = 0.8
_ALIASES = {"budgetUsd": "budget_usd", "failOnError": "fail_on_error"}
_ALIASES_OF_TRIALS = {"costLimitUsd": "cost_limit_usd"}
_execution = counting(EXECUTION, "ignored")
# How a conversation is played: the options of a test beside its turns.
options_of_talk = counting(TALK, "bad_option")


def settings_of(document: Document) -> Document:
    """The settings of a suite or a test that count, by their usual names."""
    stated = _respelt(mapping(document.get("execution")), _ALIASES)
    if isinstance(stated.get("trials"), dict):
        stated = {**stated, "trials": _respelt(stated["trials"], _ALIASES_OF_TRIALS)}
    return _execution(stated)


def _respelt(stated: Document, aliases: Mapping[str, str]) -> Document:
    """A mapping by its usual keys, which win over the others unless they are null."""
    others = {aliases[key]: value for key, value in stated.items() if key in aliases}
    return others | {key: value for key, value in stated.items() if value is not None or key not in others}


def threshold_of(suite: Document, test: Document) -> float:
    """The score from which a test has passed (agentv F.6)."""
    for document in (test, suite):
        stated = settings_of(document).get("threshold")
        if stated is not None:
            return float(stated)
    return DEFAULT_THRESHOLD


def suite_name(suite: Document) -> str:
    """The name of a suite in results: its own, else that of its file (agentv A.3)."""
    stem = str(suite.get("$file", "")).rpartition("/")[2]
    for ending in (".yaml", ".yml", ".eval", ".EVAL"):
        stem = stem.removesuffix(ending)
    return str(suite["name"]) if is_text(suite.get("name")) else stem


def target_names(suite: Document, test: Document) -> list[str]:
    """The targets that a test is for, by name: those of the suite, as far as the test does not leave some out."""
    own, shared = settings_of(test).get("targets"), settings_of(suite)
    stated = _names(shared.get("targets"))
    single = shared.get("target", suite.get("target"))
    named = stated or _names([single])
    wanted = _names(own)
    return [name for name in named if name in wanted] if wanted and named else wanted or named


def _names(stated: Any) -> list[str]:
    found = []
    for item in listing(stated):
        name = item.get("name") if isinstance(item, dict) else item
        if isinstance(name, str) and name.strip():
            found.append(name.strip())
    return found
