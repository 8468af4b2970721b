"""What agents must never see: every such field of every format carries a canary, and agents of every kind tell all that
they can reach - what they are told, their environment, files, and messages on the wire. No canary is in it."""

import re
from dataclasses import replace
from functools import cache

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.audience import name_of
from runs.agents import AGENTS
from runs.agents.contract import needs_workspace
from tests.runs.agents.talking import make_web
from tests.runs.secrecy.agents import reached
from tests.runs.secrecy.planting import hidden_fields
from tests.runs.secrecy.scenes import SCENES
from tests.runs.secrecy.variants import CONFINING, MUST_EXIST, needs_image, sandbox_of, variants_of

KINDS = [*(f"program in {kind}" for kind in CONFINING), "address", "quiet model", "model with tools"]
variants = cache(variants_of)


def tasks_of(pack):
    return list(adapter_of(pack.format).compile_tasks(pack))


def can_try(kind, task):
    """Programs cannot take part in conversations; without its image a repository has no place to work in."""
    if needs_image(task):
        return kind == "address"
    return task.conversation is None or not kind.startswith("program")


@pytest.fixture
def hosts(model_server):
    """Where agents and models answer, and the way there."""
    web = make_web()
    yield model_server, web
    web.close()


def reader_of(found):
    """Reads the bytes that a task puts into its workspace."""
    by_key = {asset.key: asset.content for asset in found.base.assets}
    return lambda file: by_key.get(file.asset_key) if file.asset_key else found.files.get(file.path)


def without_graders(task):
    return replace(task, graders=(), judges=())


def tell(kind, task, found, hosts):
    """All that an agent of a kind reaches in a trial of a task."""
    sandbox = sandbox_of(kind.rpartition(" ")[2] if kind.startswith("program") else CONFINING[0])
    return reached(task, kind, sandbox, *hosts, reader_of(found))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SCENES)
def test_no_agent_reaches_what_it_must_not_see(name, kind, hosts):
    found = variants(name)
    # The scene itself is judged as well, in conversations between the turns; the others are no more than asked.
    asked = [*tasks_of(found.base), *(without_graders(task) for pack in found.packs for task in tasks_of(pack))]
    told = [(task.case_key, tell(kind, task, found, hosts)) for task in asked if can_try(kind, task)]
    leaks = {key: seen for key, text in told if (seen := found.canaries.found_in(text))}
    assert leaks == {}
    assert all("mark" in text for _, text in told), "an agent was not asked"


@pytest.mark.parametrize("name", FORMATS)
def test_every_field_that_agents_must_not_see_has_a_canary_where_it_can_hold_one(name):
    scenes = [variants(scene) for scene, (format_name, _) in SCENES.items() if format_name == name]
    adapter = adapter_of(name)
    missed = set.intersection(*(set(scene.unplaced) for scene in scenes))
    assert missed == set()
    fields = [f"{kind} {name_of(field.path)}" for kind in adapter.SCHEMA for field in hidden_fields(adapter, kind)]
    for scene in scenes:
        assert scene.planted + len(scene.without_mark) + len(scene.must_exist) + len(scene.unplaced) == len(fields)
    assert {place for scene in scenes for place in scene.must_exist} <= MUST_EXIST.keys()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SCENES)
def test_agents_of_every_kind_find_all_that_is_theirs(name, kind, hosts):
    found = variants(name)
    for task in tasks_of(found.base):
        if can_try(kind, task):
            told = tell(kind, task, found, hosts)
            theirs = marks_in(task.prompt) | (marks_in(*files_of(task, found)) if works_on_files(kind, task) else set())
            assert theirs - marks_in(told) == set()


def marks_in(*texts):
    """The marks that agents are to find in texts."""
    return {mark for text in texts for mark in re.findall(r"found\d{5}mark", str(text))}


def files_of(task, found):
    """What a workspace begins with: files and variables."""
    read = reader_of(found)
    return [file.text or read(file) for file in task.environment.files], task.environment.variables


def works_on_files(kind, task):
    return kind.startswith("program") or (kind == "model with tools" and needs_workspace(AGENTS["chat"], task))
