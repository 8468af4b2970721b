"""How the cases of a run are grouped: by challenge, by what authors file them under, by the graders that they fail."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.core.cache import cache

from packs.formats import adapter_of
from packs.models import PackVersion, VersionCase, VersionInputSet
from runs.models import Grade, Run, Trial, TrialStatus
from runs.results.layout import layout_of

CHALLENGE, GRADER = "challenge", "grader"
STATED = {"tag": "Tag", "difficulty": "Difficulty"}
GROUPS: Mapping[str, str] = {CHALLENGE: "Challenge", **STATED, GRADER: "Failed grader"}
# What the author of a case says how hard it is, in the order of that; other words come after, by letter.
LEVELS = ("trivial", "easy", "medium", "moderate", "hard", "expert")
# Cases without a label, and those that failed no grader.
NO_LABEL, OTHER, ERRORS, NO_FAILURE = "None stated", "Other failures", "Errors alone", "No failure"
KEPT_SECONDS = 3600
BATCH = 1000
# The labels of a case by the kind of label.
Labels = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Filed:
    """What the cases of a version are filed under: labels by the id of the case, and the kinds of label that tell the
    cases of an input set apart, by the id of the set."""

    labels: Mapping[int, Labels]
    kinds: Mapping[int, frozenset[str]]


def filed_cases(version: PackVersion) -> Filed:
    """What each case of a version is filed under. Versions never change, so it is kept for a while."""
    key = f"case-labels-{version.pk}-{version.digest}"
    kept: Filed | None = cache.get(key)
    if kept is None:
        kept = _read_labels(version)
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def _read_labels(version: PackVersion) -> Filed:
    adapter = adapter_of(version.pack.format)
    challenges = {each["key"]: each["document"] for each in reversed(version.challenges)}
    sets = dict(VersionInputSet.objects.filter(version=version).values_list("pk", "document"))
    labels: dict[int, Labels] = {}
    used: dict[int, dict[str, set[tuple[str, ...]]]] = {pk: {name: set() for name in STATED} for pk in sets}
    rows = VersionCase.objects.filter(version=version).values_list("pk", "challenge_key", "input_set_id", "document")
    for pk, challenge, input_set, document in rows.order_by().iterator(chunk_size=BATCH):
        labels[pk] = adapter.labels(challenges.get(challenge, {}), sets[input_set], document)
        for name, words in used[input_set].items():
            words.add(labels[pk].get(name, ()))
    kinds = {pk: frozenset(name for name in STATED if len(words[name]) > 1) for pk, words in used.items()}
    return Filed(labels, kinds)


def offered(run: Run) -> dict[str, str]:
    """The groups that a run can be shown by, with their titles: those that tell cases apart."""
    kinds = filed_cases(run.version).kinds
    stated = kinds.get(run.input_set_id, frozenset()) if run.input_set_id else frozenset().union(*kinds.values())
    has = {CHALLENGE: layout_of(run).has_challenges, GRADER: True}
    return {name: title for name, title in GROUPS.items() if has.get(name, name in stated)}


def grouped(run: Run, by: str, positions: Iterable[int]) -> list[tuple[str, int]]:
    """Cases by their positions with the group of each, group after group; a case may stand in several of them."""
    found = _groups(run, by)
    empty = NO_FAILURE if by == GRADER else NO_LABEL
    pairs = [(group, position) for position in positions for group in found.get(position) or (empty,)]
    return sorted(pairs, key=lambda pair: _order(pair[0]))


def _groups(run: Run, by: str) -> Mapping[int, Iterable[str]]:
    """The groups of each case of a run, by its position."""
    if by == GRADER:
        return _failed_graders(run)
    rows = Trial.objects.filter(run=run).order_by().values_list("case_position", "case_id", "challenge_key").distinct()
    if by == CHALLENGE:
        return {position: (challenge,) for position, _, challenge in rows if challenge}
    labels = filed_cases(run.version).labels
    return {position: labels.get(case or 0, {}).get(by, ()) for position, case, _ in rows}


def _failed_graders(run: Run) -> Mapping[int, Iterable[str]]:
    """The graders that a trial of each case failed; cases that failed without one stand apart, and so do those that
    only had errors."""
    found: dict[int, list[str]] = defaultdict(list)
    failed = Grade.objects.filter(trial__run=run, verdict="fail").order_by()
    for position, key in failed.values_list("trial__case_position", "key").distinct():
        found[position].append(key)
    for status, groups in ((TrialStatus.FAILED, [OTHER]), (TrialStatus.PASSED, []), (TrialStatus.ERROR, [ERRORS])):
        rows = Trial.objects.filter(run=run, status=status).order_by()
        for position in rows.values_list("case_position", flat=True).distinct():
            found.setdefault(position, groups)
    return found


def _order(group: str) -> tuple[int, int, str]:
    """Levels by how hard they are, other groups by letter, what is missing last."""
    is_rest = group in (NO_LABEL, OTHER, ERRORS, NO_FAILURE)
    level = LEVELS.index(group.lower()) if group.lower() in LEVELS else len(LEVELS)
    return (is_rest, level, group.lower())
