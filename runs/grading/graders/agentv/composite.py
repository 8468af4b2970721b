"""composite: several assertions as one (agentv F.9). Weight, negation and gates of its members count for nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from packs.formats.values import mapping
from runs.grading.graders.agentv.judged import ask
from runs.grading.graders.agentv.programs import (
    MAX_REPLY,
    SECONDS,
    completed,
    from_object,
    object_in,
    workspace_variables,
)
from runs.grading.graders.agentv.prompts import write_free
from runs.grading.graders.agentv.replies import free_row
from runs.grading.graders.agentv.rows import Check, RowVerdict, ScoreRow, mean_of, prefixed, weight_of
from runs.grading.graders.agentv.scene import Needed, Raised, Scene, Skipped, row_of
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.questions import Need
from runs.grading.graders.values import as_number

RESULTS = "EVALUATOR_RESULTS_JSON"
Aggregate = Callable[[Scene, Mapping[str, Any], Sequence[ScoreRow]], ScoreRow]


def judge(scene: Scene) -> ScoreRow:
    """What the aggregator makes of the members that were not skipped."""
    aggregator = mapping(scene.assertion.get("aggregator"))
    aggregate = AGGREGATORS.get(str(aggregator.get("type")))
    if aggregate is None:
        raise Raised(f"there is no aggregator {aggregator.get('type')!r}")
    members = rows_of(scene)
    counted = [row for row in members if row.says is not RowVerdict.SKIP]
    if members and not counted:
        raise Skipped("all its members were skipped")
    row = aggregate(scene, aggregator, counted)
    return ScoreRow(row.score, row.checks, row.verdict, row.details, members=tuple(members))


def rows_of(scene: Scene) -> list[ScoreRow]:
    """The rows of the members. What several of them need is needed at once. Raises Needed and more."""
    rows: list[ScoreRow] = []
    needs: list[Need] = []
    for assertion in map(mapping, scene.assertion.get("assertions") or ()):
        member = scene.member(assertion, str(assertion.get("name")))
        try:
            rows.append(row_of(member))
        except Needed as needed:
            needs += needed.needs
        except Skipped as skipped:
            rows.append(skipped.row(member))
    if needs:
        raise Needed(*needs)
    return rows


def weighted_average(scene: Scene, aggregator: Mapping[str, Any], rows: Sequence[ScoreRow]) -> ScoreRow:
    """The mean of the scores by the weights that the aggregator states."""
    stated = mapping(aggregator.get("weights"))
    score = mean_of((row.score, weight_of(stated.get(row.name))) for row in rows)
    return ScoreRow(score, tuple(_checks(rows)))


def threshold(scene: Scene, aggregator: Mapping[str, Any], rows: Sequence[ScoreRow]) -> ScoreRow:
    """The share of the members that pass, which passes from the threshold on."""
    least, passed = as_number(aggregator.get("threshold")) or 0.0, sum(row.says is RowVerdict.PASS for row in rows)
    score = passed / len(rows) if rows else 0.0
    summary = Check(f"{passed} of {len(rows)} members pass, {least:g} of them are needed", score >= least)
    verdict = RowVerdict.PASS if score >= least else RowVerdict.FAIL
    return ScoreRow(score, (summary, *_checks(rows)), verdict)


def _checks(rows: Sequence[ScoreRow]) -> list[Check]:
    return [check for row in rows for check in prefixed(row.name, row.checks)]


def by_program(scene: Scene, aggregator: Mapping[str, Any], rows: Sequence[ScoreRow]) -> ScoreRow:
    """What a program makes of the results of the members; one that fails is worth 0."""
    line = aggregator.get("path")
    if not isinstance(line, str) or not line.strip():
        raise Raised("its aggregator has no path")
    command = GraderCommand(
        key=f"{scene.key}/aggregator",
        arguments=("sh", "-c", line),
        seconds=scene.case.seconds or SECONDS,
        target="workspace",
        stdin=orjson.dumps({"results": results_of(rows)}, default=str),
        directory=_directory(scene, aggregator),
        variables=workspace_variables(scene),
        kept=MAX_REPLY,
        most_output=MAX_REPLY,
    )
    code, stdout, stderr = completed(scene.executed(command), "the aggregator")
    if code:
        raise Raised(stderr.strip()[-2000:] or f"the aggregator ended with code {code}")
    reply = object_in(stdout)
    if reply is None:
        raise Raised("the aggregator's reply is not a JSON object")
    score = as_number(reply.get("score"))
    row, verdict = from_object({**reply, "score": score or 0}), reply.get("verdict")
    stated = RowVerdict(verdict) if verdict in (RowVerdict.PASS, RowVerdict.FAIL) else None
    return ScoreRow(row.score, row.checks, stated, row.details)


def _directory(scene: Scene, aggregator: Mapping[str, Any]) -> str:
    """The folder of the pack in which the aggregator's program starts."""
    return str(aggregator.get("directory", scene.assertion.get("directory", scene.case.folder)))


def by_model(scene: Scene, aggregator: Mapping[str, Any], rows: Sequence[ScoreRow]) -> ScoreRow:
    """What a model makes of the results of the members."""
    stated = str(aggregator.get("prompt") or "")
    results = orjson.dumps(results_of(rows), option=orjson.OPT_INDENT_2, default=str).decode()
    prompt = stated.replace("{{" + RESULTS + "}}", results).replace("{{ " + RESULTS + " }}", results)
    return ask(scene, write_free(scene, prompt), free_row, aggregator.get("target"), "/aggregator")


def results_of(rows: Sequence[ScoreRow]) -> dict[str, Any]:
    """The results of the members by their names, as programs and models are told."""
    return {row.name: {"score": row.score, "verdict": row.says.value, **_described(row)} for row in rows}


def _described(row: ScoreRow) -> dict[str, Any]:
    details = {} if row.details is None else {"details": row.details}
    return {"assertions": [check.as_dict() for check in row.checks], "type": row.type, **details}


AGGREGATORS: Mapping[str, Aggregate] = {
    "weighted_average": weighted_average,
    "threshold": threshold,
    "code-grader": by_program,
    "llm-grader": by_model,
}
