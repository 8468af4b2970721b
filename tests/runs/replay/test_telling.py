import pytest

from runs.replay import index_steps
from runs.replay.index import build_steps
from runs.replay.telling import LINE, line_of
from tests.runs.moments import event


def lines(*events):
    index = index_steps(events)
    by_number = {each["sequence_number"]: each for each in events}
    steps = build_steps(index, range(len(index)), by_number)
    own = [[by_number[number] for number in sorted(index.sequences([place]))] for place in range(len(index))]
    return [line_of(step, each) for step, each in zip(steps, own, strict=True)]


def test_a_call_and_its_result_are_one_line():
    [line] = lines(
        event(1, "tool.call.started", tool_name="search_catalogue", arguments={"query": "lamp"}),
        event(2, "tool.call.completed", tool_name="search_catalogue", result={"content": "3 lamps\nin stock"}),
    )
    assert line == ('search_catalogue("lamp")', "3 lamps in stock", True)


@pytest.mark.parametrize(
    ("arguments", "called"),
    [
        ({"query": "lamp", "limit": 3}, 't(query="lamp", limit=3)'),
        ({}, "t()"),
        (None, "t()"),
        ("not JSON", "t(not JSON)"),
        ({"path": "é"}, 't("é")'),
    ],
)
def test_several_arguments_have_their_names(arguments, called):
    [line] = lines(event(1, "tool.call.completed", tool_name="t", arguments=arguments, result={"a": 1}))
    assert (line.done, line.answer) == (called, '{"a": 1}')


def test_a_call_of_a_model_shows_what_it_said_and_which_tools_it_asked_for():
    said = event(1, "model.call.completed", output_text="I look it up.", tool_calls=[{"name": "search"}])
    silent = event(2, "model.call.completed", output_text="", tool_calls=[{"name": "search"}, {"name": "read"}])
    failed = event(3, "model.call.completed", error="no answer in time")
    assert [(line.done, line.answer) for line in lines(said, silent, failed)] == [
        ("I look it up.", "search"),
        ("Calls search, read", ""),
        ("Model call", "no answer in time"),
    ]


def test_commands_files_answers_metrics_and_messages_say_what_they_are_about():
    found = lines(
        event(1, "sandbox.command.completed", command=["ls", "-l"], exit_code=2),
        event(2, "sandbox.file.written", path="a.txt", size=4),
        event(3, "system.output.finalized", final_output="hub"),
        event(4, "scoring.metric.recorded", metric_key="calls", numeric_value=3.0),
        event(5, "turn.user.message", content="Hello", turn_index=0),
        event(6, "scoring.completed", dimension_scores={"correctness": 1.0, "manners": None}),
    )
    assert [(line.done, line.answer) for line in found] == [
        ("$ ls -l", "exit 2"),
        ("Sandbox file write: a.txt", "4 bytes"),
        ("Final answer", "hub"),
        ("calls = 3.0", ""),
        ("User", "Hello"),
        ("Scoring completed", "correctness 1.0, manners –"),
    ]


def test_a_line_stays_a_line():
    [line] = lines(event(1, "tool.call.completed", tool_name="t", arguments={"a": "x" * 9999}, result="y\n" * 9999))
    assert len(line.done) == len(line.answer) == LINE


@pytest.mark.parametrize(
    "payload", [{"tool_calls": 3, "messages": "x"}, {"result": [1]}, {"command": {}}, {"error": 1}]
)
@pytest.mark.parametrize("kind", ["model.call.completed", "tool.call.failed", "sandbox.command.failed", "odd.event"])
def test_odd_payloads_have_a_line_too(kind, payload):
    assert lines(event(1, kind, **payload))[0].done
