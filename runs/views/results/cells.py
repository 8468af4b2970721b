"""A run's grid as a map, and one of its cells: the trials of an agent at a case with the reasons of their verdicts."""

from dataclasses import dataclass

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django_htmx.http import push_url

from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.models import Grade, Run, RunAgent, Trial, TrialPlan
from runs.models.trial_counts import trial_counts_of
from runs.proof.document import CaseState
from runs.results.case_verdicts import joint_verdict, states_of
from runs.results.pictures.heat import MOST_DRAWN, heat_csv, heat_of, heat_svg
from runs.results.proofs import states_in_version
from runs.views.results.grid import PAGE_CASES, Cell, shades_of
from runs.views.results.results import agent_cards, find_run

# Of an answer the beginning is shown.
SHOWN_CHARACTERS = 1200
# Most trials that one cell shows with their reasons.
SHOWN_TRIALS = 50


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A trial of a cell with why it ended so: the grades that it did not pass, and the beginning of its answer."""

    trial: Trial

    @property
    def grades(self) -> list[Grade]:
        """The grades that say why: all but those that passed, and these where there are no others."""
        found = list(self.trial.grades.all())
        return [grade for grade in found if grade.verdict != "pass"] or found

    @property
    def answer(self) -> str:
        return self.trial.final_output[:SHOWN_CHARACTERS]

    @property
    def is_cut(self) -> bool:
        return len(self.trial.final_output) > SHOWN_CHARACTERS


@signed_in("GET")
def run_cell(request: HttpRequest, pk: int, agent: int, position: int) -> HttpResponse:
    """The trials of one agent at one case with their reasons: a page, and the part that opens beside the grid."""
    subject = find_run(request.user, pk)
    entry = get_object_or_404(RunAgent.objects.defer("config"), run=subject.run, pk=agent)
    rows = Trial.objects.filter(run=subject.run, run_agent=entry, case_position=position).order_by("number")
    grades = Grade.objects.defer("detail").order_by("position")
    trials = list(rows.defer("scorecard").prefetch_related(Prefetch("grades", grades))[:SHOWN_TRIALS])
    if not trials:
        raise Http404
    plan = TrialPlan.objects.filter(run=subject.run, case=trials[0].case_id).first()
    state = states_in_version(subject.run.version_id, [trials[0].case_id]).get(trials[0].case_id or 0)
    context = {
        "run": subject.run,
        "agent": entry,
        "case_key": trials[0].case_key,
        "challenge_key": trials[0].challenge_key,
        "cell": Cell(tuple(trial.status for trial in trials), joint_verdict(plan, states_of(trials)), trials[0].pk),
        "doubt": state if state is not CaseState.PROVEN else "",
        "reasoned": [Reasoned(trial) for trial in trials],
    }
    # Beside the grid it opens within the page of the run.
    return push_url(render_page(request, "runs/run/cell.html", "runs/run/_cell.html", context), False)


def columns_of(run: Run) -> list[RunAgent]:
    """The agents in the order in which the page of a run has them."""
    return [card.agent for card in agent_cards(run, trial_counts_of(run.pk))]


@signed_in("GET")
def grid_picture(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The cases of a run by its agents as SVG, the first of them."""
    run = find_run(request.user, pk).run
    agents = columns_of(run)
    drawn = heat_svg(f"Cases of run {run.pk} by agents", agents, list(heat_of(run, agents, MOST_DRAWN)))
    return _download(HttpResponse(drawn, content_type="image/svg+xml"), f"run-{pk}-cases.svg")


@signed_in("GET")
def grid_table(request: HttpRequest, pk: int) -> HttpResponseBase:
    """All cases of a run by its agents as CSV."""
    run = find_run(request.user, pk).run
    agents = columns_of(run)
    lines = heat_csv(agents, heat_of(run, agents))
    return _download(StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8"), f"run-{pk}-cases.csv")


def _download(answer: HttpResponseBase, name: str) -> HttpResponseBase:
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


@signed_in("GET")
def run_map(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole grid of a run as its map takes it. Parameters: status, finish, q, sort."""
    run = find_run(request.user, pk).run
    agents = columns_of(run)
    shades = shades_of(run, [agent.pk for agent in agents], request.GET.dict())
    return JsonResponse({"agents": [agent.name for agent in agents], "shades": shades, "page_cases": PAGE_CASES})
