"""The judges of a pack against people: how far each agrees with those who reviewed the same trials."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Count, Max

from packs.models import Pack
from runs.grading.judges.judgements import Judgement, judgements_of
from runs.models import JudgeStandard, ReviewRequest, Run, Trial
from runs.models.reviews import ReviewRequestQuerySet
from runs.models.standards import USUAL_KAPPA
from runs.results.charts import BOUNDS, Chart, Column, Value
from runs.results.labels import Gold, gold_of
from runs.statistics.calibration import (
    Confusion,
    Judged,
    Standing,
    confusion_of,
    score_alpha,
    verdict_alpha,
)

# The newest reviewed runs that are read.
MOST_RUNS = 50
RUN = ("run__finished_at", "run__created_at", "run__version__number", "run__version__published_at")
COLUMNS = ("case_key", "number", "scorecard", "run_agent__name", *RUN)


@dataclass(frozen=True, slots=True)
class Held:
    """A trial that people and a judge judged."""

    trial: Trial
    judgement: Judgement
    gold: Gold

    @property
    def judged(self) -> Judged:
        return Judged(self.gold.passes, self.judgement.passes, self.gold.score, self.judgement.score)

    @property
    def at(self) -> datetime:
        """When its run ended, or began where it has not."""
        return self.trial.run.finished_at or self.trial.run.created_at


@dataclass(frozen=True, slots=True)
class InRun:
    """What a judge and people said of trials of one run."""

    held: Sequence[Held]

    @property
    def run(self) -> Run:
        return self.held[0].trial.run

    @property
    def confusion(self) -> Confusion:
        return confusion_of(each.judged for each in self.held)

    @property
    def ended_at(self) -> datetime:
        return self.held[0].at

    @property
    def models(self) -> list[str]:
        return models_of(self.held)


def models_of(held: Sequence[Held]) -> list[str]:
    """The models that answered for a judge."""
    return sorted({model for each in held for model in each.judgement.models})


@dataclass(frozen=True)
class Calibration:
    """One judge against people, over trials that both judged, newest first; `least` is the kappa it should reach."""

    judge: str
    held: Sequence[Held]
    least: float

    @cached_property
    def judged(self) -> list[Judged]:
        return [each.judged for each in self.held]

    @cached_property
    def confusion(self) -> Confusion:
        return confusion_of(self.judged)

    @property
    def standing(self) -> Standing:
        return self.confusion.standing(self.least)

    @property
    def is_doubtful(self) -> bool:
        """Whether it agrees with people less than its pack asks for."""
        return self.standing == "doubtful"

    @cached_property
    def alpha(self) -> float | None:
        return verdict_alpha(self.judged)

    @cached_property
    def score_alpha(self) -> float | None:
        return score_alpha(self.judged)

    @property
    def parted(self) -> list[Held]:
        """The trials of which judge and people say different things."""
        return [each for each in self.held if not each.judged.agrees]

    @property
    def models(self) -> list[str]:
        return models_of(self.held)

    def by_run(self) -> Iterator["InRun"]:
        """What was said in each run, the oldest first."""
        for _, group in groupby(reversed(self.held), key=lambda each: each.trial.run_id):
            yield InRun(list(group))


def least_kappa(pack: Pack) -> float:
    """The kappa with people that the judges of a pack should reach."""
    stated: float | None = JudgeStandard.objects.filter(pack=pack).values_list("least_kappa", flat=True).first()
    return USUAL_KAPPA if stated is None else stated


def calibrations_of(pack: Pack) -> list[Calibration]:
    """The judges of a pack that judged what people did, by their keys: those of its team's newest reviewed runs."""
    gold = {trial: said for run in reviewed_runs(pack) for trial, said in gold_of(run).items()}
    found: dict[str, list[Held]] = {}
    rows = Trial.objects.filter(pk__in=gold).select_related("run__version", "run_agent").only(*COLUMNS)
    for trial in rows.order_by("-run__created_at", "-run_id", "-pk") if gold else ():
        for judgement in judgements_of(trial.scorecard):
            found.setdefault(judgement.judge, []).append(Held(trial, judgement, gold[trial.pk]))
    least = least_kappa(pack)
    return [Calibration(judge, found[judge], least) for judge in sorted(found)]


