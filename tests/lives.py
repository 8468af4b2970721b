"""The whole life of a pack that the check calls fine: in files alone, and in the rows of a studio."""

from dataclasses import replace

import orjson

from packs.exporting import export_draft, export_version
from packs.formats import adapter_of, recognise
from packs.formats.checking import check_files
from packs.importing import import_pack
from packs.mirror import format_of, read_tree, read_version
from packs.mirror.reading import read_alone
from packs.models import Case
from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.launch.refusals import LaunchRefused
from runs.models import Agent

# What a run needs beside its pack: somebody who answers for models, an agent that can talk, agents that the pack names.
NOT_THE_PACK = {"", "no_connection", "incompatible_mode", "missing_targets", "no_targets", "agent_unavailable"}


def told(tasks):
    """Tasks as the command line prints them; also holds that they can be printed."""
    return [orjson.loads(orjson.dumps(task.as_dict())) for task in tasks]


def live_in_files(files):
    """Compile, store, write and read back what the check calls fine; gives the pack, or None where it is not fine."""
    checked = check_files(files)
    if not checked.is_valid:
        return None
    adapter, pack = adapter_of(checked.format), checked.pack
    tasks = told(adapter.compile_tasks(pack))
    stored = [adapter.stored_document(case) for input_set in pack.input_sets for case in input_set.cases]
    orjson.dumps(stored)
    canonical = adapter.dump(pack)
    again = check_files(canonical)
    assert (again.format, again.is_valid) == (checked.format, True), [str(found) for found in again.findings]
    assert recognise(canonical) == checked.format
    assert adapter.dump(again.pack) == canonical
    assert told(adapter.compile_tasks(again.pack)) == tasks
    assert [adapter.stored_document(case) for input_set in again.pack.input_sets for case in input_set.cases] == stored
    return pack


def live_in_rows(team, author, files, name="pack.zip"):
    """Import what the check calls fine and take it through its life; gives the draft."""
    draft = import_pack(team, author, files, name)
    assert draft.problem_errors == 0
    checked = check_files(files)
    tasks = told(adapter_of(draft.format).compile_tasks(checked.pack))
    assert told(previews(draft)) == tasks
    version = live_on(draft, author)
    assert told(adapter_of(draft.format).compile_tasks(read_version(version))) == tasks
    return draft


def previews(draft):
    """The tasks of a draft as the workbench compiles them, case by case."""
    adapter = format_of(draft)
    for case in Case.objects.filter(pack=draft).order_by("input_set__position", "position").select_related("input_set"):
        yield from adapter.compile_tasks(read_alone(case))


def live_on(draft, author):
    """Publish a draft without errors, export it, read it back, and start a run of each of its input sets."""
    adapter = format_of(draft)
    expected = told(adapter.compile_tasks(read_tree(draft)))
    assert told(previews(draft)) == expected
    version = publish(draft, author)
    exported = export_version(version).files
    assert exported == export_draft(draft).files
    again = check_files(exported)
    assert (again.format, again.is_valid) == (draft.format, True)
    assert in_files(draft, told(adapter.compile_tasks(again.pack))) == in_files(draft, expected)
    start(version)
    return version


def in_files(draft, tasks):
    """Tasks in an order that files keep: AgentV sorts tests by folder, a task suite its suites and their files."""
    if draft.format not in ("agentv", "task_suite"):
        return tasks
    return sorted(tasks, key=lambda task: (task["input_set"], task["case_key"]))


def start(version):
    """Start a run of each input set; what is refused must be about something else than the pack."""
    agent, _ = Agent.objects.get_or_create(team=version.pack.team, name="echo", defaults={"kind": "echo"})
    for row in version.input_sets.order_by("position"):
        options = Options(input_set=str(row.pk))
        refused = refusal(version, agent, row, options)
        if refused == "invalid_trials":
            # The pack wants more trials than a run takes, and whoever starts it is asked for a number.
            refused = refusal(version, agent, row, replace(options, trials=1))
        assert refused in NOT_THE_PACK


def refusal(version, agent, row, options):
    """Why a run cannot be started; empty where it was."""
    try:
        run = launch(None, version, [agent], options)
    except LaunchRefused as error:
        return error.code
    return "" if run.trials.count() >= row.case_count else "too few trials"
