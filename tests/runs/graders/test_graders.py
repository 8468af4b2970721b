from pathlib import Path

import pytest

from packs.formats.task import GraderSpec
from runs.graders import GRADERS, grade
from runs.graders.evidence import build_evidence
from tests.runs.graders.grading import graded, outcome

ROOT = Path(__file__).resolve().parents[3]


def test_an_unknown_kind_is_the_authors_mistake():
    assert outcome(graded("telepathy", "a", "a")) == "pack_error"


@pytest.mark.parametrize("kind", GRADERS)
def test_without_any_evidence_no_kind_of_grader_raises(kind):
    for target in ("", "final_output", "file:f", "tool_calls", "case.payload", "literal:{}"):
        for config in (None, {}, {"x": 1}, {"threshold": [], "schema": 1, "condition": 1, "pipeline": "x"}):
            result = grade(GraderSpec("v", kind, target, "literal:(", config), build_evidence([], []))
            assert (result.key, result.kind) == ("v", kind)


@pytest.mark.parametrize("kind", GRADERS)
def test_every_kind_is_documented(kind):
    assert f"### {kind}\n" in (ROOT / "docs" / "graders.md").read_text()
