import pytest

from runs.sandbox.companion import Companion, TookTooLong
from runs.sandbox.contract import SandboxUnavailable

PROGRAM = """
import json, sys, time, os
for line in sys.stdin:
    question = json.loads(line)
    if question == "sleep":
        time.sleep(60)
    if question == "die":
        sys.exit(1)
    print(json.dumps([os.getpid(), question]), flush=True)
"""


@pytest.fixture
def companion(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    found = Companion(tmp_path / "program.py")
    yield found
    found.end()


def test_one_program_answers_every_question(companion):
    answers = [companion.ask(question, 240) for question in ("one", {"two": "x" * 300_000})]
    assert [said for _, said in answers] == ["one", {"two": "x" * 300_000}]
    assert len({process for process, _ in answers}) == 1


def test_one_that_takes_too_long_is_ended_and_another_answers_the_next_question(companion):
    first, _ = companion.ask("one", 240)
    with pytest.raises(TookTooLong):
        companion.ask("sleep", 0.2)
    second, said = companion.ask("two", 240)
    assert said == "two"
    assert second != first


def test_one_that_dies_is_told_and_another_answers_the_next_question(companion):
    with pytest.raises(SandboxUnavailable):
        companion.ask("die", 240)
    assert companion.ask("two", 240)[1] == "two"
