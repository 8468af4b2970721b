import pytest

from tests.runs.grading.graders.grading import graded_on, outcome

CALLS = [
    ("tool.call.completed", {"tool_name": "search", "arguments": {"q": "parcel", "limit": 5}}),
    (
        "tool.call.completed",
        {"tool_name": "lookup", "arguments": {"id": "P", "opts": {"deep": True, "tags": ["a", "b"]}}},
    ),
    ("tool.call.failed", {"tool_name": "refund", "arguments": {"id": "P"}}),
    ("tool.call.completed", {"tool_name": "search", "arguments": {"q": "parcel", "limit": 5}}),
    ("tool.call.completed", {"tool_name": "reply", "arguments": {"text": "ok"}, "result": {"is_error": True}}),
]


def asserted(calls=CALLS, **config):
    return graded_on("tool_call_assertion", calls, "tool_calls", config=config or None)


@pytest.mark.parametrize(
    ("config", "verdict"),
    [
        ({"tool_name": "lookup"}, "pass"),
        ({"tool_name": "refund"}, "fail"),
        ({"tool_name": "reply"}, "fail"),
        ({"tool_name": "refund", "must_call": False}, "pass"),
        ({"must_call": False}, "fail"),
        ({"tool_name": "search", "count": 2}, "pass"),
        ({"tool_name": "search", "count": 1}, "fail"),
        ({"min_count": 3, "max_count": 3}, "pass"),
        ({"min_count": 4}, "fail"),
        ({"tool_name": "gone", "count": 0}, "pass"),
        ({"tool_name": "gone", "max_count": 0}, "pass"),
        ({"arguments_contain": {"limit": 5.0}}, "pass"),
        ({"arguments_contain": {"opts": {"tags": ["b"]}}}, "pass"),
        ({"arguments_contain": {"opts": {"tags": ["b", "b"]}}}, "fail"),
        ({"arguments_contain": {"opts": {"deep": 1}}}, "fail"),
        ({"arguments_contain": {}, "tool_name": "gone"}, "fail"),
        ({"ordered_tools": ["search", "search"]}, "pass"),
        ({"ordered_tools": ["lookup", "refund"]}, "fail"),
        ({"ordered_tools": ["search", "lookup", "search"], "order_mode": "exact"}, "pass"),
        ({"ordered_tools": ["search", "lookup"], "order_mode": "exact"}, "fail"),
        ({"tool_name": "search", "ordered_tools": ["reply"]}, "fail"),
    ],
)
def test_all_assertions_given_have_to_hold(config, verdict):
    assert outcome(asserted(**config)) == verdict


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"tool_name": " "},
        {"count": 1, "min_count": 1},
        {"min_count": 2, "max_count": 1},
        {"count": -1},
        {"must_call": True, "count": 0},
        {"must_call": False, "min_count": 1},
        {"arguments_contain": ["x"]},
        {"ordered_tools": ["a", ""]},
        {"ordered_tools": ["a"], "order_mode": "any"},
        {"tool_name": "a", "order_mode": "exact"},
        {"tool": "a"},
    ],
)
def test_an_unusable_assertion_is_the_authors_mistake(config):
    assert outcome(asserted(**config)) == "pack_error"


def test_no_calls_at_all_is_a_fact_that_can_be_judged():
    assert outcome(asserted([], tool_name="x")) == "fail"
    assert outcome(asserted([], tool_name="x", must_call=False)) == "pass"


def test_the_grade_points_to_the_first_matching_call():
    assert asserted(tool_name="lookup").source.sequence == 2
    assert asserted(tool_name="gone", count=0).source is None
