import json

import pytest

from runs.management.grading import FAILED, FINE, USAGE
from runs.models import Run, Trial
from tests.runs.failing import WRONG, failing_run, publish_suite, task
from tests.runs.management.commands.test_run import answer, run
from tests.runs.results.test_importing import lines, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(team, author):
    return publish_suite(team, author, task("parcel_1", trials={"k": 1}))


@pytest.fixture
def files(tmp_path):
    def write(name, data):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def test_traces_of_several_files_become_one_run(version, files):
    first, second = files("a.json", lines(record())), files("b.jsonl", lines(record(index=2, run_id="b")))
    code, told = answer("import-traces", "watch", first, second, "--name", "Last night")
    assert (code, told["name"], told["trial_count"]) == (FINE, "Last night", 2)


def test_a_dry_run_writes_nothing(version, files):
    path = files("a.jsonl", lines(record()))
    code, told = answer("import-traces", "watch@1", path, "--dry-run")
    assert (code, told["can_import"], told["cases"]) == (FINE, True, {"parcel_1": 1})
    assert not Run.objects.exists()


def test_one_wrong_record_refuses_all(version, files):
    path = files("a.jsonl", lines(record(), record("nobody")))
    code, out, err = run("import-traces", "watch", path)
    assert (code, "a.jsonl:2" in err) == (FAILED, True)
    assert not Run.objects.exists()


def test_a_file_that_is_not_there_is_a_misuse(version, tmp_path):
    assert answer("import-traces", "watch", tmp_path / "none.json")[0] == USAGE
    assert answer("import-traces", "nothing", tmp_path / "none.json")[0] == USAGE


def test_a_trial_is_written_as_a_file_that_can_be_imported(team, author, version, tmp_path):
    trial = Trial.objects.filter(run=failing_run(team, author, version)).first()
    path = tmp_path / "trial.json"
    assert run("trace", trial.pk, "-o", path)[0] == FINE
    assert json.loads(run("trace", trial.pk, "--as", "trace")[1]) == json.loads(path.read_text())["trace"]
    assert answer("import-traces", "watch", path, "--dry-run")[1]["can_import"]
    assert run("trace", 10**6)[0] == USAGE
    assert run("trace", trial.pk, "-o", tmp_path / "no" / "where.json")[0] == USAGE


def test_what_an_agent_said_gives_a_terminal_no_orders(team, author, version):
    hostile = "It is \x1b[2J\x9b31m\u202e\x7f lost."
    answer = {**WRONG, "output": hostile}
    trial = Trial.objects.filter(run=failing_run(team, author, version, answer)).first()
    out = run("trace", trial.pk)[1]
    assert not set(out) & set("\x1b\x9b\u202e\x7f")
    assert hostile in values_in(json.loads(out))


def values_in(value):
    """All texts inside of a value, in one list."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] if isinstance(value, str) else [text for part in inner for text in values_in(part)]
