"""From `flaky_tool` to the faults of a task."""

import pytest

from packs.formats import adapter_of
from packs.formats.faults import ToolFault
from tests.runs.gated import suite_files, task


def faults(inputs):
    files = suite_files(failure_replays__incident_1=task("incident_1", "failure_replays", inputs=inputs))
    pack, _ = adapter_of("task_suite").load(files)
    [compiled] = adapter_of("task_suite").compile_tasks(pack, "failure_replays")
    return compiled.environment.faults, compiled.for_agent()


def test_a_flaky_tool_fails_as_its_pattern_says_and_the_agent_is_not_told():
    found, told = faults("  flaky_tool: read_file\n  flaky_pattern: {first_n_failures: 3, failure_mode: malformed}\n")
    assert found == (ToolFault("read_file", "malformed", 3),)
    assert "malformed" not in str(told)


@pytest.mark.parametrize(
    "inputs",
    [
        "",
        "  flaky_tool: read_file\n",
        "  flaky_pattern: {first_n_failures: 3}\n",
        "  flaky_tool: read_file\n  flaky_pattern: {first_n_failures: 0}\n",
        "  flaky_tool: read_file\n  flaky_pattern: {first_n_failures: 1, failure_mode: odd}\n",
    ],
)
def test_half_a_pattern_is_no_fault(inputs):
    assert faults(inputs)[0] == ()
