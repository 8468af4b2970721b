"""What suite.human_review asks of people: the things to score from 0 to 4, and how many people are needed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from packs.formats.task import GraderSpec

OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that a reviewer scores: its key among the scores, its name, and the text that says what is meant."""

    key: str
    name: str
    text: str = ""


def aspects(spec: GraderSpec) -> tuple[Aspect, ...]:
    """What a reviewer scores: each rubric, then each assertion; the trial as a whole where neither is stated."""
    config = spec.config or {}
    grader: Mapping[str, Any] = config.get("grader") or {}
    texts: Mapping[str, str] = config.get("files") or {}
    stems = dict.fromkeys(PurePosixPath(path).stem for path in _texts(grader, "rubric_paths"))
    rubrics = [Aspect(stem, stem.replace("_", " ").capitalize(), texts.get(stem, "")) for stem in stems]
    stated = enumerate(_texts(grader, "assertions"), start=1)
    claims = [Aspect(f"assertion {number}", f"Assertion {number}", text) for number, text in stated]
    return (*rubrics, *claims) or (Aspect(OVERALL, "Overall"),)


def _texts(grader: Mapping[str, Any], name: str) -> list[str]:
    value = grader.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
