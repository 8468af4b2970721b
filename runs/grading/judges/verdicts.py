"""Judges of one trial: all modes are asked but n_wise, which wait for other agents (challenge-pack d.7).

The score follows from the replies alone (`runs.grading.scoring.judges`); what is added here are the facts of the calls.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from packs.formats.task import JudgeSpec, Task
from runs.agents.endpoints.contract import Usage
from runs.grading.graders.contract import Resolved
from runs.grading.graders.evidence import FINAL_OUTPUT, Evidence
from runs.grading.judges.calls import NOT_CONNECTED, Answer, Bench, Note, Question, ask_all, unanswered
from runs.grading.judges.limits import allowance_of, samples_of
from runs.grading.judges.prompts import Exhibit, write_prompt
from runs.grading.scoring.judges import JudgeReply, judge_replies
from runs.grading.scoring.results import NO_USABLE_REPLY, JudgeResult

RANKING = "n_wise"
PAIR = "pairwise"
# Why a judge has no score, in the member `problem` of its payload.
WAITING = "waiting"
MISSING_CONTEXT = "missing_context"
RECORDED = "recorded"
# What a judge looks at that names nothing.
DEFAULT_CONTEXT = ("final_output",)


def ask_judges(task: Task, evidence: Evidence, bench: Bench, note: Note) -> list[JudgeResult]:
    """The results of all judges of a task, in their order."""
    if not task.judges:
        return []
    obstacles = {judge.key: obstacle_of(judge, evidence, bench) for judge in task.judges}
    asked = [judge for judge in task.judges if obstacles[judge.key] is None]
    questions = [question for judge in asked for question in questions_of(task, judge, evidence)]
    answers = ask_all(questions, bench, allowance_of(task), note)
    return [
        obstacles[judge.key]
        or result_of(judge, [answer for answer in answers if answer.question.judge is judge], evidence)
        for judge in task.judges
    ]


def obstacle_of(judge: JudgeSpec, evidence: Evidence, bench: Bench) -> JudgeResult | None:
    """The result of a judge that is not to be asked now; None when it is."""
    if judge.key in bench.known:
        return bench.known[judge.key]
    if judge.grader and evidence.has_replies(judge.grader):
        return without_score(judge, RECORDED, "scores of a judge came with the trial")
    if judge.mode == RANKING:
        return without_score(judge, WAITING, "it ranks the agents of a run when all of them have ended this case")
    missing = missing_context(judge, evidence)
    if missing:
        return without_score(judge, MISSING_CONTEXT, missing)
    return unconnected(judge, bench)


def unconnected(judge: JudgeSpec, bench: Bench) -> JudgeResult | None:
    """The result of a judge none of whose models can be asked."""
    if not judge.models or any(bench.endpoints(model) is not None for model in judge.models):
        return None
    return without_score(judge, NOT_CONNECTED, "; ".join(unanswered(model) for model in judge.models))


def without_score(judge: JudgeSpec, problem: str, reason: str, **facts: Any) -> JudgeResult:
    """A judge that could not judge; `problem` is the stable word for why."""
    return JudgeResult(judge.key, judge.mode, reason=reason, payload={"problem": problem, **facts})


def looked_at(judge: JudgeSpec, evidence: Evidence) -> Iterator[tuple[str, Resolved]]:
    """What a judge is to be shown: references with what they stand for, the reference answer last."""
    for reference in references_of(judge):
        yield reference, evidence.resolve(reference)
    if judge.mode in ("reference", PAIR):
        yield "reference answer", evidence.resolve(judge.reference)


def references_of(judge: JudgeSpec) -> tuple[str, ...]:
    """The context of a judge; where it names nothing (for a ranking: nothing of the agents) their final output."""
    is_enough = any(map(is_of_the_agent, judge.context)) if judge.mode == RANKING else judge.context
    return judge.context if is_enough else (*judge.context, *DEFAULT_CONTEXT)


def missing_context(judge: JudgeSpec, evidence: Evidence) -> str:
    """Why a judge cannot be shown what it is to judge; empty when it can."""
    missing = [f"{name}: {found.reason}" for name, found in looked_at(judge, evidence) if not found.is_available]
    return f"evidence is missing: {'; '.join(missing)}" if missing else ""


def exhibits_of(judge: JudgeSpec, evidence: Evidence) -> list[Exhibit]:
    """The evidence for a judge that lacks none."""
    if judge.mode == PAIR:
        texts = [found.text or "" for _, found in looked_at(judge, evidence)]
        ordered = reversed(texts) if judge.reference_first else texts
        return [Exhibit(f"answer {label}", text) for label, text in zip("AB", ordered, strict=False)]
    return [Exhibit(name, found.text or "") for name, found in looked_at(judge, evidence)]


def questions_of(task: Task, judge: JudgeSpec, evidence: Evidence) -> list[Question]:
    """The calls of one judge: every model as often as there are samples."""
    messages = write_prompt(judge, exhibits_of(judge, evidence))
    samples = range(samples_of(task, judge.samples))
    return [Question(judge, model, sample, messages) for model in judge.models for sample in samples]


def result_of(judge: JudgeSpec, answers: Sequence[Answer], evidence: Evidence) -> JudgeResult:
    """The result of a judge from its answers, with what is known of each call."""
    result = judge_replies(judge, [reply_of(answer) for answer in answers])
    cut = [exhibit.title for exhibit in exhibits_of(judge, evidence) if exhibit.is_cut]
    warnings = [f"judge {judge.key!r} was shown {title} only in part" for title in cut]
    return with_calls(result, answers, warnings)


def reply_of(answer: Answer) -> JudgeReply:
    """An answer as scoring reads it."""
    return JudgeReply(answer.question.model, answer.text, answer.error)


def with_calls(result: JudgeResult, answers: Sequence[Answer], warnings: Sequence[str] = ()) -> JudgeResult:
    """A result with the facts of its calls, which stand in the order of `payload["calls"]`."""
    reported = [vote | facts_of(answer) for vote, answer in zip(result.payload["calls"], answers, strict=True)]
    by_model = list(result.payload["model_scores"].values())
    scores = by_model if len(by_model) > 1 else [call["score"] for call in reported if "score" in call]
    payload: dict[str, Any] = {**result.payload, "calls": reported, "usage": total(answers)}
    if result.score is None:
        payload["problem"] = common_problem(answers)
    if len(scores) > 1:
        payload["spread"] = max(scores) - min(scores)
    return replace(result, payload=payload, warnings=(*result.warnings, *warnings))


def common_problem(answers: Sequence[Answer]) -> str:
    """The problem of all answers where they share one; replies that say nothing usable have none of their own."""
    problems = {answer.problem for answer in answers}
    return (problems.pop() if len(problems) == 1 else "") or NO_USABLE_REPLY


def facts_of(answer: Answer) -> dict[str, Any]:
    """What is known of one call, apart from what it says: as JSON values, unknown ones left out."""
    usage = answer.usage
    facts = {
        "sample": answer.question.sample,
        "problem": answer.problem,
        "connection": answer.connection,
        "answered_model": answer.answered_model,
        "seconds": round(answer.seconds, 3) if answer.asked_at else None,
        "attempts": answer.attempts or None,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
        "event": answer.event or None,
        "is_stored": answer.is_stored or None,
    }
    return {name: value for name, value in facts.items() if value not in (None, "")}


def total(answers: Sequence[Answer]) -> dict[str, Any]:
    """What the calls of a judge used up; the cost is None while that of any call is not known."""
    usages: list[Usage] = [answer.usage for answer in answers if answer.asked_at and not answer.error]
    costs = [usage.cost_usd for usage in usages]
    return {
        "calls": sum(answer.asked_at is not None for answer in answers),
        "tokens": sum(usage.total_tokens or 0 for usage in usages),
        "cost_usd": None if None in costs else sum(cost for cost in costs if cost is not None),
    }


def is_of_the_agent(reference: str) -> bool:
    """Whether evidence under this reference differs from agent to agent."""
    return reference in (*FINAL_OUTPUT, "trial") or reference.startswith(("file:", "transcript.", "turn."))
