import pytest

from packs.formats.faults import ToolFault
from runs.agents.tools.faults import FAULT_TEXTS
from runs.grading.graders.evidence.calls import read_tool_call
from runs.grading.graders.suite.scene import call_of

FILES = {"a.txt": "Leeds"}


def flaky(mode, count=2, tool="read_file"):
    return (ToolFault(tool, mode, count),)


@pytest.mark.parametrize("mode", list(FAULT_TEXTS))
def test_the_first_calls_fail_in_the_way_that_the_task_wants(shop, mode):
    tools = shop(FILES, faults=flaky(mode))
    for _ in range(2):
        result = tools.call("read_file", {"path": "a.txt"})
        assert (result.is_error, result.text) == (True, FAULT_TEXTS[mode])
        assert tools.origin() == "injected"
        kind, payload = tools.last()
        assert call_of(read_tool_call(kind, 1, payload)).status == mode
    assert tools.value("read_file", path="a.txt")["content"] == "Leeds"


def test_other_tools_work_meanwhile(shop):
    tools = shop(FILES, faults=flaky("timeout"))
    assert tools.value("list_files")
    assert tools.call("read_file", {"path": "a.txt"}).is_error


def test_a_call_that_fails_has_done_nothing(shop):
    tools = shop(faults=flaky("error", 1, "write_file"))
    assert tools.call("write_file", {"path": "made.txt", "content": "x"}).is_error
    assert "made.txt" not in tools.call("list_files").text


def test_a_call_that_cannot_be_read_does_not_use_up_a_failure(shop):
    tools = shop(FILES, faults=flaky("timeout", 1))
    tools.call("read_file", "{")
    assert tools.origin() == "resolution"
    assert tools.call("read_file", {"path": "a.txt"}).text == FAULT_TEXTS["timeout"]
    assert not tools.call("read_file", {"path": "a.txt"}).is_error


def test_tools_of_the_pack_fail_by_their_own_name(shop):
    own = {"name": "track", "implementation": {"type": "mock", "response": "here"}}
    tools = shop(tools={"custom": [own]}, faults=flaky("denied", 1, "track"))
    assert tools.call("track").is_error
    assert tools.call("track").text == "here"
