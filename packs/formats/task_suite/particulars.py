"""What a pack states about itself that outlives one version. Task suites state little: a name, and nothing fixed."""

from packs.formats.document import Document, NodeKind
from packs.formats.values import trimmed, words_in

TITLE_POINTER = "/x-name"
EVALUATION_POINTER = "/gates"
GATES_POINTER = "/gates"

# Where checks are stated.
CHECKS_AT = {NodeKind.CASE: ("/graders",)}
KEY_POINTERS = {
    NodeKind.CHALLENGE: "/suite",
    NodeKind.INPUT_SET: "/suite",
    NodeKind.CASE: "/task_id",
    NodeKind.ASSET: "/path",
}

# The parts of the configuration that the checks of tasks look at.
SHARED_POINTERS = ("/suites", "/gates")


def title(document: Document) -> str:
    """The name on screen; see `Adapter.title`."""
    return trimmed(document.get("x-name"))


def labels(challenge: Document, input_set: Document, case: Document) -> dict[str, tuple[str, ...]]:
    """The tags of the task; the format states no difficulty. See `Adapter.labels`."""
    return {"tag": words_in(case.get("tags"))}
