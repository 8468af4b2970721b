"""What suite.human_review asks of people: the things to score from 0 to 4, and from which mean a trial passes."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from packs.formats.task import GraderSpec
from runs.grading.graders.reviews import Aspect, Rubric
from runs.grading.graders.suite.replies import threshold_of

OVERALL = "overall"


def rubric(spec: GraderSpec) -> Rubric:
    """What a reviewer scores: each rubric, then each assertion; the trial as a whole where neither is stated."""
    config = spec.config or {}
    grader: Mapping[str, Any] = config.get("grader") or {}
    texts: Mapping[str, str] = config.get("files") or {}
    stems = dict.fromkeys(PurePosixPath(path).stem for path in _texts(grader, "rubric_paths"))
    rubrics = [Aspect(stem, stem.replace("_", " ").capitalize(), texts.get(stem, "")) for stem in stems]
    stated = enumerate(_texts(grader, "assertions"), start=1)
    claims = [Aspect(f"assertion {number}", f"Assertion {number}", text) for number, text in stated]
    return Rubric((*rubrics, *claims) or (Aspect(OVERALL, "Overall"),), threshold_of(grader))


def _texts(grader: Mapping[str, Any], name: str) -> list[str]:
    value = grader.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
