"""`manage.py run rescore` and `run adopt`: scoring a run again, and letting the new verdicts count."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any

from packs.management.answers import Misuse
from runs.jobs.scores.adopting import AdoptRefused, adopt
from runs.jobs.scores.rescoring import rescore_or_fail
from runs.models import Asks, Rescore, Run
from runs.results.rescoring import RescoreRefused, Wanted, ask_rescore
from runs.statistics.shares import shares_of

# Of many trials that changed these are told; pages and REST have them all.
TOLD = 20


def add_arguments(parser: ArgumentParser) -> None:
    """The options of `rescore` that concern judges, and what becomes of the verdicts."""
    asking = [choice for choice in Asks.values if choice]
    parser.add_argument("--ask", choices=asking, default="", help="ask judges: those that gave no answer, or all")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME=CONNECTION[/MODEL]",
        help="who answers for a model, where that is not as in the run; may be given again",
    )
    parser.add_argument("--adopt", action="store_true", help="let the new verdicts count for the run")


def score(run: Run, answers: Mapping[str, Any], options: Mapping[str, Any]) -> Rescore:
    """Score a run again, here and now. Raises Misuse."""
    try:
        evaluation = options["evaluation"].read_text() if options["evaluation"] else ""
        wanted = Wanted(options["number"], evaluation, options["ask"], answers)
        row = ask_rescore(run, wanted=wanted, send=False)
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f"{options['evaluation']}: {error}") from error
    except RescoreRefused as refused:
        found = [finding.as_dict() for finding in refused.findings]
        raise Misuse(refused.message, refused.code, found) from refused
    rescore_or_fail(row)
    row.refresh_from_db()
    return row


def find_rescore(pk: int) -> Rescore:
    """A rescore by its id. Raises Misuse."""
    row: Rescore | None = Rescore.objects.select_related("run", "version__pack").filter(pk=pk).first()
    if row is None:
        raise Misuse(f"There is no rescore {pk}.", "not_found")
    return row


def take_over(row: Rescore) -> Rescore:
    """Let the verdicts of a rescore count for its run. Raises Misuse."""
    try:
        adopt(row)
    except AdoptRefused as refused:
        raise Misuse(refused.message, refused.code) from refused
    row.refresh_from_db()
    return row


def told(row: Rescore) -> Iterator[str]:
    """A rescore in lines."""
    yield f"Rescore {row.pk} of run {row.run_id} by {row.version}: {row.status} {row.error}".rstrip()
    for agent in row.summary.get("agents", []):
        yield f"  {agent['name']}: {agent['changed']} trials changed"
        for name, side in (("before: ", agent["old"]), ("now:    ", agent["new"])):
            mean = "" if side["score"] is None else f", mean score {side['score']:.3f}"
            yield f"    {name}{shares_of(side['counts']).told}{mean}"
    for move in row.summary.get("moves", []):
        yield f"  {move['trials']} from {move['from']} to {move['to']}"
    changed = row.results.filter(has_changed=True).select_related("trial__run_agent")
    for result in changed.order_by("pk")[:TOLD]:
        sides = (result.old_status, result.old_score), (result.status, result.score)
        yield f"    {result.trial}: {' -> '.join(f'{status}, {spell_score(score)}' for status, score in sides)}"
    if row.summary.get("changed", 0) > TOLD:
        yield f"    ... and {row.summary['changed'] - TOLD} more"
    judging = row.summary.get("judging")
    if judging:
        cost = "cost not known" if judging["cost_usd"] is None else f"{judging['cost_usd']:.4f} US dollars"
        yield f"  judges: {judging['calls']:g} calls, {judging['tokens']:g} tokens, {cost}"
    if row.adopted_at:
        yield "  The new verdicts count for the run."


def spell_score(score: float | None) -> str:
    return "no score" if score is None else f"score {score:.3f}"
