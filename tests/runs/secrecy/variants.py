"""Packs that hold a canary in every field that agents must not see: as few of them as can still be run."""

from dataclasses import dataclass, field, replace

from packs.formats import adapter_of
from packs.formats.audience import name_of
from packs.formats.document import Pack
from runs.agents.contract import Reply
from runs.engine import Entrant, run_trial
from runs.sandbox import SANDBOXES
from runs.sandbox.choice import Choice, Policy
from tests.runs.secrecy.planting import (
    Canaries,
    Planted,
    condition_of,
    hidden_fields,
    holder,
    number_of,
    text_of,
    value_for,
    with_planted,
)
from tests.runs.secrecy.planting import scene as planted_scene
from tests.runs.secrecy.scenes import SCENES

CHUNK = 25
CONFINING = [kind for kind in ("bubblewrap", "landlock") if not SANDBOXES[kind].obstacle()]


def sandbox_of(kind):
    """A sandbox of a kind, which takes tasks with an image where that is optional."""
    return Choice({kind: SANDBOXES[kind]}, Policy(kind=kind))


@dataclass
class Variants:
    """What became of the fields of a scene's format: the packs that hold their canaries, and those that none can hold.

    `without_mark` are fields that can hold no text and no long number, `must_exist` those that name something that is
    there, `unplaced` those with which no agent was asked. `planted` counts the marks in fields.
    """

    base: Pack
    files: dict[str, bytes]
    canaries: Canaries
    packs: list[Pack] = field(default_factory=list)
    without_mark: list[str] = field(default_factory=list)
    must_exist: list[str] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)
    planted: int = 0


# Fields that must name something that is there, so that no agent is asked where they hold a mark: what it would be.
MUST_EXIST = {
    "pack version.sandbox.additional_packages[]": "a package of the machine",
    **{f"{kind} workspace.docker.image": "an image" for kind in ("input_set", "case")},
    **{f"{kind} workspace.env.required_commands[]": "a program of the machine" for kind in ("input_set", "case")},
    **{f"{kind} workspace.env.required_python_modules[]": "a module of Python" for kind in ("input_set", "case")},
    **{f"input_set preprocessors[].{part}": "a file of the pack" for part in ("type", "command[]")},
    "input_set assertions[].include": "a template",
    "case assertions[].include": "a template",
    "case turns[].assertions[].include": "a template",
}


def variants_of(name):
    """The variants of a scene."""
    format_name, texts = SCENES[name]
    canaries = Canaries()
    base, files = planted_scene(texts, format_name, canaries)
    found = Variants(base, files, canaries)
    groups = [[]]
    fields = list(plantable(base, found))
    for start in range(0, len(fields), CHUNK):
        place(base, groups, fields[start : start + CHUNK], found)
    found.packs = [with_planted(base, group) for group in groups]
    found.planted = sum(map(len, groups))
    return found


def place(base, groups, marks, found):
    """Add marks to the first group with which a pack can be run: all together, else the halves of them."""
    if holds(base, groups[0] + marks):
        groups[0] += marks
    elif len(marks) > 1:
        place(base, groups, marks[: len(marks) // 2], found)
        place(base, groups, marks[len(marks) // 2 :], found)
    elif (group := next((group for group in [*groups[1:], []] if holds(base, group + marks)), None)) is None:
        found.unplaced.append(marks[0].place)
    elif group:
        group += marks
    else:
        groups.append(marks)


def plantable(base, found):
    """Each field that agents must not see with its mark; each number is that of one field."""
    adapter = adapter_of(base.format)
    for kind in adapter.SCHEMA:
        for each in hidden_fields(adapter, kind):
            place_name = f"{kind} {name_of(each.path)}"
            number = found.canaries.of(place_name)
            value = value_for(each, number)
            if value is None or place_name in MUST_EXIST:
                (found.without_mark if value is None else found.must_exist).append(place_name)
            else:
                yield Planted(kind, number, place_name, condition_of(each), holder(each, value))


def holds(base, group):
    """Whether a pack holds all of these marks, and still asks the agents of all its tasks."""
    pack = with_planted(base, group)
    written = repr([document for _, document in pack.nodes()])
    is_whole = all(text_of(one.number) in written or str(number_of(one.number)) in written for one in group)
    return is_whole and all(asks(task) for task in adapter_of(pack.format).compile_tasks(pack))


def needs_image(task):
    """Whether a task cannot do without an image: what works on files is then asked only where there is one."""
    return bool(task.environment.image) and not task.environment.image_is_optional


class Probe:
    """An agent that notes that it is asked."""

    CONVERSES, NEEDS_WORKSPACE, RUNS_PROGRAMS = True, True, False
    SCHEMA = {}

    def __init__(self):
        self.is_asked = False

    def respond(self, config, request):
        self.is_asked = True
        return Reply("")


def asks(task):
    """Whether the agent of a task is asked; one that needs an image is, where nothing but that is in the way."""
    probe = Probe()
    bare = replace(task, graders=(), judges=(), environment=replace(task.environment, image_is_optional=True))
    run_trial(bare, Entrant(probe, "probe"), sandbox_of(CONFINING[0]), lambda event: None, read_asset=lambda file: b"")
    return probe.is_asked
