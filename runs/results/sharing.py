"""What can be shared: a run, a comparison or a replay, as a file and behind a link."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from packs.access import AnyUser, Permission, require
from packs.models import Team
from runs.jobs.trials.loading import tasks_of
from runs.jobs.trials.means import Means
from runs.models import Run, SharedPage, Trial
from runs.replay.redaction import Redactor
from runs.results.comparing import MAX_RUNS
from runs.results.sheets.comparisons import comparison_sheet
from runs.results.sheets.replays import replay_sheet
from runs.results.sheets.runs import run_sheet

RUN, COMPARISON, REPLAY = "run", "comparison", "replay"
# How what is shared is written down.
FORMS = "run:12, comparison:12,13, comparison:12,13@13 or replay:55"
WORDS = {RUN: "run", COMPARISON: "comparison", REPLAY: "replay"}
# How long a link may show something, in days.
MOST_DAYS, USUAL_DAYS = 365, 30
# More links than this to one thing nobody keeps an eye on.
MOST_LINKS = 20


@dataclass(frozen=True, slots=True)
class Subject:
    """What is shared, by its numbers: `base` names the column of a comparison that others are held against."""

    kind: str
    ids: tuple[int, ...]
    base: str = ""

    def __str__(self) -> str:
        numbers = ",".join(map(str, self.ids))
        return f"{self.kind}:{numbers}@{self.base}" if self.base else f"{self.kind}:{numbers}"

    @property
    def title(self) -> str:
        return f"{WORDS[self.kind].capitalize()} {' and '.join(f'#{pk}' for pk in self.ids)}"

    @property
    def file_name(self) -> str:
        return f"{self.kind}-{'-'.join(map(str, self.ids))}.html"


def read_subject(text: str) -> Subject:
    """A subject from its text, which is one of FORMS. Raises Http404."""
    kind, _, rest = text.partition(":")
    numbers, _, base = rest.partition("@")
    ids = numbers.split(",")
    most = MAX_RUNS if kind == COMPARISON else 1
    is_known = kind in WORDS and len(set(ids)) == len(ids) <= most and len(base) <= 40
    if not is_known or not all(word.isascii() and word.isdecimal() and len(word) < 19 for word in ids):
        raise Http404(f"Write {FORMS}.")
    if base and not (kind == COMPARISON and base.isascii() and base.replace(".", "", 1).isdecimal()):
        raise Http404("No such column.")
    return Subject(kind, tuple(map(int, ids)), base)


@dataclass(frozen=True, slots=True)
class Shareable:
    """A subject with its rows: runs of one team, or one trial."""

    subject: Subject
    team: Team
    runs: Sequence[Run]
    trial: Trial | None = None

    def page(self) -> str:
        """The whole page, without the secrets that the team and its packs know."""
        redactor = redactor_for(self.runs)
        if self.trial is not None:
            return replay_sheet(self.trial, redactor)
        if self.subject.kind == COMPARISON:
            return comparison_sheet(self.runs, self.subject.base, redactor)
        return run_sheet(self.runs[0], redactor)


def find_shareable(user: AnyUser, subject: Subject, needed: Permission) -> Shareable:
    """What a user wants to share.

    Raises Http404 for who may not see all of it and for runs of several teams, PermissionDenied for who may not do
    what is needed.
    """
    found = _found(subject, Run.objects.visible_to(user), Trial.objects.visible_to(user))
    require(user, found.team, needed)
    return found


def find_any(subject: Subject) -> Shareable:
    """What an operator wants to share. Raises Http404 for what is not there and for runs of several teams."""
    return _found(subject, Run.objects.all(), Trial.objects.kept())


def shown_by(link: SharedPage) -> Shareable:
    """What a link shows. Raises Http404 where anything of it is gone."""
    runs, trials = Run.objects.filter(team=link.team), Trial.objects.kept().filter(run__team=link.team)
    return _found(read_subject(link.subject), runs, trials)


def _found(subject: Subject, runs: QuerySet[Run], trials: QuerySet[Trial]) -> Shareable:
    trial: Trial | None = None
    ids: Sequence[int] = subject.ids
    if subject.kind == REPLAY:
        trial = get_object_or_404(trials.select_related("run_agent", "case").prefetch_related("grades"), pk=ids[0])
        ids = [trial.run_id]
    rows = runs.select_related("team", "version__pack__team", "input_set").in_bulk(list(ids))
    if len(rows) < len(ids) or len({row.team_id for row in rows.values()}) != 1:
        raise Http404("There is no such run or trial, or the runs are of several teams.")
    found = [rows[pk] for pk in ids]
    if trial is not None:
        trial.run = found[0]
    return Shareable(subject, found[0].team, found, trial)


def redactor_for(runs: Sequence[Run]) -> Redactor:
    """What cuts out the secrets of the team, the keys of its connections, and what its packs planted for agents."""
    planted: set[str] = set()
    for run in runs:
        trial = run.trials.exclude(case=None).order_by("pk").first()
        if trial is not None:
            for task in tasks_of(run, [trial]).values():
                listed = (task.security or {}).get("planted_secrets") or []
                planted |= {str(entry["value"]) for entry in listed if isinstance(entry, dict) and entry.get("value")}
    return Means.of(runs[0].team).redactor.knowing(planted)
