"""Expectations that an agent can read in its own case: in what a case gives, or what its instructions make of that.
And checks that compare with what agents are told."""

from collections.abc import Iterator
from typing import Any

from packs.formats.adapter import PackIndex
from packs.formats.challenge_pack import templates
from packs.formats.challenge_pack.evidence import is_reference
from packs.formats.challenge_pack.reference import answers_of
from packs.formats.challenge_pack.values import SPEC, entries, evaluation_spec, execution_mode, mapping, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.leaks import CONTEXT, leaks_in

ANSWER_SHOWN = Rule(
    "challenge_pack.N303",
    "The expected text {answer} stands in what the agent sees ({form}).",
    "This is fine if the agent is meant to find it there; otherwise the case gives its answer away.",
)
EXPECTED_TOLD = Rule(
    "challenge_pack.N304",
    "The answer is compared with {reference}, which agents of {mode} packs receive as data.",
    "This is fine if agents may repeat or use it; a right answer belongs in `expectations`, away from agents.",
)
LEFT_OUT = 60
_TOLD = ("case.payload", "case.inputs.", "challenge_input")


def check_leaks(index: PackIndex, case: Document, mode: str) -> Iterator[Finding]:
    """Expected texts that stand in the payload or in an input, as far as agents are told of these."""
    shown: list[tuple[str, Any]] = []

    def places(_: object) -> list[tuple[str, Any]]:
        if not shown:
            shown.append((CONTEXT, _described(index, case, mode)))
        return shown

    for leak in leaks_in(answers_of(case), places):
        yield ANSWER_SHOWN.at(leak.answer.path, answer=repr(leak.answer.text[:LEFT_OUT]), form=leak.form)


def check_expected(pack: Document) -> Iterator[Finding]:
    """Validators and judges whose expected side is in the data of a case; in a single prompt its template decides."""
    spec, mode = evaluation_spec(pack), execution_mode(pack)
    stated = [("validators", position, "expected_from", part) for position, part in entries(spec, "validators")]
    stated += [("llm_judges", position, "reference_from", part) for position, part in entries(spec, "llm_judges")]
    for name, position, field, part in stated if mode != "prompt_eval" else ():
        reference = text(part, field)
        if reference.startswith(_TOLD) and is_reference(reference):
            yield EXPECTED_TOLD.at((*SPEC, name, position, field), reference=reference, mode=mode)


def _described(index: PackIndex, case: Document, mode: str) -> Any:
    """What the agent is told of a case: in a single prompt just what the instructions ask for (challenge-pack c.7)."""
    context = templates.context_of(case)
    if mode != "prompt_eval":
        return [mapping(case, "payload"), context]
    instructions = (index.challenge(text(case, "challenge_key")) or {}).get("instructions")
    return templates.render(instructions, context) if isinstance(instructions, str) else ""
