"""The judges of a trial for its page: each reply of each model, and the prompt that it answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from runs.grading.graders.evidence import SCORING_SOURCE
from runs.grading.judges import RANKING
from runs.grading.scoring.overruling import OVERRULED
from runs.models import ACTIVE_RUNS, Event, Ranking, RescoreResult, Trial
from runs.views.agents.advice import ADVICE
from runs.views.trials.payloads import Shown, show

# Why a judge has no score: a title, and what can be done about it.
PROBLEMS: Mapping[str, tuple[str, str]] = {
    "waiting": ("Not ranked yet", "The agents of a run are ranked when all of them have ended this case."),
    "not_connected": ("No model answers", "The judge was not asked."),
    "recorded": ("Not asked", "What a judge said elsewhere came with the trial, and that counts."),
    "not_asked": ("Not asked", "Judges of a tried answer are asked only on request."),
    "missing_context": ("Evidence is missing", "The judge was not asked, since it could not have seen what it judges."),
    "unrankable": ("Nothing to rank", "Start a run with more agents: a ranking compares them."),
    "limit": ("Limit reached", "The budget for judges of the pack was used up before this one could answer."),
    "timeout": ("No answer in time", "The judge states how long an answer may take; the pack can allow more."),
    "cancelled": ("Cancelled", "The run was cancelled while the judge was asked."),
    "sandbox": ("The workspace could not be looked at", "Try the trial again."),
    "no_usable_reply": ("No usable reply", "The replies below cannot be read as a judgement, or abstain from one."),
}
FAILED = "The model could not be asked"
# Without a score, and asking again would not give one.
SETTLED = ("recorded", "missing_context", "unrankable")
NOT_RANKED = ("Not ranked", "The run ended before its agents were ranked.")


@dataclass(frozen=True, slots=True)
class Exchange:
    """The prompt and the reply of one call; `prompt` is empty where an earlier call had the same."""

    prompt: Sequence[Shown] = ()
    reply: Shown | None = None


@dataclass(slots=True)
class Exchanges:
    """The calls of a trial's judges, by the number of the event that ends them, or by judge, model and sample."""

    by_event: dict[int, Exchange] = field(default_factory=dict)
    by_call: dict[tuple[str, str, int], Exchange] = field(default_factory=dict)

    def of(self, judge: str, call: Mapping[str, Any]) -> Exchange:
        key = (judge, call.get("model", ""), call.get("sample", 0))
        return self.by_event.get(call.get("event", 0)) or self.by_call.get(key) or Exchange()


