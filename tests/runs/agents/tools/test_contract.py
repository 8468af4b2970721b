import time

import pytest

from runs.agents.endpoints.watch import Watch
from runs.agents.tools.contract import Bench, ToolFailed, parameters


def test_a_bench_without_a_workspace_says_so():
    with pytest.raises(ToolFailed):
        _ = Bench(None, lambda kind, payload: None).room


def test_a_program_gets_what_it_asks_for_within_the_time_that_is_left():
    bench = Bench(None, lambda kind, payload: None)
    assert bench.seconds(30) == 30
    bench.watch = Watch(time.monotonic() + 25)
    assert 0 < bench.seconds(30) <= 25
    bench.watch = Watch(time.monotonic() - 1)
    with pytest.raises(ToolFailed):
        bench.seconds(30)


def test_a_schema_of_parameters_is_closed():
    assert parameters(("a",), a={"type": "string"}) == {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "additionalProperties": False,
        "required": ["a"],
    }
