"""`manage.py run rescore` and `run adopt`: scoring a run again, and letting the new verdicts count."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand

from packs.formats.registry import Registry
from packs.management.answers import Misuse, say, say_json
from runs.jobs.scores.adopting import AdoptRefused, adopt
from runs.jobs.scores.rescoring import rescore_or_fail
from runs.management import FINE, MACHINERY
from runs.management.acts import Act, Given, add_id, add_json
from runs.management.acts.answerers import add_models, read_models
from runs.management.lookup import find_run
from runs.models import Asks, Rescore, RescoreStatus, Run
from runs.results.rescoring import RescoreRefused, Wanted, ask_rescore
from runs.statistics.shares import shares_of

# Of many trials that changed so many are printed; pages and REST have them all.
SHOWN = 20
# Loaded for `--json` only.
_DOCUMENTS: Mapping[str, Callable[[Rescore], Any]] = Registry(
    "runs.results", {"rescore": "serializers:RescoreSerializer"}
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--version", dest="number", type=int, metavar="N", help="by this version of the pack")
    parser.add_argument("--evaluation", type=Path, metavar="FILE", help="by this evaluation, as YAML or JSON")
    asking = [choice for choice in Asks.values if choice]
    parser.add_argument("--ask", choices=asking, default="", help="ask judges: those that gave no answer, or all")
    add_models(parser, "who answers for a model, where that is not as in the run; may be given again")
    parser.add_argument("--adopt", action="store_true", help="let the new verdicts count for the run")
    add_id(parser)
    add_json(parser)


def add_rescore(parser: ArgumentParser) -> None:
    add_id(parser)
    add_json(parser)


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


def lines_of(row: Rescore) -> Iterator[str]:
    """A rescore in lines."""
    yield f"Rescore {row.pk} of run {row.run_id} by {row.version}: {row.status} {row.error}".rstrip()
    for agent in row.summary.get("agents", []):
        yield f"  {agent['name']}: {agent['changed']} trials changed"
        for name, side in (("before: ", agent["old"]), ("now:    ", agent["new"])):
            mean = "" if side["score"] is None else f", mean score {side['score']:.3f}"
            yield f"    {name}{shares_of(side['counts']).described}{mean}"
    for move in row.summary.get("moves", []):
        yield f"  {move['trials']} from {move['from']} to {move['to']}"
    changed = row.results.filter(has_changed=True).select_related("trial__run_agent")
    for result in changed.order_by("pk")[:SHOWN]:
        sides = (result.old_status, result.old_score), (result.status, result.score)
        yield f"    {result.trial}: {' -> '.join(f'{status}, {spell_score(score)}' for status, score in sides)}"
    if row.summary.get("changed", 0) > SHOWN:
        yield f"    ... and {row.summary['changed'] - SHOWN} more"
    judging = row.summary.get("judging")
    if judging:
        cost = "cost not known" if judging["cost_usd"] is None else f"{judging['cost_usd']:.4f} US dollars"
        yield f"  judges: {judging['calls']:g} calls, {judging['tokens']:g} tokens, {cost}"
    if row.adopted_at:
        yield "  The new verdicts count for the run."


def spell_score(score: float | None) -> str:
    return "no score" if score is None else f"score {score:.3f}"


def do_rescore(command: BaseCommand, options: Given) -> int:
    """Score again here and now; no worker is needed."""
    answers = read_models(options["model"])
    row = score(find_run(options["id"]), answers, options)
    if options["adopt"] and row.status == RescoreStatus.COMPLETED:
        row = take_over(row)
    return describe_rescore(command, row, options)


def do_adopt(command: BaseCommand, options: Given) -> int:
    """Let what a rescore says count for its run."""
    return describe_rescore(command, take_over(find_rescore(options["id"])), options)


def describe_rescore(command: BaseCommand, row: Rescore, options: Given) -> int:
    if options["json"]:
        say_json(command, _DOCUMENTS["rescore"](row).data)
    else:
        say(command, *lines_of(row))
    return FINE if row.status == RescoreStatus.COMPLETED else MACHINERY


RESCORE = Act(add_arguments, do_rescore)
ADOPT = Act(add_rescore, do_adopt)