def judges_shown(trial: Trial, documents: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The judges of a scorecard, ready to be shown."""
    if not documents:
        return []
    exchanges = Exchanges()
    read_events(trial, exchanges)
    ranking = ranking_of(trial) if any(judge["mode"] == RANKING for judge in documents) else None
    if ranking is not None:
        read_ranking(ranking.calls, exchanges)
    return [judge_shown(judge, exchanges, ranking, is_open=trial.run.status in ACTIVE_RUNS) for judge in documents]


def judge_shown(
    judge: Mapping[str, Any], exchanges: Exchanges, ranking: Ranking | None = None, *, is_open: bool = False
) -> dict[str, Any]:
    """A judge of a scorecard, ready to be shown; `is_open` says that a ranking may still come."""
    payload = judge.get("payload", {})
    calls = [call_shown(judge, call, exchanges) for call in payload.get("calls", ())]
    scores = payload.get("model_scores", {})
    models = [
        {"model": model, "score": scores.get(model), "calls": list(group)}
        for model, group in groupby(calls, key=lambda call: call["model"])
    ]
    return {
        **judge,
        "models": models,
        "usage": payload.get("usage", {}),
        "overruled": payload.get(OVERRULED),
        "spread": round(100 * payload.get("spread", 0)),
        "is_shared": judge["mode"] == RANKING,
        "is_awaited": payload.get("problem") == "waiting" and is_open,
        "is_silent": judge.get("normalized_score") is None and payload.get("problem") not in SETTLED,
        "problem": None if judge.get("normalized_score") is not None else problem_of(payload, is_open=is_open),
        "error": ranking.error if ranking is not None and judge["mode"] == RANKING else "",
    }


def call_shown(judge: Mapping[str, Any], call: Mapping[str, Any], exchanges: Exchanges) -> dict[str, Any]:
    tokens = [call[name] for name in ("input_tokens", "output_tokens") if name in call]
    exchange = exchanges.of(judge["judge_key"], call)
    return {
        **call,
        "number": call.get("sample", 0) + 1,
        "tokens": sum(tokens) if tokens else None,
        "is_verdict": judge["mode"] == "assertion",
        "prompt": exchange.prompt,
        "reply": exchange.reply,
    }


def problem_of(payload: Mapping[str, Any], *, is_open: bool) -> tuple[str, str]:
    """Why there is no score: title and advice."""
    problem = payload.get("problem", "")
    if problem == "waiting" and not is_open:
        return NOT_RANKED
    return PROBLEMS.get(problem) or (FAILED, ADVICE.get(problem, "The reason is said below."))


def read_events(trial: Trial, exchanges: Exchanges) -> None:
    """Take what was asked and answered from the events of the scoring."""
    rows = Event.objects.filter(trial=trial, source=SCORING_SOURCE, event_type__startswith="model.call.")
    read_calls(rows.values_list("sequence", "event_type", "payload"), exchanges)


def read_calls(events: Iterable[tuple[int, str, Mapping[str, Any]]], exchanges: Exchanges) -> None:
    """Take what was asked and answered from events of judges' calls: number, type and payload of each."""
    prompt: Sequence[Shown] = ()
    for sequence, event_type, payload in events:
        if event_type == "model.call.started":
            prompt = messages_shown(payload.get("messages", ()))
        else:
            exchanges.by_event[sequence] = Exchange(prompt, reply_shown(payload))


def ranking_of(trial: Trial) -> Ranking | None:
    """The ranking of the trial's case, where one was made or is being made."""
    rows = Ranking.objects.filter(run=trial.run_id, case_position=trial.case_position, number=trial.number)
    return rows.first()


def judges_of_result(result: RescoreResult) -> list[dict[str, Any]]:
    """The judges of a re-scoring, ready to be shown. Their calls are no steps of the trial's replay."""
    exchanges = Exchanges()
    read_calls(
        ((event["sequence_number"], event["event_type"], event["payload"]) for event in described_calls(result)),
        exchanges,
    )
    same = {"trial__case_position": result.trial.case_position, "trial__number": result.trial.number}
    for kept in RescoreResult.objects.filter(rescore=result.rescore_id, **same).exclude(ranking={}):
        read_ranking(kept.ranking, exchanges)
    found = [judge_shown(judge, exchanges) for judge in result.scorecard.get("llm_judge_details", ())]
    for call in (call for judge in found for each in judge["models"] for call in each["calls"]):
        call.pop("event", None)
    return found


def described_calls(result: RescoreResult) -> Iterator[Mapping[str, Any]]:
    """The events of calls that judges made in a re-scoring."""
    for event in result.events:
        if event["source"] == SCORING_SOURCE and event["event_type"].startswith("model.call."):
            yield event


def read_ranking(calls: Mapping[str, Any], exchanges: Exchanges) -> None:
    """Take what was asked and answered from a ranking; each prompt stands with the first call that was asked so."""
    for judge, kept in calls.items():
        reported: set[int] = set()
        for call in kept["calls"]:
            is_new = call["prompt"] not in reported
            reported.add(call["prompt"])
            prompt = messages_shown(kept["prompts"][call["prompt"]]) if is_new else ()
            exchanges.by_call[judge, call["model"], call["sample"]] = Exchange(prompt, reply_shown(call))


def messages_shown(messages: Sequence[Mapping[str, Any]]) -> list[Shown]:
    return [show(message.get("content", ""), str(message.get("role", ""))) for message in messages]


def reply_shown(payload: Mapping[str, Any]) -> Shown | None:
    text = payload.get("output_text")
    return show(text) if text else None
