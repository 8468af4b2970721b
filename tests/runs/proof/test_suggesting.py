"""What a model is asked for probes of a case, and how its reply is read."""

import json
from dataclasses import replace

import pytest

from packs.formats.task import EvidenceCase, GraderSpec, JudgeSpec
from runs.agents.endpoints.contract import ModelPrice
from runs.proof.author import CaseNotes
from runs.proof.suggesting import (
    EACH,
    MAX_CHECKS,
    MAX_QUESTION,
    MAX_REFERENCE,
    BadReply,
    estimate_of,
    read_reply,
    request_for,
)
from tests.runs.tasks import make_task

GRADER = GraderSpec("says", "exact_match", config={"case_sensitive": False})
JUDGE = JudgeSpec("tone", "rubric", ("judge",), "Be kind.")
TASK = replace(
    make_task(reference=None), prompt="Which hub?", evidence=EvidenceCase({}), graders=(GRADER,), judges=(JUDGE,)
)


def sent(task):
    return json.loads(request_for(task, CaseNotes())[1]["content"])


def test_a_request_has_the_question_the_reference_and_the_checks():
    shown = sent(replace(TASK, reference="Leeds"))
    assert (shown["question"], shown["reference"]) == ("Which hub?", "Leeds")
    assert json.loads(shown["checks"]) == [
        {"check": "says", "kind": "exact_match", "expected": "", "settings": {"case_sensitive": False}},
        {"judge": "tone", "mode": "rubric", "text": "Be kind."},
    ]
    assert sent(TASK)["reference"] is None


def test_a_request_is_bounded():
    grader = replace(GRADER, config={"pattern": "x" * 90_000})
    shown = sent(replace(TASK, prompt="x" * 90_000, reference="x" * 90_000, graders=(grader,)))
    assert [len(shown[key]) for key in ("question", "reference", "checks")] == [
        MAX_QUESTION,
        MAX_REFERENCE,
        MAX_CHECKS,
    ]


def test_an_estimate_counts_the_request_and_the_reply_and_has_no_cost_without_a_price():
    messages = [{"role": "user", "content": "x" * 4_000}]
    found = estimate_of(messages, ModelPrice(1.0, 2.0))
    assert (found.calls, found.tokens) == (1, 2_500)
    assert found.cost_usd == pytest.approx((1_000 + 2 * 1_500) / 1_000_000)
    assert estimate_of(messages, None).cost_usd is None


@pytest.mark.parametrize("form", ["{}", "```json\n{}\n```", "```\n{}\n```\n"])
def test_a_reply_is_read_also_in_a_code_fence(form):
    reply = {"wrong": [{"answer": "York", "why": "another\nhub"}], "right": [{"answer": "Leeds hub"}]}
    found = read_reply(form.replace("{}", json.dumps(reply)))
    assert [(each.kind, each.text, each.why) for each in found] == [
        ("right", "Leeds hub", ""),
        ("wrong", "York", "another hub"),
    ]


def test_the_same_answer_is_suggested_once_and_no_more_than_were_asked_for():
    assert len(read_reply(json.dumps({"wrong": [{"answer": "a"}, {"answer": "a"}]}))) == 1
    assert len(read_reply(json.dumps({"wrong": [{"answer": str(each)} for each in range(40)]}))) == EACH


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (" ", "an empty reply"),
        ("I cannot help with that.", "something else than JSON: 'I cannot help with that.'"),
        ("<html>Sign in</html>", "something else than JSON"),
        ("[]", "a JSON object with the keys"),
        ('{"answers": []}', "a JSON object with the keys"),
        ('{"wrong": [], "right": []}', "suggested no answer"),
        ('{"wrong": "York"}', "wrong in the reply of the model must be a list"),
        ('{"wrong": ["York"]}', "Entry 1 of wrong"),
        ('{"right": [{"answer": "a"}, {"answer": 3}]}', "Entry 2 of right"),
        ('{"right": [{"answer": "a", "why": 3}]}', "Entry 1 of right"),
        (json.dumps({"right": [{"answer": "x" * 10_001}]}), "at most 10,000 characters"),
    ],
)
def test_a_bad_reply_says_what_is_wrong_with_it(reply, said):
    with pytest.raises(BadReply, match=said.replace("(", r"\(")):
        read_reply(reply)
