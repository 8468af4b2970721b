"""How far the verdicts of a run can be relied on, and which cases its trials put forward for proof."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, Q, Subquery

from packs.access import Permission
from packs.models import Case, Pack, VersionCase
from runs.engine.events import OVERRULED
from runs.models import FINAL_STATUSES, Event, Run, StoredProof, Trial, TrialStatus
from runs.models.proofs import proven_rows, report_of
from runs.models.trials import JUDGED
from runs.proof.command import Proven, as_junit
from runs.proof.document import CaseState, read_proof
from runs.results.calibrating import reviewed_runs
from runs.results.canaries import place_of_canary
from runs.results.labels import gold_rows

# How many trials of a case have to fail before it is put forward, and how many cases are listed.
ALWAYS, MOST = 3, 20
# Of how many of the newest reviewed runs the reviews are held against the graders.
MOST_REVIEWED = 10
# What the codes of wrong answers that pass begin with.
ACCEPTS = "accepts_"


@dataclass(frozen=True, slots=True)
class Forward:
    """A case of a draft whose verdicts are in doubt: why, and the newest trial that shows it."""

    case: int
    why: str
    trial: int


def proven_verdicts(run: Run) -> int | None:
    """How many trials passed or failed at cases that are proven; None where no case of the version was ever tried."""
    if not StoredProof.objects.filter(version=run.version_id).exists():
        return None
    proven = proven_rows(run.version_id).values("node")
    return Trial.objects.filter(run=run, status__in=JUDGED, case__in=proven).count()


def states_in_version(version: int, cases: Iterable[int | None]) -> dict[int, CaseState]:
    """What is known of some cases of a version, by their ids; empty where no case of it was ever tried."""
    known = StoredProof.objects.filter(version=version)
    rows = VersionCase.objects.filter(pk__in={case for case in cases if case is not None})
    state = Subquery(known.filter(node=OuterRef("pk")).values("state")[:1])
    found = rows.annotate(proof=state).filter(Exists(known)).values_list("pk", "proof")
    return {case: CaseState(proof or CaseState.UNPROVEN) for case, proof in found}


class Mark(NamedTuple):
    """What a page says of a case whose verdicts are in doubt: its state, and whether it accepts a wrong answer."""

    state: CaseState
    accepts_wrong: bool


def marks_in(cases: Iterable[int | None]) -> dict[int, Mark]:
    """The cases of any versions that are not proven, by their ids; none of versions of which no case was ever tried."""
    rows = dict(VersionCase.objects.filter(pk__in={pk for pk in cases if pk is not None}).values_list("pk", "version"))
    tried = set(StoredProof.objects.filter(version__in=set(rows.values())).values_list("version", flat=True).distinct())
    known = StoredProof.objects.filter(version__in=tried, node__in=rows)
    found = {pk: Mark(CaseState.UNPROVEN, False) for pk, version in rows.items() if version in tried}
    for pk, state, document in known.values_list("node", "state", "document"):
        accepts = any(reason["code"].startswith(ACCEPTS) for reason in document["reasons"])
        found[pk] = Mark(CaseState(state), accepts)
    return {pk: mark for pk, mark in found.items() if mark.state is not CaseState.PROVEN}


def proof_of(may: Collection[Permission], trial: Trial) -> dict[str, Any] | None:
    """What a page says of the proof of a trial's case; None where nothing is known and nobody may add to it."""
    state = states_in_version(trial.run.version_id, [trial.case_id]).get(trial.case_id or 0)
    is_left = trial.status in FINAL_STATUSES and bool(trial.final_output or trial.event_count)
    is_kept = Permission.EDIT in may and is_left
    place = place_of_canary(trial)
    if state is None and not is_kept and not place:
        return None
    return {"state": state, "may_keep": is_kept, "judged": trial.status in JUDGED, "canary_in": place}


def put_forward(pack: Pack, states: Mapping[int, CaseState]) -> list[Forward]:
    """The cases of a draft that its runs put forward for proof; `states` are those of all its cases.

    These are cases at which a person overruled a grader or several reviewers say otherwise, and those that are not
    proven and that nobody ever passed.
    """
    found: dict[int, Forward] = {}
    cases = {(set_key, key): pk for pk, set_key, key in _keys(pack)}
    for why, trial, place in (*_overruled(pack), *_parted(pack), *_never_passed(pack)):
        pk = cases.get(place)
        if pk is not None and pk not in found and (trial.by_people or states[pk] is not CaseState.PROVEN):
            found[pk] = Forward(pk, why, trial.pk)
    return list(found.values())[:MOST]


def junit_of(pack: Pack) -> str:
    """What is known of the cases of a draft as JUnit XML, of the shape of `pack prove --junit`."""
    proofs = [read_proof(case) for case in report_of(pack)["cases"]]
    return as_junit([Proven(Path(pack.slug), pack.format, proofs)])


@dataclass(frozen=True, slots=True)
class _Shown:
    pk: int
    by_people: bool


def _keys(pack: Pack) -> Iterator[tuple[int, str, str]]:
    yield from Case.objects.filter(pack=pack).values_list("pk", "input_set__key", "key")


Found = tuple[str, _Shown, tuple[str, str]]


def _overruled(pack: Pack) -> Iterator[Found]:
    events = Event.objects.kept().filter(
        event_type=OVERRULED, trial__run__version__pack=pack, trial__case__isnull=False
    )
    rows = events.order_by("-pk").values_list("trial", "trial__case__input_set__key", "trial__case__key")
    for trial, set_key, key in rows[: 10 * MOST]:
        yield "A person overruled a grader", _Shown(trial, True), (set_key, key)


def _parted(pack: Pack) -> Iterator[Found]:
    """Trials of which several reviewers together say otherwise than their graders."""
    for run in reviewed_runs(pack)[:MOST_REVIEWED]:
        for trial, gold in gold_rows(run):
            if gold.people > 1 and trial.status in JUDGED and gold.passes != (trial.status == TrialStatus.PASSED):
                why = f"{gold.people} reviewers say that the answer is {'right' if gold.passes else 'wrong'}"
                yield why, _Shown(trial.pk, True), (trial.case.input_set.key if trial.case else "", trial.case_key)


def _never_passed(pack: Pack) -> Iterator[Found]:
    trials = Trial.objects.kept().filter(run__version__pack=pack, status__in=JUDGED, case__isnull=False).order_by()
    groups = trials.values("case__input_set__key", "case__key").annotate(
        judged=Count("pk"), passed=Count("pk", filter=Q(status=TrialStatus.PASSED)), newest=Max("pk")
    )
    rows = groups.filter(judged__gte=ALWAYS, passed=0).order_by("-judged")
    for row in rows[: 10 * MOST]:
        why = f"None of {row['judged']} trials passed"
        yield why, _Shown(row["newest"], False), (row["case__input_set__key"], row["case__key"])
