"""What references to a case lead to. Their texts are tested with the graders that read them."""

import pytest

from packs.formats.case_values import CaseValues
from packs.formats.task import EvidenceCase

CASE = {
    "schema_version": 1,
    "case_key": "k",
    "payload": {"list": [1, {"deep": None}]},
    "inputs": [{"key": "doc", "kind": "file", "artifact_key": "manual"}, {"key": "none", "kind": "text"}],
    "expectations": [
        {"key": "answer", "kind": "json", "value": {"town": "Hull"}},
        {"key": "echo", "kind": "text", "source": "input:none"},
    ],
}
VALUES = CaseValues(EvidenceCase(CASE, {"manual": {"key": "manual", "path": "docs/manual.pdf"}}))


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        ("challenge_input", CASE["payload"]),
        ("case.payload.list.1", {"deep": None}),
        ("case.payload.list.1.deep", None),
        ("case.expectations.answer.town", "Hull"),
        ("case.inputs.doc", "docs/manual.pdf"),
    ],
)
def test_a_reference_leads_to_the_value_as_it_was_written(reference, value):
    found = VALUES.find(reference)
    assert (found.is_available, found.value) == (True, value)


@pytest.mark.parametrize("reference", ["case.payload.", "case.payload..list", "case.expectations.answer. .town"])
def test_a_path_with_a_blank_step_leads_nowhere(reference):
    assert not VALUES.find(reference).is_available
    assert VALUES.find(reference).malformed


def test_fields_of_a_case_that_are_no_mappings_are_passed_over():
    values = CaseValues(EvidenceCase({**CASE, "inputs": ["doc", {"key": "doc", "value": 1}]}))
    assert values.find("case.inputs.doc").value == 1


def test_what_states_nothing_is_told_from_what_is_not_there():
    assert VALUES.find("case.inputs.none").is_blank
    assert VALUES.find("case.expectations.echo").is_blank
    gone = VALUES.find("case.expectations.anwser")
    assert (gone.is_available, gone.is_blank, gone.reason) == (False, False, "the case has no expectation 'anwser'")
