"""The families of task and who may see which of their fields (benchmark-pack 6 and 7.2)."""

from collections.abc import Mapping

PUBLIC, EVALUATION, HIDDEN = "public", "evaluation_inputs", "hidden"
LANES = (PUBLIC, EVALUATION, HIDDEN)
REDACTED = "<redacted>"

# Family to its words on screen; only these have a validator and a verifier.
ACTIVE: Mapping[str, str] = {
    "multiple_choice": "Multiple choice",
    "short_answer": "Short answer",
    "free_response": "Free response",
    "code_completion": "Code completion",
    "repo_patch": "Repository patch",
    "terminal_task": "Terminal task",
}
DEFERRED: Mapping[str, str] = {
    "tool_call": "Tool call",
    "browser_task": "Browser task",
    "desktop_task": "Desktop task",
    "artifact_task": "Artifact task",
    "multimodal_qa": "Questions about media",
    "preference_pair": "Preference pair",
}
# Families whose verifier answers in words alone; the others run something.
TEXT_FAMILIES = frozenset({"multiple_choice", "short_answer", "free_response"})

# The fields of `eval` that reach the test sandbox; every other one is hidden.
_EVALUATION_FIELDS: Mapping[str, frozenset[str]] = {
    "code_completion": frozenset({"tests"}),
    "repo_patch": frozenset({"tests"}),
    "terminal_task": frozenset({"checker", "needed_commands", "run_tests", "test_files"}),
    "tool_call": frozenset({"initial_state"}),
    "browser_task": frozenset({"credentials"}),
}


def lane_of(family: str, field: str) -> str:
    """The visibility of a field of `eval`; what is not known is hidden."""
    return EVALUATION if field in _EVALUATION_FIELDS.get(family, ()) else HIDDEN


def label_of(family: str) -> str:
    """The words for a family on screen; its own name where it is not a known one."""
    return ACTIVE.get(family) or DEFERRED.get(family) or family
