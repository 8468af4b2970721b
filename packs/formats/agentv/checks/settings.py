"""Project settings (agentv I.4): the pack's own document."""

from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule

BAD_PATTERNS = Rule("agentv.E190", "`eval_patterns` must be a list of texts.", hint="Start each entry with a dash.")
BAD_VERSION = Rule(
    "agentv.E191", "`required_version` must be text.", hint="Write a range of versions in quotes, such as '>=4.33'."
)
BAD_RESULTS = Rule("agentv.E192", "`results` must be a mapping.", hint="Write its fields below it.")
BAD_PLACE = Rule(
    "agentv.E193", "The path of results must be absolute or below the home folder.", hint="Begin with / or ~."
)
USER_LEVEL = Rule(
    "agentv.W194", "AgentV reads `projects` only from the settings of a user.", hint="Remove it from the pack."
)
UNKNOWN = Rule("agentv.W195", "AgentV knows no setting {name}.", hint="Check its spelling.")
KNOWN = (
    "$schema", "eval_patterns", "guideline_patterns", "required_version", "execution", "results", "projects",
    "x-slug", "x-name", "x-description",
)  # fmt: skip


def check_settings(document: Document) -> Iterator[Finding]:
    """The findings about the project settings."""
    patterns = document.get("eval_patterns")
    if patterns is not None and not _are_texts(patterns):
        yield BAD_PATTERNS.at(("eval_patterns",))
    if "required_version" in document and not is_text(document["required_version"]):
        yield BAD_VERSION.at(("required_version",))
    results = document.get("results")
    if results is not None and not isinstance(results, dict):
        yield BAD_RESULTS.at(("results",))
    place = results.get("path") if isinstance(results, dict) else None
    if place is not None and not (isinstance(place, str) and place.startswith(("/", "~"))):
        yield BAD_PLACE.at(("results", "path"))
    if "projects" in document:
        yield USER_LEVEL.at(("projects",))
    for name in document:
        if name not in KNOWN:
            yield UNKNOWN.at((name,), name=repr(name)[:80])


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
