"""Single checks of drafts that are tried on an answer."""

import pytest

from packs.formats.findings import Finding, Severity
from packs.importing import import_pack
from packs.mirror import stored
from runs.jobs.trials.checks import CheckNotTried, try_check
from tests.packs.drafts import draft_of

pytestmark = pytest.mark.django_db
SPEC = "/version/evaluation_spec/validators"
SUITE = b"""name: parcels
assertions:
- {type: contains, value: hub}
tests:
- id: where
  criteria: Names the hub.
  input: Where is PX-1?
  assertions:
  - {type: regex, value: "PX-[0-9]+"}
  - {type: equals, value: York, negate: true}
  - {type: latency, threshold: 5}
  - {type: llm-grader, prompt: Judge}
  - It is polite.
  - {type: composite, aggregator: {type: threshold, threshold: 1}, assertions: [{name: a, type: contains, value: a}]}
"""
QUIZ = {
    "manifest.yaml": b"id: quiz\nversion: 1\n",
    "tasks.jsonl": b'{"id": "a", "family": "short_answer", "input": {"question": "W?"}, '
    b'"eval": {"accepted_answers": ["Leeds"]}, "environment": {"image": "i"}}\n',
}


@pytest.fixture
def suite(team, author):
    return import_pack(team, author, {"parcels.eval.yaml": SUITE}, "parcels", format="agentv")


def passes(row, pointer, answer):
    return try_check(row, pointer, answer)["verdict"] == "pass"


@pytest.mark.parametrize(
    ("pointer", "good", "bad"),
    [
        ("/assertions/0", "Parcel PX-41", "Parcel 41"),
        ("/assertions/1", "Leeds", "York"),
    ],
)
def test_an_assertion_of_a_test_is_tried_alone(suite, pointer, good, bad):
    case = suite.cases.get()
    assert passes(case, pointer, good)
    assert not passes(case, pointer, bad)


@pytest.mark.parametrize(
    ("place", "needed"), [(2, "the record of a trial"), (3, "a model"), (4, "a model"), (5, "a model"), (9, "has gone")]
)
def test_what_an_answer_is_not_enough_for_is_said(suite, place, needed):
    with pytest.raises(CheckNotTried, match=needed):
        try_check(suite.cases.get(), f"/assertions/{place}", "x")


def test_a_validator_is_tried_on_the_first_case(team):
    draft = draft_of(team)
    spec = draft.document["version"]["evaluation_spec"]
    spec["validators"].append(
        {"key": "b", "type": "contains", "target": "final_output", "expected_from": "literal:hub"}
    )
    draft.save()
    assert passes(draft, f"{SPEC}/1", "at the hub")
    assert not passes(draft, f"{SPEC}/1", "at York")


def test_a_row_of_a_benchmark_is_a_check_itself(team, author):
    quiz = import_pack(team, author, QUIZ, "quiz", format="benchmark_pack")
    row = quiz.cases.get()
    assert passes(row, "", "It is Leeds.")
    assert not passes(row, "", "York")
    row.document = {**row.document, "family": "terminal_task"}
    with pytest.raises(CheckNotTried, match="a sandbox"):
        try_check(row, "", "x")


def test_errors_of_the_pack_are_named(suite):
    case = suite.cases.get()
    case.findings = [stored(Finding("agentv.E1", Severity.ERROR, (), "It is broken."))]
    case.save()
    with pytest.raises(CheckNotTried, match="It is broken"):
        try_check(case, "/assertions/0", "x")
