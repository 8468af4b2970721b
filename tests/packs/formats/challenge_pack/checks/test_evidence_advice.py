"""Evidence is looked up in every case by itself."""

from dataclasses import replace

import orjson
import pytest

from packs.formats.challenge_pack import check, load
from packs.formats.challenge_pack.checks.evidence_advice import EVIDENCE_MISSING, EVIDENCE_UNKNOWN, EXPECTED_UNUSABLE
from tests.packs.formats.challenge_pack.samples import base

REFERENCE = "version.evaluation_spec.validators[0].expected_from"


def findings_of(expected_from, *cases, **validator):
    """What is found where the first validator expects this, and these cases follow the one of the base."""
    document = base("native")
    document["version"]["evaluation_spec"]["validators"][0] |= {"expected_from": expected_from, **validator}
    first = document["input_sets"][0]["cases"][0]
    more = [{**first, "case_key": f"more-{number}", **changes} for number, changes in enumerate(cases)]
    document["input_sets"][0]["cases"] += more
    pack, findings = load({"pack.json": orjson.dumps(document)})
    found = [*findings, *check(pack)]
    # That an agent can read what is expected, and that there are several cases, is another matter.
    return [(finding.code, finding.field_path) for finding in found if ".N" not in finding.code]


def expectation(**part):
    return {"expectations": [{"key": "port", "kind": "text", **part}]}


def test_each_case_that_lacks_what_a_validator_names_is_found():
    other = {"expectations": [{"key": "harbour", "kind": "text", "value": "Hull"}]}
    assert findings_of("case.expectations.port", {}, other, other) == [
        (EVIDENCE_MISSING.code, "input_sets[0].cases[2].expectations"),
        (EVIDENCE_MISSING.code, "input_sets[0].cases[3].expectations"),
    ]


@pytest.mark.parametrize(
    ("reference", "changes", "place"),
    [
        ("case.payload.day", {"payload": {"date": "Monday"}}, "payload"),
        ("case.inputs.question", {"inputs": []}, "inputs"),
        ("case.inputs.table.path", {"inputs": []}, "inputs"),
        ("artifact.timetable", {"inputs": []}, "artifacts"),
    ],
)
def test_every_kind_of_reference_is_looked_up_in_the_case(reference, changes, place):
    assert findings_of(reference) == []
    assert findings_of(reference, changes) == [(EVIDENCE_MISSING.code, f"input_sets[0].cases[1].{place}")]


@pytest.mark.parametrize(
    "reference", ["case.payload.day", "case.inputs.question", "case.expectations.port", "artifact.timetable"]
)
def test_parts_of_a_case_that_are_null_have_no_values(reference):
    """Files lose such parts when they are read; an editor can leave them."""
    document = base("native")
    document["version"]["evaluation_spec"]["validators"][0]["expected_from"] = reference
    pack, _ = load({"pack.json": orjson.dumps(document)})
    (input_set,) = pack.input_sets
    nulls = dict.fromkeys(("payload", "inputs", "expectations", "artifacts", "assets"))
    cases = tuple(replace(case, document={**case.document, **nulls}) for case in input_set.cases)
    found = check(replace(pack, input_sets=(replace(input_set, cases=cases),)))
    assert EVIDENCE_UNKNOWN.code in [finding.code for finding in found]


def test_a_path_into_a_value_is_followed_to_its_end():
    deep, flat = expectation(value={"name": "Hull"}), expectation(value={"title": "Hull"})
    assert findings_of("case.expectations.port.name", deep, flat) == [
        (EVIDENCE_MISSING.code, "input_sets[0].cases[0].expectations"),
        (EVIDENCE_MISSING.code, "input_sets[0].cases[2].expectations"),
    ]
    assert findings_of("case.expectations.port.name", flat) == [(EVIDENCE_UNKNOWN.code, REFERENCE)]


def test_what_no_case_has_is_said_once_at_the_reference():
    assert findings_of("case.expectations.pier", {}, {}) == [(EVIDENCE_UNKNOWN.code, REFERENCE)]


def test_a_value_taken_from_an_input_counts_as_one():
    assert findings_of("case.expectations.port", expectation(source="input:question")) == []


def test_an_expectation_without_content_is_one_finding():
    assert findings_of("case.expectations.port", expectation()) == [
        ("challenge_pack.W303", "input_sets[0].cases[1].expectations[0]")
    ]


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("regex_match", "^Hull$", "(?=Hull)"),
        ("json_schema", '{"type": "object"}', '{"type": "ferry"}'),
        ("json_path_match", "$.port", "port"),
    ],
)
def test_what_a_validator_cannot_compare_with_is_found_at_the_case(kind, good, bad):
    first = expectation(value=good)
    found = findings_of("case.expectations.port", first, expectation(value=bad), type=kind)
    assert (EXPECTED_UNUSABLE.code, "input_sets[0].cases[2].expectations") in found
    assert (EXPECTED_UNUSABLE.code, "input_sets[0].cases[1].expectations") not in found
