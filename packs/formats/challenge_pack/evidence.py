"""Evidence references: what graders and judges look at (challenge-pack d.2)."""

import re

PLAIN_REFERENCES = (
    "final_output",
    "run.final_output",
    "challenge_input",
    "case.payload",
    "transcript.full",
    "transcript.from_mismatch",
    "turn.expectations",
)
DOTTED_PREFIXES = ("case.payload.", "case.inputs.", "case.expectations.", "artifact.")
FILE_PREFIX = "file:"
LITERAL_PREFIX = "literal:"
TURNS_PREFIX = "transcript.last_n:"

_COUNT = re.compile(r"\+?0*[1-9][0-9]{0,17}")

# For messages: the forms that a reference may have.
FORMS = (
    "final_output, challenge_input, case.payload, case.inputs.<key>, case.expectations.<key>, artifact.<key>, "
    "file:<check>, literal:<text>, transcript.full"
)


def is_reference(reference: str) -> bool:
    """Whether a text has the form of an evidence reference; what it names need not exist."""
    if reference in PLAIN_REFERENCES or reference.startswith(LITERAL_PREFIX):
        return True
    if reference.startswith(FILE_PREFIX):
        return bool(reference.removeprefix(FILE_PREFIX).strip())
    if reference.startswith(TURNS_PREFIX):
        return _COUNT.fullmatch(reference.removeprefix(TURNS_PREFIX).strip()) is not None
    return bool(dotted_path(reference))


def dotted_path(reference: str) -> tuple[str, tuple[str, ...]] | None:
    """The prefix of a dotted reference and its segments, `("case.inputs.", ("doc", "value"))`; None for other forms."""
    for prefix in DOTTED_PREFIXES:
        if reference.startswith(prefix):
            segments = tuple(segment.strip() for segment in reference.removeprefix(prefix).split("."))
            return (prefix, segments) if all(segments) else None
    return None


def reads_case(reference: str) -> bool:
    """Whether a reference needs exactly one case in scope (challenge-pack d.2, resolution 1)."""
    return reference.startswith(("case.", "artifact.")) or reference == "challenge_input"


def reads_conversation(reference: str) -> bool:
    """Whether a reference has a value in a conversation only."""
    return reference.startswith("transcript.") or reference == "turn.expectations"
