"""Rules about graders that ask a judge: rubrics, weights and thresholds (TS-307 to TS-313)."""

from collections.abc import Iterator
from math import isclose
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.task_suite.catalogue import DIMENSIONS
from packs.formats.task_suite.checks.inputs import BAD_PATH
from packs.formats.task_suite.layout import leaves_pack
from packs.formats.values import is_number, listing, mapping

WEIGHT_SUM = Rule(
    "task_suite.W310",
    "The weights add up to {total}, not to 1.",
    hint="They are scaled when the mean is taken; shares of 1 are easier to read.",
    rule="TS-310",
)
UNKNOWN_DIMENSION = Rule(
    "task_suite.E312",
    "{name} is neither a dimension of the scorecard nor the name of a rubric of this grader.",
    hint="Use one of: {known}.",
    rule="TS-312",
)
UNWEIGHTED = Rule(
    "task_suite.W313",
    "The rubric {name} has no weight, so it is not scored.",
    hint="Add {name} to scoring.weights, or remove the rubric.",
    rule="TS-313",
)
UNKNOWN_AGGREGATE = Rule(
    "task_suite.W319",
    "{name} is not a known way to combine several grades; the median is used.",
    hint="Use one of: {known}.",
)
# The names of `runs.grading.graders.rubrics.AGGREGATES`.
AGGREGATES = ("median", "mean", "majority")


def rubric_file(value: Any) -> str:
    """The path that `rubric` names; empty where it is the text of a rubric itself."""
    is_path = isinstance(value, str) and value.endswith(".md") and not any(letter.isspace() for letter in value)
    return value if is_path else ""


def rubric_paths(grader: Document) -> Iterator[tuple[Path, str]]:
    """The rubric files that a grader names, each with the path of its field."""
    for index, path in enumerate(listing(grader.get("rubric_paths"))):
        if isinstance(path, str):
            yield ("rubric_paths", index), path
    if rubric_file(grader.get("rubric")):
        yield ("rubric",), grader["rubric"]


def stem(path: str) -> str:
    """The dimension that a rubric file scores (task-suite 1)."""
    return path.rpartition("/")[2].removesuffix(".md")


def named_files(grader: Document) -> Iterator[tuple[Path, str]]:
    """Every file that a grader names, each with the path of its field."""
    yield from rubric_paths(grader)
    if isinstance(grader.get("schema_path"), str):
        yield ("schema_path",), grader["schema_path"]


def check_rubric(document: Document, kind: str, grader: Document, path: Path) -> Iterator[Finding]:
    """Every rule about a grader that names files or asks a judge."""
    suite = document.get("suite")
    for field, name in named_files(grader):
        if leaves_pack(suite if isinstance(suite, str) else "", name):
            yield BAD_PATH.at((*path, *field), name=repr(name[:120]))
    if kind != "model_rubric":
        return
    scoring = mapping(grader.get("scoring"))
    aggregate = mapping(grader.get("judge")).get("aggregate", AGGREGATES[0])
    if aggregate not in AGGREGATES:
        yield UNKNOWN_AGGREGATE.at(
            (*path, "judge", "aggregate"), name=repr(aggregate)[:80], known=", ".join(AGGREGATES)
        )
    weights = scoring.get("weights")
    if isinstance(weights, dict):
        yield from _check_weights(weights, grader, (*path, "scoring", "weights"), path)


def _check_weights(weights: dict[str, Any], grader: Document, path: Path, owner: Path) -> Iterator[Finding]:
    stems = [stem(name) for _, name in rubric_paths(grader)]
    known = (*DIMENSIONS, *stems)
    for name in weights:
        if name not in known:
            yield UNKNOWN_DIMENSION.at((*path, name), name=repr(name[:80]), known=", ".join(dict.fromkeys(known)))
    shares = [weight for weight in weights.values() if is_number(weight) and weight >= 0]
    if len(shares) == len(weights) and not isclose(sum(shares), 1, rel_tol=0, abs_tol=0.001 + 1e-12):
        yield WEIGHT_SUM.at(path, total=f"{sum(shares):g}")
    for field, name in rubric_paths(grader):
        if stem(name) not in weights:
            yield UNWEIGHTED.at((*owner, *field), name=stem(name)[:80])
