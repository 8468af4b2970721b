"""The example of the documentation is an agent."""

import re
from pathlib import Path
from types import ModuleType

import jsonschema_rs

from runs.engine.entrant import Entrant
from runs.engine.outcome import Verdict
from runs.engine.trial import run_trial
from runs.replay.causes import Fault
from runs.sandbox import SANDBOXES
from tests.runs.tasks import make_task

PAGE = Path(__file__).parents[3] / "docs" / "agents.md"


def test_the_example_of_the_page_is_a_whole_agent():
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    agent = ModuleType("example")
    exec(compile(code, "example.py", "exec"), vars(agent))
    jsonschema_rs.validator_for(agent.SCHEMA)
    outcomes = [
        run_trial(make_task(expected="it?!"), Entrant(agent, "example", config), SANDBOXES["local"], lambda event: None)
        for config in ({"ending": "!"}, {})
    ]
    assert [outcome.final_output for outcome in outcomes] == ["it?!", "it?"]
    assert [outcome.verdict for outcome in outcomes] == [Verdict.PASSED, Verdict.FAILED]
    assert outcomes[1].fault is Fault.NONE