def reviewed_runs(pack: Pack) -> list[Run]:
    """The newest runs of a pack of which people reviewed a trial."""
    runs = _settled(pack).order_by("-trial__run_id").values_list("trial__run_id", flat=True).distinct()[:MOST_RUNS]
    return list(Run.objects.filter(pk__in=list(runs)).select_related("version__pack", "team"))


def _settled(pack: Pack) -> ReviewRequestQuerySet:
    settled = ReviewRequest.objects.kept().current().filter(settled_at__isnull=False)
    return settled.filter(trial__run__version__pack=pack, trial__run__team=pack.team_id)


class Doubt(NamedTuple):
    """How far a judge agrees with people, where that is less than its pack asks for."""

    kappa: float
    least: float
    trials: int

    @property
    def described(self) -> str:
        return f"kappa {self.kappa:.2f} with people over {self.trials} trials, {self.least:g} is asked for"


def doubt_of(known: Mapping[str, Doubt], judge: str) -> Doubt | None:
    """What is held against a judge; one that a grader asks is as doubtful as its grader."""
    return known.get(judge) or known.get(judge.partition("/")[0])


def with_doubt(reason: str, doubt: Doubt | None) -> str:
    """What a judge said, where a format has a place for its words alone, with what is held against it."""
    return reason if doubt is None else f"{reason} (Doubtful judge: {doubt.described}.)".lstrip()


def doubts_shown(pack: Pack) -> list[dict[str, Any]]:
    """The doubtful judges of a pack as JSON values."""
    return [{"judge": judge, **found._asdict()} for judge, found in doubtful_judges(pack).items()]


def doubtful_judges(pack: Pack) -> Mapping[str, Doubt]:
    """The judges of a pack, by their keys, whose scores carry a mark: people disagree with them too often.

    Two queries as long as nothing is reviewed or adopted anew.
    """
    known = _settled(pack).aggregate(Count("pk"), Max("settled_at"), Max("reviews__updated_at"))
    if not known["pk__count"]:
        return {}
    changed = Run.objects.filter(version__pack=pack).aggregate(
        Max("rescores__adopted_at"), least=Max("version__pack__judge_standard__least_kappa")
    )
    return _doubts(pack.pk, (*known.values(), *changed.values()))


@lru_cache(maxsize=256)
def _doubts(pack: int, state: tuple[Any, ...]) -> Mapping[str, Doubt]:
    """The doubtful judges of a pack in a state of its reviews."""
    found = calibrations_of(Pack.objects.get(pk=pack))
    return {
        each.judge: Doubt(each.confusion.kappa, each.least, each.confusion.n)
        for each in found
        if each.is_doubtful and each.confusion.kappa is not None
    }


def drift_of(calibration: Calibration) -> Chart | None:
    """How often a judge agrees with people in each run over time; None where there is one run alone."""
    points = list(calibration.by_run())
    if len(points) < 2:
        return None
    columns = (
        Column("label", "Judge", "text"),
        Column("at", "Run", "time"),
        Column("run", "Number", "text"),
        Column("version", "Version", "text"),
        Column("published", "Version published", "time"),
        Column("value", "Agreement with people", "share"),
        *BOUNDS,
        Column("kappa", "Kappa", "number"),
        Column("trials", "Trials", "count"),
        Column("models", "Answered by", "text"),
    )
    rows = tuple(_point(calibration.judge, point) for point in points)
    about = "The share of labelled trials of each run of which judge and people say the same, with its interval."
    return Chart("drift", "trend", "Agreement over time", about, columns, rows)


def _point(judge: str, point: InRun) -> tuple[Value, ...]:
    version, found = point.run.version, point.confusion
    when = (point.held[0].at.isoformat(), f"#{point.run.pk}", str(version.number), version.published_at.isoformat())
    bounds = found.agreed.interval or (None, None)
    models = ", ".join(models_of(point.held)) or "not known"
    return (judge, *when, found.agreed.pass_rate, *bounds, found.kappa, found.n, models)
