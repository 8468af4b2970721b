"""What each judge says of a trial, read from its scorecard."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from runs.grading.judges.verdicts import RANKING
from runs.grading.scoring.judges.consensus import majority
from runs.grading.scoring.overruling import as_said

# Graders whose verdict is what models said; the first ask them by themselves, the others have judges that do.
ASKING = ("agentv.llm-grader",)
JUDGING = ("suite.model_rubric", "suite.pairwise_comparison", *ASKING)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a judge passes a trial, with its score from 0 to 1 and the models that were asked, where known."""

    judge: str
    passes: bool
    score: float | None
    models: tuple[str, ...]


def judgements_of(card: Mapping[str, Any]) -> Iterator[Judgement]:
    """The judges of a scorecard that gave a verdict.

    A grader that asks judges has the verdict of its pack's threshold. Any other judge passes what it scores at half of
    its scale or more, as in majority votes. Ranks are no verdicts. Where a person overruled it, what it said itself.
    """
    card = as_said(card)
    graders = {grade["key"]: grade for grade in card.get("validator_details", ()) if grade["type"] in JUDGING}
    judges = [judge for judge in _judges(card) if judge["mode"] != RANKING]
    for key, grade in graders.items():
        if grade.get("verdict") in ("pass", "fail"):
            asked = [judge for judge in judges if judge["judge_key"].startswith(f"{key}/")]
            yield Judgement(key, grade["verdict"] == "pass", grade.get("normalized_score"), _models(*asked))
    for judge in judges:
        score = judge.get("normalized_score")
        if score is not None and judge["judge_key"].partition("/")[0] not in graders:
            yield Judgement(judge["judge_key"], bool(majority([score])), score, _models(judge))


def scores_of(card: Mapping[str, Any], *, with_ranks: bool = False) -> dict[str, float]:
    """The scores of a scorecard's judges, from 0 to 1, by their keys; ranks only where they are asked for."""
    card = as_said(card)
    judges = (judge for judge in _judges(card) if with_ranks or judge["mode"] != RANKING)
    graders = (grade for grade in card.get("validator_details", ()) if grade["type"] in ASKING)
    found = {judge["judge_key"]: judge.get("normalized_score") for judge in judges}
    found |= {grade["key"]: grade.get("normalized_score") for grade in graders}
    return {key: score for key, score in found.items() if score is not None}


def placings_of(card: Mapping[str, Any]) -> dict[str, list[tuple[float, float]]]:
    """Of each judge that ranked, call by call: where it was shown this candidate (1 first, 0 last), and its rank."""
    found: dict[str, list[tuple[float, float]]] = {}
    for judge in _judges(card):
        payload = judge.get("payload", {})
        last = payload.get("usage", {}).get("shared_by", 1) - 1
        if judge["mode"] == RANKING and last > 0:
            calls = (call for call in payload.get("calls", ()) if call.get("score") is not None and "label" in call)
            found[judge["judge_key"]] = [
                (1 - ascii_uppercase.index(call["label"]) / last, call["score"]) for call in calls
            ]
    return found


def models_of(card: Mapping[str, Any]) -> dict[str, set[str]]:
    """The models that each judge asked, by the names that the pack has for them."""
    return {
        judge["judge_key"]: {call["model"] for call in judge.get("payload", {}).get("calls", ())}
        for judge in _judges(card)
    }


def _judges(card: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = card.get("llm_judge_details", ())
    return found


def _models(*judges: Mapping[str, Any]) -> tuple[str, ...]:
    """The models that answered, by their own account where they gave one."""
    calls = (call for judge in judges for call in judge.get("payload", {}).get("calls", ()))
    return tuple(sorted({call.get("answered_model") or call["model"] for call in calls}))
