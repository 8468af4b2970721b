import pytest

from packs.formats.task import Capture, Environment
from runs.agents import reference
from runs.agents.contract import PackProblem, Request
from tests.runs.tasks import make_task, payload, run


def ask(message="Where?", **more):
    return Request(make_task(reference=more.pop("reference", "the hub")), message, **more)


def test_it_gives_the_gold_answer():
    assert reference.respond({}, ask()).text == "the hub"
    assert reference.respond({}, ask(reference="")).text == ""


def test_it_says_what_a_turn_expects():
    assert reference.respond({}, ask(expected=("a", "b", "a"))).text == "a\nb\nthe hub"
    assert reference.respond({}, ask(expected=("just this",), is_exact=True)).text == "just this"


def test_it_says_so_when_there_is_no_gold_answer():
    with pytest.raises(PackProblem):
        reference.respond({}, ask(reference=None))


def test_it_leaves_the_files_of_the_gold_answer_in_the_workspace():
    kept = Capture("kept", "file_capture", "src/a.txt")
    environment = Environment(mode="native", captures=(kept,))
    task = make_task(
        reference=None,
        reference_files={"src/a.txt": "in the hub, ä\n"},
        environment=environment,
        target="file:kept",
        kind="file_content_match",
    )
    outcome, events = run(task, "reference")
    assert (outcome.verdict, outcome.error) == ("passed", "")
    assert payload(events, "system.run.started")["execution_target"] == "sandbox"


def test_without_such_files_it_needs_no_workspace():
    _, events = run(make_task(), "reference")
    assert payload(events, "system.run.started")["execution_target"] == "worker"


def test_a_gold_file_outside_of_the_workspace_is_an_error_of_the_pack():
    outcome, _ = run(make_task(reference_files={"../a.txt": "hub"}), "reference")
    assert (outcome.verdict, outcome.fault) == ("error", "pack")
