"""From what happened in a trial to its verdict: evidence, scorecard, and whose fault it is when there is no verdict."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from packs.formats.task import Task
from runs.agents.contract import Cancelled
from runs.engine.consulting import Consultation
from runs.engine.outcome import Ending, Outcome, Verdict
from runs.engine.recorder import Recorder
from runs.grading.graders.contract import Grade
from runs.grading.graders.contract import Outcome as Class
from runs.grading.graders.evidence import SCORING_SOURCE, Evidence, build_evidence
from runs.grading.judges import Answer, Bench, ask_judges
from runs.grading.scoring import Scorecard, score
from runs.grading.scoring.security import security_report
from runs.replay.causes import Fault, Group, cause

VERDICTS = {
    "pass": Verdict.PASSED,
    "fail": Verdict.FAILED,
    "undecided": Verdict.UNDECIDED,
    "error": Verdict.ERROR,
}
CANCELLED = "The run was cancelled."
# What a grader's error says about who is to blame, the weightiest first.
ERRORS = (Class.INFRA_ERROR, Class.PACK_ERROR, Class.EVALUATOR_ERROR)


def judge(task: Task, ending: Ending, recorder: Recorder, bench: Bench) -> Outcome:
    """Grade the recorded events. What our machine or the pack kept from running is an error, never graded as a fail."""
    if ending.is_cancelled:
        return Outcome(Verdict.CANCELLED, stop_reason=ending.stop_reason, error=ending.error)
    if ending.fault in (Fault.MACHINE, Fault.PACK, Fault.PERSON):
        return Outcome(Verdict.ERROR, stop_reason=ending.stop_reason, fault=ending.fault, error=ending.error)
    try:
        # Where nothing was run after the agent, as in a recorded trial, models can still be asked.
        Consultation(task, recorder, bench, ending.final_output).hold()
    except Cancelled:
        return Outcome(Verdict.CANCELLED, stop_reason="cancelled", error=CANCELLED)
    recorder.tell("scoring.started", {}, SCORING_SOURCE)
    # A run without cases has no case evidence (challenge-pack g).
    evidence = build_evidence([task.evidence] if task.case_key else [], recorder.events)
    judges = ask_judges(task, shown_evidence(task, evidence, recorder), bench, Minutes(recorder).note)
    if bench.is_cancelled():
        return Outcome(Verdict.CANCELLED, stop_reason="cancelled", error=CANCELLED)
    card = score(task.scoring, task.graders, evidence, judges)
    document = card.as_dict()
    if task.security:
        document["security_report"] = security_report(task.security, recorder.events, reported_texts(task))
    tell_scoring(document, recorder)
    verdict, fault, error = decide(card, ending)
    return Outcome(
        verdict=verdict,
        # Formats give 0 where a gate could not be judged; beside no verdict that would be read as a fail.
        score=card.score if verdict in (Verdict.PASSED, Verdict.FAILED) else None,
        stop_reason=ending.stop_reason,
        fault=fault,
        error=error,
        final_output=evidence.recording.final_output or "",
        scorecard=document,
        grades=card.grades,
        recording=evidence.recording,
    )


def shown_evidence(task: Task, evidence: Evidence, recorder: Recorder) -> Evidence:
    """The evidence as models of other providers may read it: secrets that an agent revealed are none of theirs."""
    shown = recorder.shown_events()
    if shown is recorder.events:
        return evidence
    return build_evidence([task.evidence] if task.case_key else [], shown)


@dataclass(slots=True)
class Minutes:
    """Tells of calls of judges in the words of challenge-pack h.3.

    A call is recorded when it has ended, so that calls made at the same time do not mix; what was asked stands once for
    all calls that were asked the same.
    """

    recorder: Recorder
    reported: dict[tuple[str, ...], int] = field(default_factory=dict)

    def note(self, answer: Answer) -> int:
        """Tell of one call; gives the number of the event that ends it."""
        question, asked_at = answer.question, answer.asked_at
        judge = question.judge.key
        common = {
            "provider_key": answer.provider,
            "subagent_key": judge,
            "subagent_label": f"Judge {judge}",
            "judge_key": judge,
            "sample": question.sample,
        }
        prompt = tuple(message["content"] for message in question.messages)
        earlier = self.reported.get(prompt)
        shown = {"messages": list(question.messages)} if earlier is None else {"same_messages_as": earlier}
        number = self._tell("started", {**common, "model": question.model, **shown}, asked_at)
        self.reported.setdefault(prompt, number)
        ended = None if asked_at is None else asked_at + timedelta(seconds=answer.seconds)
        return self._tell("completed", {**common, **heard(answer)}, ended)

    def _tell(self, moment: str, payload: dict[str, Any], at: datetime | None) -> int:
        self.recorder.tell(f"model.call.{moment}", payload, SCORING_SOURCE, at)
        return int(self.recorder.events[-1]["sequence_number"])


def heard(answer: Answer) -> dict[str, Any]:
    """What a judge's model answered, or why it did not."""
    usage = answer.usage
    facts = {
        "provider_account_id": answer.connection,
        "provider_model_id": answer.answered_model or answer.question.model,
        "timing": {"total_latency_ms": round(answer.seconds * 1000)},
        **({"is_stored": True} if answer.is_stored else {}),
    }
    if answer.error:
        return {**facts, "finish_reason": "error", "error": answer.error, "problem": answer.problem}
    tokens = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
    }
    return {
        **facts,
        "finish_reason": answer.finish_reason,
        "output_text": answer.text,
        "usage": {name: count for name, count in tokens.items() if count is not None},
        **({} if usage.cost_usd is None else {"cost_usd": usage.cost_usd}),
    }


def reported_texts(task: Task) -> list[str]:
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
    cannot be judged, for instance because it is not JSON. Only pack and machine make a trial an error, and evidence
    that is missing where the format says so; nobody is to blame for that.
    """
    verdict = VERDICTS[card.verdict]
    if verdict is Verdict.ERROR:
        fault, reason = blame(card)
        if fault is Fault.AGENT or (fault is Fault.NONE and ending.fault is Fault.AGENT):
            return Verdict.FAILED, Fault.AGENT, ending.error or reason
        return verdict, fault, reason
    if verdict is Verdict.UNDECIDED:
        if ending.fault is Fault.AGENT:
            return Verdict.FAILED, Fault.AGENT, ending.error
        waits = any(grade.raw.get("pending") for grade in card.grades)
        return verdict, Fault.PERSON if waits else Fault.NONE, card.overall.reason
    return verdict, ending.fault, ending.error


def blame(card: Scorecard) -> tuple[Fault, str]:
    """Whose fault it is that a scorecard is in error, with the reason of the grade that shows it."""
    for outcome in ERRORS:
        found: Grade | None = next((grade for grade in card.grades if grade.outcome is outcome), None)
        if found is not None:
            return cause(Group.GRADER, outcome).fault, f"{found.key}: {found.reason}"
    if card.validity == "degraded":
        return cause(Group.GRADER, Class.UNAVAILABLE).fault, card.overall.reason
    return Fault.PACK, card.validity_reason or card.overall.reason
