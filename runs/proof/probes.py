"""What a case is tried with: an answer, what is expected of it, and the reason where it comes out otherwise.

The codes are stable and documented in docs/proof.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Expect(StrEnum):
    """What a sound case does with an answer."""

    PASS = "pass"
    REFUSE = "refuse"


class Code(StrEnum):
    """Why a case is not proven."""

    NO_REFERENCE = "no_reference"
    NEEDS_JUDGE = "needs_judge"
    NEEDS_PERSON = "needs_person"
    NEEDS_SANDBOX = "needs_sandbox"
    NEEDS_EVENTS = "needs_events"
    REFERENCE_FAILS = "reference_fails"
    ACCEPTS_EMPTY = "accepts_empty"
    ACCEPTS_REFUSAL = "accepts_refusal"
    ACCEPTS_ECHO = "accepts_echo"
    ACCEPTS_OTHER_CASE = "accepts_other_case"
    ACCEPTS_EVERYTHING = "accepts_everything"
    ACCEPTS_RUBRIC = "accepts_rubric"
    ACCEPTS_NOTHING_DONE = "accepts_nothing_done"
    ACCEPTS_FORGED = "accepts_forged"
    ACCEPTS_MUTANT = "accepts_mutant"
    ACCEPTS_WRONG = "accepts_wrong"
    REFUSES_EQUAL = "refuses_equal"
    FLAKY = "flaky"
    LEAKS = "leaks"
    GRADER_UNUSED = "grader_unused"
    DIMENSION_STUCK = "dimension_stuck"


# What a person calls an answer that is kept with a case, as `proof.yaml` has it.
WORTHS = ("right", "wrong")
# What only says that something is missing; all others refute a case.
MISSING = frozenset({Code.NO_REFERENCE, Code.NEEDS_JUDGE, Code.NEEDS_PERSON, Code.NEEDS_SANDBOX, Code.NEEDS_EVENTS})


class Origin(StrEnum):
    """Where a probe comes from."""

    CASE = "case"
    GENERATED = "generated"
    AUTHOR = "author"


@dataclass(frozen=True, slots=True)
class Work:
    """What an agent could hand in: its answer, the files that it writes (path to text), and what it did (events).

    Files that it was given are there beside its own, but where it `deletes` them.
    """

    text: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    events: Sequence[Mapping[str, Any]] = ()
    deletes: bool = False


@dataclass(frozen=True, slots=True)
class Probe:
    """One answer to try. `name` says in a few words what it is; `code` is the reason if it comes out otherwise.

    Those that `counts` make the strength of a case: mutants are refused, equal answers accepted. Where `decides` is
    false, that is all: a sound case may go either way.
    """

    name: str
    code: Code
    expect: Expect
    work: Work
    origin: Origin = Origin.GENERATED
    counts: bool = False
    decides: bool = True


def refused(name: str, code: Code, text: str, *, counts: bool = False) -> Probe:
    """An answer in words that a sound case does not accept."""
    return Probe(name, code, Expect.REFUSE, Work(text), counts=counts)


def equal(name: str, text: str, *, decides: bool = True) -> Probe:
    """Another way to write the right answer, which a sound case accepts."""
    return Probe(name, Code.REFUSES_EQUAL, Expect.PASS, Work(text), counts=True, decides=decides)
