"""n_wise judges: all agents of a run are ranked at one case, under labels that say nothing (challenge-pack d.7)."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from string import ascii_uppercase

from packs.formats.task import JudgeSpec, Task
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.values import plain_json
from runs.grading.judges.calls import Answer, Bench, Note, Question, ask_all
from runs.grading.judges.limits import allowance_of, samples_of
from runs.grading.judges.prompts import Exhibit, candidate_exhibits, write_prompt
from runs.grading.judges.verdicts import (
    MISSING_CONTEXT,
    is_of_the_agent,
    missing_context,
    references_of,
    reply_of,
    unconnected,
    with_calls,
    without_score,
)
from runs.grading.scoring.judges import judge_ranking, presentation_order
from runs.grading.scoring.judges.ranking import MAX_CANDIDATES
from runs.grading.scoring.results import JudgeResult

# Too few candidates with evidence, or more than there are labels.
UNRANKABLE = "unrankable"

Candidates = Mapping[str, Evidence]


def ask_ranking(
    task: Task, judge: JudgeSpec, candidates: Candidates, seed: str, bench: Bench, note: Note
) -> dict[str, JudgeResult]:
    """The result of an n_wise judge for each candidate; `seed` shuffles them where positions are not rotated.

    A candidate without the evidence that the judge looks at is not ranked.
    """
    missing = {name: missing_context(judge, evidence) for name, evidence in candidates.items()}
    results = {name: without_score(judge, MISSING_CONTEXT, reason) for name, reason in missing.items() if reason}
    ranked = [name for name in candidates if not missing[name]]
    obstacle = unconnected(judge, bench) if len(ranked) > 1 else None
    if obstacle is not None:
        return results | dict.fromkeys(ranked, obstacle)
    questions = ranking_questions(task, judge, {name: candidates[name] for name in ranked}, seed)
    answers = ask_all(questions, bench, allowance_of(task), note)
    results |= results_of(judge, ranked, answers)
    return {name: signed(judge, result) for name, result in results.items()}


def signed(judge: JudgeSpec, result: JudgeResult) -> JudgeResult:
    """A result that says who ranked, for `still_ranked`."""
    return replace(result, payload={**result.payload, "ranked_by": fingerprint(judge)})


def fingerprint(judge: JudgeSpec) -> str:
    """What tells a ranking from one that another judge would make."""
    return hashlib.sha256(plain_json(asdict(judge)).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def still_ranked(task: Task, results: Sequence[JudgeResult]) -> dict[str, JudgeResult]:
    """Those of earlier results that the ranking judges of a task would give again."""
    earlier = {result.judge_key: result for result in results}
    return {
        judge.key: earlier[judge.key]
        for judge in task.judges
        if judge.key in earlier and earlier[judge.key].payload.get("ranked_by") == fingerprint(judge)
    }


def ranking_questions(task: Task, judge: JudgeSpec, candidates: Candidates, seed: str) -> list[Question]:
    """The calls of an n_wise judge; none where there is nothing to rank."""
    if not 2 <= len(candidates) <= MAX_CANDIDATES:
        return []
    shared, own = exhibits_of(judge, candidates)
    orders = [
        tuple(presentation_order(list(candidates), judge, sample, seed))
        for sample in range(samples_of(task, judge.samples))
    ]
    prompts = {
        order: write_prompt(judge, [*shared, *candidate_exhibits(order, own)], len(order)) for order in set(orders)
    }
    return [
        Question(judge, model, sample, prompts[order], order)
        for model in judge.models
        for sample, order in enumerate(orders)
    ]


def exhibits_of(judge: JudgeSpec, candidates: Candidates) -> tuple[list[Exhibit], dict[str, list[Exhibit]]]:
    """The evidence of the case, which is shown once, and that of each candidate."""
    references = references_of(judge)
    first = next(iter(candidates.values()))
    shared = [shown(first, reference) for reference in references if not is_of_the_agent(reference)]
    own = {
        name: [shown(evidence, reference) for reference in references if is_of_the_agent(reference)]
        for name, evidence in candidates.items()
    }
    return shared, own


def shown(evidence: Evidence, reference: str) -> Exhibit:
    return Exhibit(reference, evidence.resolve(reference).text or "")


def results_of(judge: JudgeSpec, ranked: Sequence[str], answers: Sequence[Answer]) -> dict[str, JudgeResult]:
    """The result of each ranked candidate, with the calls and the order that each of them showed."""
    found = judge_ranking(judge, ranked, [(reply_of(answer), answer.question.order) for answer in answers])
    if not answers:
        return {name: without_score(judge, UNRANKABLE, result.reason) for name, result in found.items()}
    return {name: placed(name, with_calls(result, answers), answers) for name, result in found.items()}


def placed(candidate: str, result: JudgeResult, answers: Sequence[Answer]) -> JudgeResult:
    """A result that says under which label the candidate stood in each call; it shares their usage with the others."""
    result.payload["usage"]["shared_by"] = len(answers[0].question.order)
    for reported, answer in zip(result.payload["calls"], answers, strict=True):
        reported["label"] = ascii_uppercase[answer.question.order.index(candidate)]
    return result
