"""What people said of the trials of a run, and how far they agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runs.grading.graders.own_rubrics import rubric_of
from runs.grading.graders.reviews import Kind, Rubric
from runs.models import Adjudication, Review, ReviewQueue, ReviewRequest, Run
from runs.results.labels import name_of
from runs.statistics.agreement import Agreement, Item, agreement, pairs

# The name under which everything that was scored is looked at together.
ALL = ""
SHOWN_DISPUTES = 20


@dataclass(frozen=True, slots=True)
class Dispute:
    """A trial of which people said different things; `spread` is how far apart they are in what they differ most."""

    request: ReviewRequest
    spread: int
    aspects: Mapping[str, Mapping[str, int | str]]


@dataclass(frozen=True, slots=True)
class RunAgreement:
    """What people agree on: by aspect (grader, key), all together under ALL; by two people; and what they dispute."""

    aspects: Mapping[tuple[str, str], Agreement]
    people: Mapping[tuple[str, str], Agreement]
    disputes: Sequence[Dispute]
    trials: int

    def as_dict(self) -> dict[str, Any]:
        return {
            "trials": self.trials,
            "aspects": [
                {"grader": grader, "aspect": key or None, **found.as_dict()}
                for (grader, key), found in self.aspects.items()
            ],
            "people": [{"between": list(names), **found.as_dict()} for names, found in self.people.items()],
            "disputes": [
                {"review_request": each.request.pk, "trial": each.request.trial_id, "spread": each.spread}
                for each in self.disputes
            ],
        }


def agreement_of(run: Run) -> RunAgreement:
    """How far people agree who reviewed the same trials of a run, by what asked them (grader or queue) and aspect.

    Only requests that are settled count: what others said is not shown before. Of trials that were tried again, the
    newest try counts.
    """
    said = _said(run)
    items: dict[tuple[str, str], list[Item]] = {}
    numbers: set[tuple[str, str]] = set()
    for request, aspects in said:
        for key, item in aspects.items():
            items.setdefault((request.title, key), []).append(item)
            if _is_number(request, key):
                numbers.add((request.title, key))
    found = {
        place: reported
        for place, listed in items.items()
        if (reported := agreement(listed, are_numbers=place in numbers)) is not None
    }
    graded = [item for request, aspects in said if request.queue is None for item in aspects.values()]
    together = agreement(graded, are_numbers=True)
    return RunAgreement(
        aspects={**({(ALL, ALL): together} if together and len(found) > 1 else {}), **found},
        people=pairs([item for listed in items.values() for item in listed]),
        disputes=_disputes(said)[:SHOWN_DISPUTES],
        trials=len({request.trial_id for request, _ in said}),
    )


def _is_number(request: ReviewRequest, key: str) -> bool:
    """Whether what was said of an aspect is a number of a scale, as it always is for graders."""
    return request.queue is None or any(
        aspect.key == key and aspect.kind is Kind.SCALE for aspect in rubric_of(request.queue.rubric).aspects
    )


def _said(run: Run) -> list[tuple[ReviewRequest, dict[str, Item]]]:
    """The settled requests that at least two people answered: each aspect with who gave it which score."""
    requests = ReviewRequest.objects.current().filter(trial__run=run, settled_at__isnull=False)
    rows = Review.objects.filter(request__in=requests).select_related("reviewer").order_by("request", "pk")
    given: dict[int, list[Review]] = {}
    for row in rows:
        given.setdefault(row.request_id, []).append(row)
    known = requests.filter(pk__in=[pk for pk, listed in given.items() if len(listed) > 1])
    shown = known.select_related("queue", "trial__run_agent").defer("trial__scorecard", "trial__run_agent__config")
    return [(request, items_of(request, given[request.pk])) for request in shown.order_by("pk")]


def items_of(request: ReviewRequest, reviews: Sequence[Review]) -> dict[str, Item]:
    """What people said of one trial by aspect, each as a number; a label is its place in the rubric.

    Texts and passages are no judgements that are equal or not.
    """
    rubric = rubric_of(request.queue.rubric) if request.queue else None
    known = {aspect.key: aspect for aspect in rubric.aspects} if rubric else {}
    found: dict[str, dict[str, int]] = {}
    for row in reviews:
        for key, score in row.scores.items():
            if key not in known:
                number = None if known else score
            elif known[key].kind is Kind.LABEL:
                number = known[key].labels.index(score)
            else:
                number = score if known[key].is_chosen else None
            if number is not None:
                found.setdefault(key, {})[name_of(row)] = number
    return dict(found)


def disputed_in(queue: ReviewQueue) -> list[ReviewRequest]:
    """The requests of a queue of which people said different things, and nobody has decided yet."""
    said = _said(queue.run)
    decided = set(Adjudication.objects.filter(request__queue=queue).values_list("request", flat=True))
    found = (each.request for each in _disputes(said) if each.request.queue_id == queue.pk)
    return sorted((request for request in found if request.pk not in decided), key=lambda request: request.pk)


def _disputes(said: Sequence[tuple[ReviewRequest, Mapping[str, Item]]]) -> list[Dispute]:
    """Trials of which people said different things, those furthest apart first; labels are one apart."""
    found = []
    for request, aspects in said:
        apart = {key: item for key, item in aspects.items() if len(set(item.values())) > 1}
        if apart:
            spread = max(_spread(item) if _is_number(request, key) else 1 for key, item in apart.items())
            found.append(Dispute(request, spread, {key: _in_words(request, key, item) for key, item in apart.items()}))
    return sorted(found, key=lambda each: -each.spread)


def _spread(item: Item) -> int:
    return max(item.values()) - min(item.values())


def _in_words(request: ReviewRequest, key: str, item: Item) -> Mapping[str, int | str]:
    """What people said of an aspect as they chose it; of a grader's it is the number."""
    rubric = rubric_of(request.queue.rubric) if request.queue else Rubric()
    aspect = next((aspect for aspect in rubric.aspects if aspect.key == key), None)
    if aspect is None:
        return item
    words = aspect.labels if aspect.kind is Kind.LABEL else ()
    return {person: words[value] if words else aspect.word_of(value) for person, value in item.items()}
