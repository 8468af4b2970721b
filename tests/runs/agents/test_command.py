import sys

import pytest

from runs.engine.outcome import Verdict
from runs.replay.causes import Fault
from tests.runs.tasks import make_task, payload, run, types


def program(code, **more):
    return {"arguments": [sys.executable, "-c", code], **more}


def test_the_program_reads_the_task_and_nothing_that_only_graders_see():
    code = "import json, sys; task = json.load(sys.stdin); print(task['prompt'], 'reference' in task, 'hidden' in task)"
    outcome, events = run(make_task(), "command", program(code))
    assert outcome.final_output == "Where is it? False False"
    assert payload(events, "sandbox.command.completed")["exit_code"] == 0


def test_one_line_end_is_not_part_of_the_answer():
    assert run(make_task(), "command", program("print('a\\n')"))[0].final_output == "a\n"
    assert run(make_task(), "command", program("print('a', end='')"))[0].final_output == "a"


def test_events_are_recorded_as_they_come_and_the_answer_is_its_own_line():
    code = (
        "import json; print(json.dumps({'type': 'tool.call.completed', 'payload': {'tool_name': 't'}})); print(); "
        "print(json.dumps({'final_output': 'the hub'}))"
    )
    outcome, events = run(make_task(), "command", program(code, protocol="events"))
    assert (outcome.verdict, outcome.final_output) == (Verdict.PASSED, "the hub")
    assert types(events)[1:4] == ["sandbox.command.started", "tool.call.completed", "sandbox.command.completed"]


@pytest.mark.parametrize(
    "line",
    ["not json", '"text"', "{}", '{"type": "turn.completed"}', '{"type": "tool.call.started", "payload": 1}', ""],
)
def test_a_line_that_the_protocol_does_not_know_is_the_agents_fault(line):
    outcome, _ = run(make_task(), "command", program(f"print({line!r})", protocol="events"))
    assert (outcome.verdict, outcome.fault) == (Verdict.FAILED, Fault.AGENT)


def test_an_exit_code_is_a_failure_and_the_end_of_standard_error_is_kept():
    code = "import sys; print('hub'); print('why', file=sys.stderr); sys.exit(2)"
    outcome, events = run(make_task(), "command", program(code))
    assert (outcome.verdict, outcome.fault) == (Verdict.FAILED, Fault.AGENT)
    failed = payload(events, "sandbox.command.failed")
    assert (failed["exit_code"], failed["stderr"]) == (2, "why\n")


def test_a_program_that_cannot_be_started_says_nothing_of_the_agent():
    outcome, events = run(make_task(), "command", {"arguments": ["no-such-program"]})
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.MACHINE)
    assert "sandbox.command.failed" in types(events)


def test_the_time_limit_of_the_agent_ends_the_program():
    code = "import time; time.sleep(60)"
    outcome, events = run(make_task(), "command", program(code, timeout_seconds=0.3))
    assert (outcome.verdict, outcome.stop_reason) == (Verdict.FAILED, "timeout")
    assert payload(events, "sandbox.command.failed")["timed_out"] is True


def test_a_cancelled_run_ends_the_program():
    answers = iter([False])
    outcome, _ = run(
        make_task(), "command", program("import time; time.sleep(60)"), is_cancelled=lambda: next(answers, True)
    )
    assert outcome.verdict is Verdict.CANCELLED


def test_variables_of_task_and_agent_are_given():
    code = "import os; print(os.environ['TOKEN'])"
    assert run(make_task(), "command", program(code, variables={"TOKEN": "hub"}))[0].verdict is Verdict.PASSED
