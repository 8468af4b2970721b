"""The example of the documentation is a sandbox."""

import re
from pathlib import Path
from types import ModuleType

from runs.sandbox.contract import Isolation
from tests.runs.sandbox.rooms import python, room

PAGE = Path(__file__).parents[3] / "docs" / "sandboxes.md"


def test_the_example_of_the_page_is_a_whole_sandbox():
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    sandbox = ModuleType("example")
    exec(compile(code, "example.py", "exec"), vars(sandbox))
    assert (sandbox.obstacle(), sandbox.ISOLATION) == ("", Isolation.NONE)
    with sandbox.open_workspace(room(files={"in.txt": b"hub"})) as workspace:
        result = workspace.run(python("import os; print(open('in.txt').read(), os.nice(0))"))
    assert (result.exit_code, result.stdout) == (0, b"hub 19\n")
