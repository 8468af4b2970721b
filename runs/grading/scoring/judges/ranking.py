"""n_wise judges: all agents of a run ranked at once under opaque labels (challenge-pack d.7)."""

import random
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from packs.formats.task import JudgeSpec
from runs.grading.scoring.judges.consensus import conclude
from runs.grading.scoring.judges.replies import JudgeReply, Vote, confidence_of, reasoning_of, usable_object
from runs.grading.scoring.results import JudgeResult

MAX_CANDIDATES = len(ascii_uppercase)


def presentation_order(candidates: Sequence[str], judge: JudgeSpec, sample: int, seed: str) -> list[str]:
    """The order in which a sample shows the candidates: label A is the first, B the second.

    With position debiasing the candidates are rotated from sample to sample, else shuffled by `seed`, judge and sample;
    where the judge has `reference_first` all of that stands in reverse.
    """
    order = list(candidates)
    if judge.position_debiasing:
        shift = sample % max(len(order), 1)
        order = order[shift:] + order[:shift]
    else:
        random.Random(f"{seed}/{judge.key}/{sample}").shuffle(order)
    return order[::-1] if judge.reference_first else order


def judge_ranking(
    judge: JudgeSpec, candidates: Sequence[str], replies: Sequence[tuple[JudgeReply, Sequence[str]]]
) -> dict[str, JudgeResult]:
    """The result of an n_wise judge for each candidate; a reply comes with the order that it was shown.

    A place is worth (n - 1 - position) / (n - 1). With fewer than two candidates, or more than labels, no one has a
    score.
    """
    if not 2 <= len(candidates) <= MAX_CANDIDATES:
        reason = f"ranking needs 2 to {MAX_CANDIDATES} agents, and the run has {len(candidates)}"
        return {candidate: JudgeResult(judge.key, judge.mode, reason=reason) for candidate in candidates}
    readings = [_read(judge, reply, order) for reply, order in replies]
    votes = {candidate: [_vote(reading, candidate) for reading in readings] for candidate in candidates}
    return {candidate: conclude(judge, votes[candidate]) for candidate in candidates}


Reading = tuple[str, list[str] | None, str, str]


def _read(judge: JudgeSpec, reply: JudgeReply, order: Sequence[str]) -> Reading:
    """Model, ranking from best to worst (None when there is no usable one), reason and confidence of a reply."""
    stated, reason = usable_object(judge, reply)
    if stated is None:
        return reply.model, None, reason, ""
    named = dict(zip(ascii_uppercase, order, strict=False)) | {candidate: candidate for candidate in order}
    ranking = [named.get(label.strip()) for label in _labels(stated)]
    if None in ranking or sorted(filter(None, ranking)) != sorted(order):
        return reply.model, None, "the reply does not rank every candidate exactly once", ""
    return reply.model, [name for name in ranking if name is not None], reasoning_of(stated), confidence_of(stated)


def _labels(stated: Mapping[str, Any]) -> list[str]:
    """The labels from best to worst: a list of labels, or of objects with a label and perhaps a rank."""
    entries = stated.get("ranking") or stated.get("ranked_ids")
    listed = [entry for entry in entries if isinstance(entry, (str, dict))] if isinstance(entries, list) else []
    ranked = [entry for entry in listed if isinstance(entry, dict) and isinstance(entry.get("rank"), int)]
    if len(ranked) == len(listed):
        listed = [*sorted(ranked, key=lambda entry: entry["rank"])]
    return [entry if isinstance(entry, str) else _label(entry) for entry in listed]


def _label(entry: Mapping[str, Any]) -> str:
    return next((entry[name] for name in ("label", "agent_label", "id") if isinstance(entry.get(name), str)), "")


def _vote(reading: Reading, candidate: str) -> Vote:
    model, ranking, reason, confidence = reading
    if ranking is None:
        return Vote(model, None, reason)
    places = len(ranking) - 1
    return Vote(model, (places - ranking.index(candidate)) / places, reason, confidence)
