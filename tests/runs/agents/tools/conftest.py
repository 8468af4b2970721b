"""A toolbox over a real workspace, and what it recorded."""

import json
from contextlib import ExitStack

import pytest

from packs.formats.task import Environment
from runs.agents.endpoints.addresses import AllowList
from runs.agents.tools import toolbox_of
from runs.sandbox import SANDBOXES
from runs.sandbox.contract import Room
from tests.runs.tasks import make_task

# The best sandbox that this machine can have, as for trials.
SANDBOX = next(sandbox for sandbox in SANDBOXES.values() if not sandbox.obstacle())
ALL = {"allow_shell": True, "allow_network": True}


class Shop:
    """A toolbox with the workspace behind it; `events` are (type, payload) pairs."""

    def __init__(self, toolbox, workspace, events):
        self.toolbox, self.workspace, self.events = toolbox, workspace, events

    @property
    def names(self):
        return {entry["function"]["name"] for entry in self.toolbox.declarations}

    def call(self, tool, arguments=None, **more):
        written = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
        return self.toolbox.call(tool, written, **more)

    def value(self, tool, **arguments):
        """The result of a call that succeeds, as a JSON value."""
        result = self.call(tool, arguments)
        assert not result.is_error, result.text
        return json.loads(result.text)

    def error(self, tool, **arguments):
        """The message of a call that fails."""
        result = self.call(tool, arguments)
        assert result.is_error, result.text
        return json.loads(result.text)["error"]

    def last(self):
        return self.events[-1]

    def origin(self):
        """Where the last call failed."""
        assert self.last()[0] == "tool.call.failed"
        return self.last()[1]["failure_origin"]


@pytest.fixture
def shop():
    """Open a toolbox: files of the workspace, and the parts of the task's environment."""
    with ExitStack() as stack:

        def open_shop(files=None, *, policy=ALL, security=None, secrets=None, hosts=(), has_room=True, **environment):
            room = Room(files={path: text.encode() for path, text in (files or {}).items()})
            workspace = stack.enter_context(SANDBOX.open_workspace(room)) if has_room else None
            task = make_task(environment=Environment(tool_policy=policy, **environment), security=security)
            events = []
            toolbox = toolbox_of(
                task,
                workspace,
                lambda kind, payload: events.append((kind, payload)),
                secrets=secrets,
                hosts=AllowList.read(hosts),
            )
            return Shop(toolbox, workspace, events)

        yield open_shop
