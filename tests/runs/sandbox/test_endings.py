"""What an agent must never decide: no hostile ending of a workspace passes, and none is trouble of machine or pack.

All endings with all graders in all sandboxes take half an hour, and are tried with `PACKWRIGHT_TEST_ENDINGS=all`.
Otherwise each is tried in one sandbox, and with one of the two graders that start pytest, by turns.
"""

import os
from itertools import cycle, product

import pytest

from runs.engine.outcome import Verdict
from runs.replay.causes import Fault
from runs.sandbox import SANDBOXES
from tests.runs.sandbox.endings import CONFINED, ENDINGS
from tests.runs.sandbox.endings.tricks import FORGED, SAYING, WRONG
from tests.runs.sandbox.rooms import PYTHON
from tests.runs.sandbox.wronged import OF_WORKSPACES, RIGHT, SECONDS, WITH_PYTEST, WithPytest, ended_by, task_graded_by
from tests.runs.tasks import run

pytestmark = pytest.mark.long

ALL = os.environ.get("PACKWRIGHT_TEST_ENDINGS") == "all"
# A container takes a second to start, and every grader starts some.
IN_CONTAINERS, GRADERS_IN_CONTAINERS = ("closed_folder", "the_folder_is_gone", "edited_tests"), ("runner", "code")
# What only a limit of time ends is tried with few graders, which have so many seconds.
ENDLESS, ENDLESS_GRADERS, ENDLESS_SECONDS = "work_that_never_ends", ("runner", "code"), 8.0
WRITE = f"import sys; open('answer.py', 'w').write({RIGHT!r}); sys.stdout.write({RIGHT!r})"
# What is an answer and no file of a workspace.
ANSWERS = {
    "ends the process": FORGED,
    "ends the process at its exit": f"import atexit\n{WRONG}\natexit.register(exec, {FORGED!r})\n",
    "leaves by an exception": f"{SAYING}\nraise SystemExit(0)\n",
    "equals everything": "class Any:\n    __eq__ = lambda *_: False\n\ndef answer():\n    return Any()\n",
    "changes what assertions raise": f"import builtins\nbuiltins.AssertionError = None\n{WRONG}",
    "kills the process that runs it": f"import os, signal\n{SAYING}\nos.kill(os.getppid(), signal.SIGKILL)\n",
}


def outcomes(outcome):
    return {grade.key: (str(grade.outcome), grade.reason) for grade in outcome.grades}


def tried():
    """The kinds of sandboxes, endings and graders that are tried together."""
    if ALL:
        return [(kind, name, OF_WORKSPACES) for kind, name in product(SANDBOXES, ENDINGS) if can_be_tried(kind, name)]
    kinds = cycle([name for name, kind in SANDBOXES.items() if name != "container" and not kind.obstacle()])
    left_out = cycle(WITH_PYTEST)
    by_turns = [
        (next(kind for kind in kinds if can_be_tried(kind, name)), name, without(next(left_out))) for name in ENDINGS
    ]
    return [*by_turns, *(("container", name, GRADERS_IN_CONTAINERS) for name in IN_CONTAINERS)]


def can_be_tried(kind, name):
    return kind != "local" or name not in CONFINED


def without(grader):
    return tuple(name for name in OF_WORKSPACES if name != grader)


def test_there_are_more_than_forty():
    assert len(ENDINGS) > 40


def test_one_that_did_its_work_passes(sandbox):
    agent = {"arguments": ["python3", "-S", "-c", WRITE]}
    outcome, _ = run(task_graded_by(*OF_WORKSPACES), "command", agent, sandbox=WithPytest(sandbox))
    found = outcomes(outcome)
    assert {key for key, (kind, _) in found.items() if kind == "pass"} == set(OF_WORKSPACES), found


@pytest.mark.parametrize(
    ("sandbox", "name", "graders"),
    [pytest.param(*one, id=f"{one[0]}-{one[1]}") for one in tried()],
    indirect=["sandbox"],
)
def test_no_ending_passes_and_none_is_trouble_of_machine_or_pack(sandbox, name, graders):
    is_endless = name == ENDLESS
    graders = ENDLESS_GRADERS if is_endless else graders
    task = task_graded_by(*graders, seconds=ENDLESS_SECONDS if is_endless else SECONDS)
    outcome, _ = run(task, "command", ended_by(name), sandbox=WithPytest(sandbox))
    found = outcomes(outcome)
    assert {key: kind for key, (kind, _) in found.items()} == dict.fromkeys(graders, "fail"), found
    assert (outcome.verdict, outcome.fault in (Fault.NONE, Fault.AGENT)) == (Verdict.FAILED, True), outcome.error


@pytest.mark.parametrize("sandbox", ["bubblewrap"], indirect=True)
def test_work_that_leaves_a_process_with_its_output_is_waited_for_no_longer_than_the_grader_has(sandbox):
    # The check of the pack reads what the work prints to its end, which the process keeps from coming.
    leaving = f"import os, time\nif os.fork() == 0:\n    time.sleep(3600)\n{RIGHT}"
    agent = {"arguments": [PYTHON, "-S", "-c", f"open('answer.py', 'w').write({leaving!r})"]}
    outcome, _ = run(task_graded_by("runner", seconds=1.0), "command", agent, sandbox=WithPytest(sandbox))
    assert {kind for kind, _ in outcomes(outcome).values()} == {"fail"}
    assert (outcome.verdict, outcome.fault in (Fault.NONE, Fault.AGENT)) == (Verdict.FAILED, True), outcome.error


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_no_answer_that_claims_to_be_right_passes(sandbox, answer):
    outcome, _ = run(task_graded_by("completion"), "scripted", {"default": {"output": answer}}, sandbox=sandbox)
    assert (outcome.verdict, outcome.fault in (Fault.NONE, Fault.AGENT)) == (Verdict.FAILED, True), outcomes(outcome)
