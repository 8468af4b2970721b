"""Trying a case: its probes are graded, and what came out otherwise than expected becomes the reasons of its state."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from packs.formats.case_values import CaseValues
from packs.formats.leaks import CONTEXT, PROMPT, Leak
from packs.formats.task import Task
from runs.engine.judging import VERDICTS
from runs.engine.outcome import Outcome, Verdict
from runs.grading.graders.contract import Verdict as Say
from runs.grading.graders.evidence import Evidence
from runs.grading.scoring import score
from runs.proof.author import CaseNotes
from runs.proof.cheap import Neighbour, cheap_answers, other_choices, other_values
from runs.proof.document import CaseProof, CaseState, Reason, Spread
from runs.proof.done import done_otherwise
from runs.proof.equals import equals_of
from runs.proof.mutants import file_mutants, mutants_of
from runs.proof.needs import asks_models, missing_for
from runs.proof.probes import MISSING, Code, Expect, Origin, Probe, Work, equal
from runs.proof.rules import (
    asks_exactly,
    asks_programs,
    is_code,
    lone_expectation,
    looks_at_answer,
    mark_of,
    other_references,
    tolerance_of,
    weakness_of,
)
from runs.proof.turning import stuck_dimensions, unusable_graders, unused_graders
from runs.replay.causes import Fault

# How often the same answer is graded, so that a case that wavers is seen.
REPEATS = 5
# Programs can waver more than code of our own, so they are run more often.
REPEATS_OF_PROGRAMS = 10
GradeWork = Callable[[Task, Work], Outcome]


@dataclass(slots=True)
class Trying:
    """The probes of one case with their outcomes."""

    task: Task
    grade: GradeWork
    outcomes: list[tuple[Probe, Outcome]] = field(default_factory=list)
    spread: Spread | None = None

    def run(self, probe: Probe) -> Outcome:
        outcome = self.grade(self.task, probe.work)
        self.outcomes.append((probe, outcome))
        return outcome


def prove(
    task: Task,
    others: Sequence[Neighbour],
    notes: CaseNotes,
    grade: GradeWork,
    leaks: Sequence[Leak] = (),
    canary: Sequence[str] = (),
) -> CaseProof:
    """Try a case. `others` are its neighbours, `notes` what its author states beside the pack, `canary` the places in
    which an agent reads the canary of the pack."""
    trying = Trying(task, grade)
    reasons = [*_judged(trying, others, notes), *_leaking(leaks), *_seen(canary)]
    accepted: list[Reason] = []
    kept: list[Reason] = []
    for reason in _once(reasons):
        why = notes.accepts(reason.code)
        (accepted if why else kept).append(replace(reason, accepted=why) if why else reason)
    counted = [is_as_expected(probe, outcome) for probe, outcome in trying.outcomes if probe.counts]
    wrong = [is_as_expected(probe, outcome) for probe, outcome in trying.outcomes if probe.expect is Expect.REFUSE]
    return CaseProof(
        task.input_set_key,
        task.challenge_key,
        task.case_key,
        _state(kept),
        tuple(kept),
        tuple(accepted),
        round(sum(counted) / len(counted), 4) if counted else None,
        len(trying.outcomes),
        len(wrong),
        sum(wrong),
        trying.spread,
    )


def _state(reasons: Sequence[Reason]) -> CaseState:
    if any(reason.code not in MISSING for reason in reasons):
        return CaseState.REFUTED
    return CaseState.UNPROVEN if reasons else CaseState.PROVEN


def _once(reasons: Iterable[Reason]) -> Iterator[Reason]:
    """Each code with its first message; the probes that showed the same are said by their number."""
    found: dict[Code, list[Reason]] = {}
    for reason in reasons:
        found.setdefault(reason.code, []).append(reason)
    for first, *more in found.values():
        also = f" ({len(more)} more like it.)" if more else ""
        yield replace(first, message=first.message + also)


def is_as_expected(probe: Probe, outcome: Outcome) -> bool:
    """Whether an answer came out as a sound case has it: what could not be judged did not pass."""
    passed = outcome.verdict is Verdict.PASSED
    return passed if probe.expect is Expect.PASS else not passed


def _judged(trying: Trying, others: Sequence[Neighbour], notes: CaseNotes) -> Iterator[Reason]:
    task = trying.task
    gold = reference_of(task, notes)
    if gold is None:
        yield Reason(Code.NO_REFERENCE, "The case states no right answer to try. Add one to it, or to proof.yaml.")
    elif task.conversation is not None and not gold.events:
        yield Reason(Code.NEEDS_EVENTS, "The case is a conversation. State the `events` of a right one in proof.yaml.")
        return
    else:
        yield from _right(trying, gold)
        yield from _unjudged(trying)
    for probe in _probes(task, gold, others, notes):
        outcome = trying.run(probe)
        if _speaks_against(probe, outcome, trying):
            yield _reason(task, probe, outcome)
    yield from _turned(trying)


def _speaks_against(probe: Probe, outcome: Outcome, trying: Trying) -> bool:
    """Whether an answer shows a fault: an equal one that could not be judged does not, nor one that fails as the
    reference itself does."""
    if not probe.decides or is_as_expected(probe, outcome):
        return False
    if probe.expect is Expect.REFUSE or probe.origin is Origin.AUTHOR:
        return True
    return outcome.verdict is Verdict.FAILED and trying.outcomes[0][1].verdict is Verdict.PASSED


def reference_of(task: Task, notes: CaseNotes) -> Work | None:
    """The right answer: what the author states beside the pack, else what the case states."""
    if notes.reference is not None:
        return notes.reference
    stated = task.reference if task.reference is not None else lone_expectation(task)
    if stated is None and not task.reference_files:
        return None
    return Work(stated or "", dict(task.reference_files))


def _right(trying: Trying, gold: Work) -> Iterator[Reason]:
    """The reference passes, and does so each time; so does what else the case calls its reference."""
    yield from _passes_each_time(trying, gold)
    for text in other_references(trying.task):
        probe = Probe("the other reference of the case", Code.REFERENCE_FAILS, Expect.PASS, Work(text), Origin.CASE)
        outcome = trying.run(probe)
        if outcome.verdict is Verdict.FAILED:
            message = f"A reference that the case states does not pass, {shown(probe.work)}: {why(outcome)}"
            yield Reason(Code.REFERENCE_FAILS, message, probe.name)


def _passes_each_time(trying: Trying, gold: Work) -> Iterator[Reason]:
    probe = Probe("the reference", Code.REFERENCE_FAILS, Expect.PASS, gold, Origin.CASE)
    first = trying.run(probe)
    if first.verdict is Verdict.FAILED:
        yield Reason(Code.REFERENCE_FAILS, f"The right answer does not pass: {why(first)}", probe.name)
    elif first.verdict is Verdict.ERROR and first.fault is Fault.PACK:
        yield Reason(Code.REFERENCE_FAILS, f"The right answer cannot be graded: {first.error}", probe.name)
    times = REPEATS_OF_PROGRAMS if asks_programs(trying.task) else REPEATS
    seen = {first.verdict.value, *_repeated(trying, gold, first, times - 1)}
    if len(seen) > 1:
        words, scores = " and ".join(sorted(seen)), ""
        if trying.spread is not None and trying.spread.lowest is not None:
            scores = f", with scores from {trying.spread.lowest:.2f} to {trying.spread.highest:.2f}"
        yield Reason(Code.FLAKY, f"The right answer came out as {words} in {times} gradings{scores}.", probe.name)


def _repeated(trying: Trying, gold: Work, first: Outcome, times: int) -> set[str]:
    """The verdicts where the same answer is graded again. Where only code of our own judges, what was recorded of it is
    handed to the graders anew: nothing before them can waver."""
    task = trying.task
    if first.recording is None or asks_programs(task) or asks_models(task):
        again = [trying.grade(task, gold) for _ in range(times)]
        if asks_models(task):
            trying.spread = _spread_of([first, *again])
        return {outcome.verdict.value for outcome in again}
    evidence = Evidence([CaseValues(task.evidence)] if task.case_key else [], first.recording)
    said = {score(task.scoring, task.graders, evidence).verdict for _ in range(times)}
    return {first.verdict.value if each == first.scorecard.get("verdict") else VERDICTS[each].value for each in said}


def _spread_of(outcomes: Sequence[Outcome]) -> Spread | None:
    """What judges made of the same answer; None where they gave no verdict."""
    judged = [each for each in outcomes if each.verdict in (Verdict.PASSED, Verdict.FAILED)]
    scores = [each.score for each in judged if each.score is not None]
    passed = sum(each.verdict is Verdict.PASSED for each in judged)
    lowest, highest = min(scores, default=None), max(scores, default=None)
    return Spread(len(judged), passed, lowest, highest) if judged else None


def _unjudged(trying: Trying) -> Iterator[Reason]:
    """What is missing where the reference could not be judged."""
    _, first = trying.outcomes[0]
    if first.verdict in (Verdict.UNDECIDED, Verdict.WAITING) or (
        first.verdict is Verdict.ERROR and first.fault is not Fault.PACK
    ):
        code, message = missing_for(trying.task, first)
        yield Reason(code, message, "the reference")


def _probes(task: Task, gold: Work | None, others: Sequence[Neighbour], notes: CaseNotes) -> Iterator[Probe]:
    yield from cheap_answers(task, gold, mark_of(task), others)
    for number, right in enumerate(notes.right, start=1):
        yield replace(equal(f"right answer {number} of proof.yaml", ""), work=right, origin=Origin.AUTHOR)
    for number, wrong in enumerate(notes.wrong, start=1):
        yield Probe(f"wrong answer {number} of proof.yaml", Code.ACCEPTS_WRONG, Expect.REFUSE, wrong, Origin.AUTHOR)
    if gold is None:
        return
    code = is_code(task)
    if gold.text and task.conversation is None and looks_at_answer(task):
        together = [
            *other_choices(task, gold.text),
            *other_values(task, gold.text),
            *mutants_of(gold.text, is_code=code, tolerance=tolerance_of(task, gold.text)),
            *equals_of(gold.text, is_code=code, is_exact=asks_exactly(task)),
        ]
        # What the reference does stays: only its words are changed.
        yield from (replace(probe, work=replace(gold, text=probe.work.text)) for probe in together)
    yield from done_otherwise(task, gold)
    if gold.files:
        yield from file_mutants(gold.text, dict(gold.files))


def _reason(task: Task, probe: Probe, outcome: Outcome) -> Reason:
    if probe.expect is Expect.PASS:
        message = f"It refuses an answer that is as right as the reference ({probe.name}): {why(outcome)}"
        return Reason(probe.code, message, probe.name)
    weakness = weakness_of(task)
    more = f" {weakness}" if weakness else ""
    return Reason(probe.code, f"It accepts {probe.name}: {shown(probe.work)}.{more}", probe.name)


def shown(work: Work) -> str:
    """The beginning of an answer, for a message."""
    text = " ".join(work.text.split())
    return repr(text if len(text) <= 80 else f"{text[:79]}…")


def why(outcome: Outcome) -> str:
    """What speaks against an answer, in the words of its graders."""
    failed = [grade for grade in outcome.grades if grade.verdict is Say.FAIL]
    if failed:
        return "; ".join(f"{grade.key}: {grade.reason or 'failed'}" for grade in failed[:3])
    return outcome.error or str(outcome.scorecard.get("overall_reason") or outcome.verdict.value)


def _turned(trying: Trying) -> Iterator[Reason]:
    judged = [outcome for _, outcome in trying.outcomes if outcome.verdict in (Verdict.PASSED, Verdict.FAILED)]
    if not any(outcome.verdict is Verdict.PASSED for outcome in judged):
        return
    for key in unused_graders(trying.task, judged):
        message = f"The check `{key}` decides nothing: turned round, no answer that was tried comes out otherwise."
        yield Reason(Code.GRADER_UNUSED, message, key)
    for key, reason in unusable_graders(judged).items():
        yield Reason(Code.GRADER_UNUSED, f"The check `{key}` cannot be used: {reason}", key)
    for key in stuck_dimensions(trying.task, judged):
        yield Reason(Code.DIMENSION_STUCK, f"The dimension `{key}` has the same score for all answers.", key)


def _leaking(leaks: Sequence[Leak]) -> Iterator[Reason]:
    for leak in leaks:
        place = f"the {leak.place}" if leak.place in (PROMPT, CONTEXT) else f"`{leak.place}`"
        message = f"Agents read the right answer {shown(Work(leak.answer.text))} in {place}, {leak.form}."
        yield Reason(Code.LEAKS, message)


def _seen(canary: Sequence[str]) -> Iterator[Reason]:
    for place in canary:
        yield Reason(Code.LEAKS, f"Agents read the canary of the pack in {place}.", "the canary")
