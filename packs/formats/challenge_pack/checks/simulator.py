"""Rules about the simulated user of a case (challenge-pack e, U1 to U18; c.6)."""

from collections.abc import Iterator

from packs.formats.adapter import PackIndex
from packs.formats.challenge_pack.checks.cases import check_expectations
from packs.formats.challenge_pack.templates import context_of, unresolved
from packs.formats.challenge_pack.values import entries, given, mapping, repeated, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import exact_text

ROOT: Path = ("user_simulator",)

SIMULATOR_MISSING = Rule(
    "challenge_pack.E951",
    "A multi_turn pack needs a simulated user in every case.",
    "Add `user_simulator` with at least one phase.",
    "U1",
)
SIMULATOR_NOT_ALLOWED = Rule(
    "challenge_pack.E952",
    "A simulated user is only for multi_turn packs; this one is {mode}.",
    "Remove `user_simulator`, or set the execution mode to multi_turn.",
    "U2",
)
PHASE_ID_REPEATED = Rule("challenge_pack.E960", "Two phases have the id {key!r}.", "Rename one of them.", "U10")
MESSAGE_UNRESOLVED = Rule(
    "challenge_pack.E971",
    "`{{{{{name}}}}}` in the message has no value in this case.",
    "Add it to the payload or the inputs, or take it out of the message.",
    "U18",
)


def check_simulator(index: PackIndex, case: Document, mode: str) -> Iterator[Finding]:
    """U1, U2, U10 and U18 for one case of a pack of that execution mode."""
    if not given(case, "user_simulator"):
        if mode == "multi_turn":
            yield SIMULATOR_MISSING.at(ROOT)
    elif mode != "multi_turn":
        yield SIMULATOR_NOT_ALLOWED.at(ROOT, mode=mode)
    else:
        yield from _check_phases(index, case, mapping(case, "user_simulator"))


def _check_phases(index: PackIndex, case: Document, simulator: Document) -> Iterator[Finding]:
    for position, key in repeated(simulator, "phases", "id"):
        yield PHASE_ID_REPEATED.at((*ROOT, "phases", position, "id"), key=key)
    context = context_of(case)
    for position, phase in entries(simulator, "phases"):
        for number, turn in entries(phase, "turns") if text(phase, "actor") == "scripted" else ():
            place = (*ROOT, "phases", position, "turns", number)
            for name in unresolved(exact_text(turn, "message"), context):
                yield MESSAGE_UNRESOLVED.at((*place, "message"), name=name)
            yield from check_expectations(index, case, turn, "expects", place)
