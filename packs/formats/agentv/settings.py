"""The settings of `execution`: which values count, and which are ignored (agentv E)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from packs.formats.agentv.reading import is_text
from packs.formats.agentv.schema.suite import STRATEGIES
from packs.formats.document import Document
from packs.formats.values import is_number, listing, mapping

DEFAULT_THRESHOLD = 0.8
ALIASES = {"budgetUsd": "budget_usd", "failOnError": "fail_on_error"}
MAX_WORKERS = 50


def is_fraction(value: Any) -> bool:
    """Whether a value is a number from 0 to 1."""
    return is_number(value) and 0 <= value <= 1


def _is_above_zero(value: Any) -> bool:
    return is_number(value) and value > 0


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


Test = Callable[[Any], bool]
# Each setting with the test of its value and what is wanted.
SETTINGS: Mapping[str, tuple[Test, str]] = {
    "target": (is_text, "the name of a target is wanted"),
    "targets": (lambda value: isinstance(value, list), "a list is wanted"),
    "workers": (lambda value: _is_whole(value) and 1 <= value <= MAX_WORKERS, "a whole number from 1 to 50 is wanted"),
    "threshold": (is_fraction, "a number from 0 to 1 is wanted"),
    "budget_usd": (_is_above_zero, "a number above 0 is wanted"),
    "fail_on_error": (lambda value: isinstance(value, bool), "true or false is wanted"),
    "cache": (lambda value: isinstance(value, bool), "true or false is wanted"),
    "cache_path": (is_text, "a path is wanted"),
    "skip_defaults": (lambda value: isinstance(value, bool), "true or false is wanted"),
}
TRIALS: Mapping[str, tuple[Test, str]] = {
    "count": (lambda value: _is_whole(value) and value >= 1, "a whole number of at least 1 is wanted"),
    "strategy": (
        lambda value: isinstance(value, str) and value in STRATEGIES,
        f"one of {', '.join(STRATEGIES)} is wanted",
    ),
    "cost_limit_usd": (_is_above_zero, "a number above 0 is wanted"),
}
_TRIAL_ALIASES = {"costLimitUsd": "cost_limit_usd"}


def settings_of(document: Document) -> Document:
    """The settings of a suite or a test that count, by their usual names."""
    stated = mapping(document.get("execution"))
    found = _usable(stated, SETTINGS, ALIASES)
    trials = _usable(mapping(stated.get("trials")), TRIALS, _TRIAL_ALIASES)
    if "count" in trials:
        found["trials"] = trials
    return found


def _usable(stated: Document, known: Mapping[str, tuple[Test, str]], aliases: Mapping[str, str]) -> Document:
    named = {aliases.get(key, key): value for key, value in stated.items()}
    return {key: value for key, value in named.items() if key in known and known[key][0](value)}


def ignored(document: Document) -> Iterator[tuple[tuple[str, ...], str]]:
    """The settings whose value is ignored: the path below the document, and what is wanted there."""
    stated = document.get("execution")
    if stated is None:
        return
    if not isinstance(stated, dict):
        yield ("execution",), "a mapping is wanted"
        return
    yield from _unusable(stated, ("execution",), SETTINGS, ALIASES)
    trials = stated.get("trials")
    if isinstance(trials, dict):
        yield from _unusable(trials, ("execution", "trials"), TRIALS, _TRIAL_ALIASES)
    elif trials is not None:
        yield ("execution", "trials"), "a mapping is wanted"


def _unusable(
    stated: Document, place: tuple[str, ...], known: Mapping[str, tuple[Test, str]], aliases: Mapping[str, str]
) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in stated.items():
        is_usable, wanted = known.get(aliases.get(key, key), (_anything, ""))
        if not is_usable(value):
            yield (*place, key), wanted


def _anything(value: Any) -> bool:
    return True


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
