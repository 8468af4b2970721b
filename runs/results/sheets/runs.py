"""A run as one HTML file: its agents, charts, cases by agents, and trials with their reasons."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from runs.models import Run, RunAgent, Trial
from runs.models.runs import ALL_SETS
from runs.models.trial_counts import trial_counts_of
from runs.replay.redaction import Redactor
from runs.results.calibrating import doubtful_judges
from runs.results.charts import charts_of
from runs.results.pictures.heat import MOST_DRAWN, heat_of, heat_svg
from runs.results.sheets.page import PAGE, beginning, chart_values, sheet
from runs.results.spelling import in_digits
from runs.statistics.shares import Shares, shares_of, spelled

# A page of more trials than this no browser reads well; other exports have all.
MOST_TRIALS = 5000
HEADS = ("Agent", "Kind", "Trials", "Judged", "Passed", "Pass rate", "Coverage", "Mean score")


def run_sheet(run: Run, redactor: Redactor) -> str:
    """The page of a run."""
    agents = list(run.agents.defer("config").order_by("position"))
    shares = {pk: shares_of(counts) for pk, counts in trial_counts_of(run.pk).by_agent.items()}
    drawn = list(heat_of(run, agents, MOST_DRAWN))
    trials = list(_trials(run, redactor))
    values = {
        "run": {"id": run.pk, "name": run.name},
        "about": _about(run),
        "doubts": [f"{judge}: {found.described}" for judge, found in doubtful_judges(run.version.pack).items()],
        "heads": HEADS,
        "agents": [_agent(agent, shares.get(agent.pk, shares_of({}))) for agent in agents],
        "charts": [chart_values(chart) for chart in charts_of(run)],
        "grid": heat_svg("Cases by agents", agents, drawn, PAGE) if drawn else "",
        "grid_left_out": len(drawn) == MOST_DRAWN,
        "most_drawn": MOST_DRAWN,
        "trials": trials,
        "left_out": run.trial_count - len(trials),
    }
    return sheet("run", values, redactor)


def _about(run: Run) -> str:
    chosen = f", input set {run.input_set.key}" if run.input_set else ", all input sets" * (run.selection == ALL_SETS)
    ended = f" at {run.finished_at:%Y-%m-%d %H:%M} UTC" if run.finished_at else ""
    return f"{run.version}{chosen}. {run.get_status_display()}{ended}."


def _agent(agent: RunAgent, shares: Shares) -> list[str]:
    score = in_digits((agent.summary or {}).get("overall_score"))
    counts = (shares.planned, shares.judged, shares.passed)
    return [agent.name, agent.kind, *map(str, counts), spelled(shares.pass_rate), spelled(shares.coverage), score]


def _trials(run: Run, redactor: Redactor) -> Iterator[dict[str, Any]]:
    rows: QuerySet[Trial] = (
        run.trials.order_by("case_position", "run_agent__position", "number")
        .select_related("run_agent")
        .prefetch_related("grades")
        .defer("scorecard", "run_agent__config")[:MOST_TRIALS]
    )
    for trial in rows:
        reasons = [f"{grade.key}: {grade.reason}" for grade in trial.grades.all() if grade.reason]
        cut_off = f"The answer was cut off: {trial.finish_reason}." if trial.finish_reason else ""
        yield {
            "case": trial.case_key,
            "agent": trial.run_agent.name,
            "number": trial.number,
            "status": trial.status,
            "verdict": trial.get_status_display() + (f" ({trial.fault})" if trial.fault else ""),
            "score": in_digits(trial.score),
            "why": [beginning(redactor, reason) for reason in (trial.error, cut_off, *reasons) if reason],
            "output": beginning(redactor, trial.final_output),
        }
