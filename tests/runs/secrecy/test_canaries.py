"""What agents must never see: every such field of every format carries a canary, and agents of every kind tell all that
they can reach - what they are told, their environment, files, and messages on the wire. No canary is in it."""

import re
import tempfile

import pytest

from packs.formats import FORMATS, adapter_of
from runs.agents import AGENTS
from runs.agents.contract import needs_workspace
from tests.runs.secrecy.agents import KINDS, QUIET, reached
from tests.runs.secrecy.planting import MUST_EXIST, scene_of
from tests.runs.secrecy.scenes import SCENES


def tasks_of(pack, kind):
    """The tasks that agents of a kind can try: some cannot converse; without a required image none works on files."""
    agent = AGENTS[KINDS[kind][0]]
    for task in adapter_of(pack.format).compile_tasks(pack):
        needs_image = task.environment.image and not task.environment.image_is_optional
        if (agent.CONVERSES or task.conversation is None) and not (needs_image and agent.NEEDS_WORKSPACE):
            yield task


@pytest.fixture
def apart(kind, tmp_path, monkeypatch):
    """Programs that nothing confines find the workspaces of all tests of this machine: theirs lie in a folder apart."""
    if kind == "program in local":
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SCENES)
def test_no_agent_reaches_what_it_must_not_see(name, kind, model_server):
    scene = scene_of(name)
    for pack in scene.packs:
        for task in tasks_of(pack, kind):
            told = reached(task, kind, model_server, scene.read_asset, is_graded=False)
            assert scene.canaries.found_in(told) == []


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SCENES)
def test_agents_of_every_kind_find_all_that_is_theirs_and_no_more(name, kind, model_server):
    scene = scene_of(name)
    for task in tasks_of(scene.base, kind):
        told = reached(task, kind, model_server, scene.read_asset, is_graded=True)
        theirs = {task.prompt}
        if kind != QUIET and needs_workspace(AGENTS[KINDS[kind][0]], task):
            theirs |= {*task.environment.variables.values(), *map(str, files_of(task, scene))}
        assert marks_in(*theirs) - marks_in(told) == set()
        assert scene.canaries.found_in(told) == []


def files_of(task, scene):
    return [file.text or scene.read_asset(file) for file in task.environment.files]


def marks_in(*texts):
    """The marks that agents are to find in texts."""
    return {mark for text in texts for mark in re.findall(r"found\d{5}mark", text)}


@pytest.mark.parametrize("name", SCENES)
def test_every_field_that_agents_must_not_see_has_a_canary_where_it_can_hold_one(name):
    scene = scene_of(name)
    missed = scene.fields.keys() - scene.held()
    assert [path for number, (path, value) in scene.fields.items() if number in missed and value is not None] == []


def test_every_format_has_a_scene_and_every_kind_of_agent_that_is_told_something_tells_it():
    assert {format_name for format_name, _ in SCENES.values()} == FORMATS.keys()
    ours = {"echo", "empty", "recorded", "reference", "scripted"}
    assert {name for name, _, _ in KINDS.values()} == AGENTS.keys() - ours


def test_every_field_that_must_name_something_is_one_of_a_format():
    paths = {path for name in SCENES for path, _ in scene_of(name).fields.values()}
    assert MUST_EXIST.keys() - paths == set()
