"""What graders are told of the test, beside the assertion: the member `test` of their configuration (agentv B.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats.values import mapping
from runs.grading.graders.values import as_number

CLASSIC, PINNED = "classic", "pinned"
# Who judges where nobody is named: a model of this name, or what is chosen for it when a run is started.
JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """The facts of a test.

    `input` and `expected_output` are lists of messages, `reference` the gold answer as text. `folder` is that of the
    suite in the pack, `threshold` the score from which the test passes. `generation` says in which
    shape programs are told of the trial: classic or pinned. `targets` are the names that the pack's targets file knows,
    None where the pack has no such file. Where an assertion names nobody, `judges` says who judges the answers of an
    agent by its name, and `judge` who judges those of others; `agentic` are the targets that look at files themselves.
    `seconds` is how long a program may take, where the workspace says so of its container. `files` are those that
    messages show, by their paths as written: each with its name in the pack, and its text where it is one.
    """

    id: str = ""
    criteria: str = ""
    input: tuple[Any, ...] = ()
    input_files: tuple[Any, ...] = ()
    expected_output: tuple[Any, ...] = ()
    reference: str = ""
    metadata: Mapping[str, Any] | None = None
    folder: str = ""
    threshold: float = 0.8
    generation: str = CLASSIC
    targets: tuple[Any, ...] | None = None
    judge: str = JUDGE
    judges: Mapping[str, str] = field(default_factory=dict)
    agentic: tuple[Any, ...] = ()
    files: Mapping[str, Any] = field(default_factory=dict)
    seconds: float | None = None


def facts_of(config: Mapping[str, Any]) -> CaseFacts:
    """The facts that a configuration holds; what it leaves out is as in a test that does not state it."""
    stated = mapping(config.get("test"))
    targets, metadata = stated.get("targets"), stated.get("metadata")
    threshold = as_number(config.get("threshold"))
    return CaseFacts(
        id=str(stated.get("id", "")),
        criteria=str(stated.get("criteria") or ""),
        input=_listed(stated.get("input")),
        input_files=_listed(stated.get("input_files")),
        expected_output=_listed(stated.get("expected_output")),
        reference=str(stated.get("reference_answer") or ""),
        metadata=metadata if isinstance(metadata, Mapping) else None,
        folder=str(stated.get("folder") or ""),
        threshold=0.8 if threshold is None else threshold,
        generation=PINNED if stated.get("generation") == PINNED else CLASSIC,
        targets=None if targets is None else _listed(targets),
        judge=str(stated.get("judge") or JUDGE),
        files=mapping(stated.get("files")),
        seconds=as_number(config.get("seconds")),
        agentic=_listed(stated.get("agentic")),
        judges={str(name): str(judge) for name, judge in mapping(stated.get("judges")).items()},
    )


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()
