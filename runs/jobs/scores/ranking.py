"""Has the n_wise judges of a run rank its agents, case by case, and puts the result into the scorecards."""

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import transaction

from packs.formats.task import JudgeSpec, Task
from packs.messages import reporting_mistakes
from runs.engine.rescoring import judge_again
from runs.grading.graders.evidence import build_evidence
from runs.grading.judges import RANKING, Answer, Bench, Note, ask_ranking
from runs.grading.scoring import JudgeResult, read_judge
from runs.jobs.queue.leases import new_mark
from runs.jobs.scores.amending import amend, said_by
from runs.jobs.trials import rankings
from runs.jobs.trials.execution import is_stopping
from runs.jobs.trials.judges import bench_of
from runs.jobs.trials.loading import tasks_of
from runs.jobs.trials.means import Means
from runs.jobs.trials.progress import conclude
from runs.models import Ranking, Run, Trial

LOOK_SECONDS = 1.0

# The results of the ranking judges: key of a judge -> id of a run agent (as a text) -> result.
Results = Mapping[str, Mapping[str, JudgeResult]]


def make_rankings(run: Run) -> None:
    """Make the rankings of a run that nobody else makes, and end the run when none is left."""
    mark = new_mark()
    while not is_stopping() and not is_cancelled(run.pk):
        ranking = rankings.claim(run.pk, mark)
        if ranking is None:
            break
        make_or_fail(run, ranking)
    if is_cancelled(run.pk) or not rankings.unfinished(run.pk).exists():
        conclude(run.pk)


def is_cancelled(run_id: int) -> bool:
    return Run.objects.filter(pk=run_id, cancel_requested_at__isnull=False).exists()


def make_or_fail(run: Run, ranking: Ranking) -> None:
    """Make one ranking; one that fails by a mistake of ours says so, and keeps no run from ending."""
    if ranking.claims > rankings.MAX_CLAIMS:
        rankings.close(ranking, {}, f"The worker was lost {rankings.MAX_CLAIMS} times while it made this ranking.")
        return
    with reporting_mistakes("ranking-broke", partial(rankings.close, ranking, {}), ranking=ranking.pk):
        Comparison(run, ranking).make()


class Watch:
    """Asked again and again while judges answer: whether to give up. Keeps the lease of the ranking meanwhile."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.lock = threading.Lock()
        self.looked_at = time.monotonic()
        self.is_over = False

    def __call__(self) -> bool:
        with self.lock:
            if time.monotonic() - self.looked_at >= LOOK_SECONDS:
                self.looked_at = time.monotonic()
                rankings.hold(self.ranking)
                self.is_over = is_cancelled(self.ranking.run_id) or is_stopping()
        return self.is_over


class Comparison:
    """The trials of one case and number, with their evidence."""

    def __init__(self, run: Run, ranking: Ranking) -> None:
        self.run = run
        self.ranking = ranking
        self.trials = list(Trial.objects.filter(pk__in=[pk for pk, _ in ranking.trials]).order_by("pk"))
        self.events = {trial.pk: [event.as_event() for event in trial.events.all()] for trial in self.trials}
        self.minutes = Minutes()
        self.redactor = Means.of(run.team).redactor

    def make(self) -> None:
        """Ask the judges and write what they say into the scorecards, all at once or not at all."""
        if not self.trials or not rankings.still_there(self.ranking, self.trials):
            rankings.close(self.ranking, {})
            return
        task = tasks_of(self.run, self.trials)[self.trials[0].case_id]
        bench = bench_of(self.run, Watch(self.ranking))
        results = self._ask(task, bench)
        if bench.is_cancelled():
            rankings.give_back(self.ranking)
            return
        with transaction.atomic():
            if rankings.close(self.ranking, self.redactor.value(self.minutes.as_dict())):
                for trial in self.trials:
                    self._write(task, trial, results)

    def _ask(self, task: Task, bench: Bench) -> Results:
        judges = [judge for judge in task.judges if judge.mode == RANKING]
        return ranked(task, judges, self.trials, self.events, bench, self.minutes.note)

    def _write(self, task: Task, trial: Trial, results: Results) -> None:
        """Score one trial with what is known now; what scoring tells is appended to its events."""
        reported: list[dict[str, Any]] = []
        events = self.events[trial.pk]
        earlier = [read_judge(document) for document in trial.scorecard.get("llm_judge_details", ())]
        ranked = {key: found[str(trial.run_agent_id)] for key, found in results.items()}
        judges = [ranked.get(judge.judge_key, judge) for judge in earlier]
        outcome = judge_again(task, events, judges, reported.append, self.redactor)
        if outcome is not None:
            amend(trial, events, reported, said_by(outcome))


def ranked(
    task: Task,
    judges: Iterable[JudgeSpec],
    trials: Sequence[Trial],
    events: Mapping[int, Sequence[Mapping[str, Any]]],
    bench: Bench,
    note: Note,
) -> Results:
    """What ranking judges say of the trials of one case and number, of which `events` holds what was recorded."""
    cases = [task.evidence] if task.case_key else []
    candidates = {str(trial.run_agent_id): build_evidence(cases, events[trial.pk]) for trial in trials}
    seed = f"{trials[0].run_id}/{trials[0].case_position}/{trials[0].number}"
    return {judge.key: ask_ranking(task, judge, candidates, seed, bench, note) for judge in judges}


class Minutes:
    """The calls of ranking judges, as they are kept with a ranking: what was asked is kept once for all calls of it."""

    def __init__(self) -> None:
        self.judges: dict[str, dict[str, list[Any]]] = {}

    def note(self, answer: Answer) -> int:
        """Keep one call. No event tells of it, since it concerns several trials."""
        question, usage = answer.question, answer.usage
        kept = self.judges.setdefault(question.judge.key, {"prompts": [], "calls": []})
        messages = list(question.messages)
        if messages not in kept["prompts"]:
            kept["prompts"].append(messages)
        kept["calls"].append(
            {
                "model": question.model,
                "sample": question.sample,
                "order": list(question.order),
                "prompt": kept["prompts"].index(messages),
                "output_text": answer.text,
                "error": answer.error,
                "connection": answer.connection,
                "seconds": round(answer.seconds, 3),
                "total_tokens": usage.total_tokens,
                "cost_usd": usage.cost_usd,
            }
        )
        return 0

    def as_dict(self) -> dict[str, Any]:
        return self.judges
