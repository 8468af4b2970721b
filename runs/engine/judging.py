"""From what happened in a trial to its verdict: evidence, scorecard, and whose fault it is when there is no verdict."""

from collections.abc import Iterator
from typing import Any

from packs.formats.task import Task
from runs.engine.events import SCORING_SOURCE
from runs.engine.outcome import Ending, Fault, Outcome, Verdict
from runs.engine.recorder import Recorder
from runs.graders.contract import Grade
from runs.graders.contract import Outcome as Class
from runs.graders.evidence import build_evidence
from runs.scoring import Scorecard, score
from runs.scoring.security import security_report

VERDICTS = {
    "pass": Verdict.PASSED,
    "fail": Verdict.FAILED,
    "undecided": Verdict.UNDECIDED,
    "error": Verdict.ERROR,
}
# What a grader's error says about who has to mend something, the weightiest first.
FAULTS = {
    Class.INFRA_ERROR: Fault.MACHINE,
    Class.PACK_ERROR: Fault.PACK,
    Class.EVALUATOR_ERROR: Fault.AGENT,
}


def judge(task: Task, ending: Ending, recorder: Recorder) -> Outcome:
    """Grade the recorded events. What our machine or the pack kept from running is an error, never graded as a fail."""
    if ending.is_cancelled:
        return Outcome(Verdict.CANCELLED, stop_reason=ending.stop_reason, error=ending.error)
    if ending.fault in (Fault.MACHINE, Fault.PACK):
        return Outcome(Verdict.ERROR, stop_reason=ending.stop_reason, fault=ending.fault, error=ending.error)
    recorder.tell("scoring.started", {}, SCORING_SOURCE)
    # A run without cases has no case evidence (challenge-pack g).
    evidence = build_evidence([task.evidence] if task.case_key else [], recorder.events)
    card = score(task.scoring, task.graders, evidence)
    document = card.as_dict()
    if task.security:
        document["security_report"] = security_report(task.security, recorder.events, told_texts(task))
    tell_scoring(document, recorder)
    verdict, fault, error = decide(card, ending)
    return Outcome(
        verdict=verdict,
        score=card.score,
        stop_reason=ending.stop_reason,
        fault=fault,
        error=error,
        final_output=evidence.recording.final_output or "",
        scorecard=document,
        grades=card.grades,
    )


def told_texts(task: Task) -> list[str]:
    """The texts that an agent is given with its task: the prompt, and every text of its context as it is written."""
    return [task.prompt, *_texts(task.visible)]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(part)


def tell_scoring(document: dict[str, Any], recorder: Recorder) -> None:
    """The scoring events of challenge-pack h.3."""
    for metric in document.get("metric_details", ()):
        payload = {("metric_key" if name == "key" else name): value for name, value in metric.items()}
        recorder.tell("scoring.metric.recorded", payload, SCORING_SOURCE)
    dimensions = document.get("dimensions", {})
    summary = {
        "status": document["status"],
        "validity": document["validity"],
        "validity_reason": document.get("validity_reason", ""),
        "dimension_scores": {key: dimension.get("score") for key, dimension in dimensions.items()},
        "llm_judge_results": document.get("llm_judge_details", []),
        "warnings": document.get("warnings", []),
    }
    recorder.tell("scoring.completed", summary, SCORING_SOURCE)


def decide(card: Scorecard, ending: Ending) -> tuple[Verdict, Fault, str]:
    """The verdict, whose fault the lack of a better one is, and why in words.

    An agent that failed has failed, unless the grades say that what it left behind passes; so has one whose answer
    cannot be judged, for instance because it is not JSON. Only pack and machine make a trial an error.
    """
    verdict = VERDICTS[card.verdict]
    if verdict is Verdict.ERROR:
        fault, reason = blame(card)
        if fault is not Fault.AGENT:
            return verdict, fault, reason
        return Verdict.FAILED, fault, ending.error or reason
    if verdict is Verdict.UNDECIDED:
        if ending.fault is Fault.AGENT:
            return Verdict.FAILED, Fault.AGENT, ending.error
        return verdict, Fault.NONE, card.overall.reason
    return verdict, ending.fault, ending.error


def blame(card: Scorecard) -> tuple[Fault, str]:
    """Whose fault it is that a scorecard is in error, with the reason of the grade that shows it."""
    for outcome, fault in FAULTS.items():
        found: Grade | None = next((grade for grade in card.grades if grade.outcome is outcome), None)
        if found is not None:
            return fault, f"{found.key}: {found.reason}"
    return Fault.PACK, card.validity_reason or card.overall.reason
