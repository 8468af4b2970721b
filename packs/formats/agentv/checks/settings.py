"""Project settings (agentv I.4): the pack's own document."""

from collections.abc import Iterator

from packs.formats.document import Document
from packs.formats.findings import Finding, Rule

USER_LEVEL = Rule(
    "agentv.W194", "AgentV reads `projects` only from the settings of a user.", hint="Remove it from the pack."
)
UNKNOWN = Rule("agentv.W195", "AgentV knows no setting {name}.", hint="Check its spelling.")
KNOWN = (
    "$schema", "eval_patterns", "guideline_patterns", "required_version", "execution", "results", "projects",
    "x-slug", "x-name", "x-description",
)  # fmt: skip


def check_settings(document: Document) -> Iterator[Finding]:
    """What AgentV reads elsewhere, or not at all."""
    if "projects" in document:
        yield USER_LEVEL.at(("projects",))
    for name in document:
        if name not in KNOWN:
            yield UNKNOWN.at((name,), name=repr(name)[:80])
