"""The traces of the corpus: what the vectors say of them, and that real ones have nothing to complain about."""

import pytest

from packs.formats import yamlio
from packs.formats.findings import has_errors, to_pointer
from packs.formats.traces import read_trace
from tests.corpora import corpus_folder

FOLDER = corpus_folder("task-suite")
VECTORS, _ = yamlio.read((FOLDER / "vectors.yaml").read_bytes(), dialect=yamlio.CORE_12)
TRACES = sorted(path for path in (FOLDER / "examples" / "traces").glob("*-run-*.json"))


@pytest.mark.parametrize(
    "vector", [pytest.param(case, id=case["id"]) for case in VECTORS["cases"] if case["kind"] == "trace"]
)
def test_a_trace_has_just_its_errors_and_at_least_its_warnings(vector):
    _, findings = read_trace(vector["source"])
    errors = {(found.rule, to_pointer(found.path)) for found in findings if found.is_error}
    others = {(found.rule, to_pointer(found.path)) for found in findings if not found.is_error}
    assert errors == {(stated["rule"], stated["at"]) for stated in vector["errors"]}
    assert others >= {(stated["rule"], stated["at"]) for stated in vector["warnings"]}
    assert has_errors(findings) is not vector["valid"]


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_real_trace_has_nothing_to_complain_about(path):
    assert [finding.code for finding in read_trace(path.read_bytes())[1]] == []
