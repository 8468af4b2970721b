"""What a judge's reply is worth, and what is not worth anything (agentv F.8)."""

import pytest

from runs.grading.graders.agentv.dates import day_of
from runs.grading.graders.agentv.replies import Unusable, checklist_row, free_row, ranges_row
from tests.runs.grading.graders.test_agentv import CODE, execution, graded

ITEMS = [{"id": "a", "outcome": "A"}, {"id": "b", "outcome": "B"}]


@pytest.mark.parametrize(
    ("word", "passed"),
    [
        ("true", True), ("TRUE", True), ('"true"', True), ('" True "', True), ("false", False), ("maybe", False),
        ("yes", False), ('"yes"', False), ('"pass"', False), ("not-sure", False),
    ],
)  # fmt: skip
def test_whether_a_check_passed_is_repaired_and_only_true_is_true(word, passed):
    row = free_row(f'{{"score": 0.9, "assertions": [{{"text": "kind", "passed": {word}}}]}}')
    assert (row.score, [check.passed for check in row.checks]) == (0.9, [passed])


@pytest.mark.parametrize(
    "reply",
    [
        "maybe",
        '{"score": maybe}',
        '{"score": "0.9"}',
        '{"score": 1.5}',
        '{"score": 0.9, "assertions": null}',
        '{"score": 0.9, "assertions": ["kind"]}',
        '{"score": 0.9, "assertions": [{"text": "kind"}]}',
        '{"score": 0.9, "assertions": [{"text": "kind", "passed": 1}]}',
        '{"score": 0.9, "assertions": [{"text": 3, "passed": true}]}',
        '{"score": 0.9, "assertions": [{"text": "kind", "passed": true, "evidence": 3}]}',
        '{"score": 0.9, "details": "none"}',
        '{"score": 0.9} and {"score": 0.8}',
    ],
)
def test_a_free_reply_of_another_shape_cannot_be_used(reply):
    with pytest.raises(Unusable):
        free_row(reply)


@pytest.mark.parametrize("around", ["{}", "So: {} That is all.", "```json\n{}\n```", "```\n{}\n```"])
def test_a_reply_stands_alone_in_a_text_or_in_a_fence(around):
    assert free_row(around.replace("{}", '{"score": 0.5}')).score == 0.5


@pytest.mark.parametrize(
    "check",
    [
        '{"satisfied": true, "reasoning": "r"}',
        '{"id": "a", "reasoning": "r"}',
        '{"id": "a", "satisfied": "yes", "reasoning": "r"}',
        '{"id": "a", "satisfied": true}',
    ],
)
def test_a_check_of_another_shape_makes_a_checklist_unusable(check):
    fine = '{"id": "b", "satisfied": true, "reasoning": "r"}'
    assert checklist_row(f'{{"checks": [{fine}], "overall_reasoning": "o"}}', ITEMS).score == 1
    for reply in (f'{{"checks": [{fine}, {check}], "overall_reasoning": "o"}}', f'{{"checks": [{fine}]}}'):
        with pytest.raises(Unusable):
            checklist_row(reply, ITEMS)


@pytest.mark.parametrize("score", ["7.5", "11", "-1", '"8"', "true"])
def test_points_are_whole_and_from_0_to_10(score):
    assert ranges_row('{"checks": [{"id": "a", "score": 8.0}]}', ITEMS).score == pytest.approx(0.8)
    with pytest.raises(Unusable):
        ranges_row(f'{{"checks": [{{"id": "a", "score": {score}}}]}}', ITEMS)


@pytest.mark.parametrize(
    ("formats", "month"), [((), 4), (("DD/MM/YYYY",), 4), (("sometimes",), 4), (("DD/MM/YYYY", "MM/DD/YYYY"), 4)]
)
def test_formats_that_say_nothing_leave_the_order_of_a_date_open(formats, month):
    assert day_of("13/04/2025", formats).month == month
    assert day_of("13/04/2025", ("MM/DD/YYYY",)) is None


def test_only_an_aggregators_bare_json_counts():
    member = {"name": "a", "type": "contains", "value": "hub"}
    asked = {"type": "composite", "assertions": [member], "aggregator": {"type": "code-grader", "path": "./sum"}}
    assert graded(asked, execution("it/aggregator", '{"score": 0.4}')).score == 0.4
    for printed in ('```json\n{"score": 0.4}\n```', "[0.4]", '{"score": "0.4"}'):
        assert graded(asked, execution("it/aggregator", printed)).score == 0


def test_a_type_that_nobody_knows_scores_nothing_and_one_of_the_pack_cannot_be_judged():
    unknown = graded({"type": "custom", "name": "it"})
    assert (unknown.outcome, unknown.score) == ("fail", 0.0)
    assert graded({"type": "custom", "name": "it", "is_own": True}).outcome == "pack_error"
    assert graded({"type": "conversation", "name": "it"}).score == 0.0
    assert graded(CODE, execution("it", '{"score": 1}')).score == 1.0
