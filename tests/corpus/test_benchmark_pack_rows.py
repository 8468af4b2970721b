"""Every valid benchmark pack of the corpus: in, edited, published, run, read back, and out again."""

import json

import pytest
from django.urls import reverse

from packs.access import Role
from packs.formats.archives import read_path
from packs.formats.benchmark_pack.families import ACTIVE, DEFERRED
from packs.importing import import_pack
from packs.mirror import read_tree
from packs.models import VersionCase
from packs.publish import publish
from runs.launch.launching import launch
from runs.models import Agent, Event, Trial
from runs.sandbox import bubblewrap
from tests.corpora import corpus_folder
from tests.packs.import_ways import WAYS, export, import_again, rows_of
from tests.packs.views.workbench.pages import Page
from tests.people import client_of, make_member
from tests.runs.working import work_off

FOLDER = corpus_folder("benchmark-pack")
FOLDERS = sorted(path.parent for path in FOLDER.glob("*/manifest.yaml") if path.parent.name != "sample-broken")
each_pack = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
pytestmark = [
    pytest.mark.long,
    pytest.mark.django_db,
    pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined"),
]
# What the gold answers of these packs cannot do: no verifier, a rubric in words, no word that counts, no repository
# without its image, and a workspace that nobody has worked in.
NOT_TO_BE_PASSED = {
    *("mixed/tool-call", "mixed/unknown-family", "mixed/repo", "mixed/term"),
    *("fr/string-rubric",),
}


@each_pack
def test_page_api_and_command_make_the_same_rows(folder):
    made = {way: rows_of(bring_in(folder)) for way, bring_in in WAYS.items()}
    assert (made["page"]["errors"], made["page"]["challenges"]) == (0, [])
    assert made["api"] == made["page"]
    assert made["command"] == made["page"]


@each_pack
def test_export_import_and_export_again_give_the_same_bytes(tmp_path, folder):
    pack = WAYS["page"](folder)
    files = export(pack, tmp_path / "out")
    again, files_again = import_again(pack, tmp_path / "out")
    assert files_again == files
    assert read_tree(again) == read_tree(pack)


def published(team, folder):
    """A version of a pack in whose first row one field was edited."""
    user = make_member(team, Role.CURATOR)
    files, _ = read_path(folder)
    pack = import_pack(team, user, files, folder.name)
    case = pack.cases.order_by("position").first()
    saved = Page(client_of(user), pack, f"cases/{case.pk}").live("/metadata", **{"j:/metadata": '{"reviewed": "yes"}'})
    assert saved.status_code == 200
    pack.refresh_from_db()
    return publish(pack, user), user


def verdicts(version, user, kind):
    agent, _ = Agent.objects.get_or_create(team=version.pack.team, name=kind, defaults={"kind": kind})
    run = work_off(launch(user, version, [agent]))
    return {trial.case_key: trial for trial in Trial.objects.filter(run=run)}


@each_pack
def test_what_can_pass_passes_with_the_gold_answer_and_nothing_with_an_empty_one(team, folder):
    version, user = published(team, folder)
    stored = {case.key: case for case in VersionCase.objects.filter(version=version)}
    assert next(iter(stored.values())).stored["metadata"] == {"reviewed": "yes"}
    gold = verdicts(version, user, "reference")
    empty = verdicts(version, user, "empty")
    assert set(gold) == set(empty) == set(stored)
    failed = {key for key, trial in gold.items() if trial.status != "passed"}
    without_gold = {key for key, trial in gold.items() if trial.stop_reason == "pack_error"}
    # The image that a pack names has programs that a sandbox without images need not have.
    unrunnable = {key for key, trial in gold.items() if trial.fault == "machine"}
    assert failed - without_gold - unrunnable <= NOT_TO_BE_PASSED
    assert not [key for key, trial in empty.items() if trial.status == "passed"]
    client = client_of(user)
    for trial in gold.values():
        for page in ("trial", "stored", "replay"):
            assert client.get(reverse(f"runs:{page}", args=[trial.pk])).status_code == 200


GRADING = ("grader_verification", "worker_scoring")
SECRET = "h1dden-value"
# Everything that it is given, and whatever it can read: also outside of its workspace.
DUMP = (
    "cat task.json; find . -type f -exec cat {} +; env; cat; set; cat /proc/self/environ /proc/*/cmdline;"
    " find / -xdev -type f -size -64k ! -path '/proc/*' ! -path '/sys/*' ! -path '/usr/*' -newermt '-1 hour'"
    " -exec cat {} + 2>/dev/null; true"
)
KNOWN = {
    "multiple_choice": ({"question": "Q", "choices": ["a", "b"]}, {"answer": SECRET}),
    "short_answer": ({"question": "Q"}, {"accepted_answers": [SECRET]}),
    "free_response": ({"prompt": "P"}, {"rubric": {"accepted_answers": [SECRET]}, "reference_answer": SECRET}),
    "code_completion": ({"prompt": "P"}, {"tests": {"source": "inline", "code": SECRET}, "reference_solution": SECRET}),
    "repo_patch": (
        {"repo": "r", "base_commit": "c", "instructions": "I"},
        {"tests": {"source": "command", "command": SECRET, "workdir": "/workspace"}, "gold_patch": SECRET},
    ),
    "terminal_task": (
        {"instructions": "I"},
        {"checker": {"command": f"echo {SECRET}"}, "run_tests": {"path": "run.sh"}, "expected_state": SECRET},
    ),
    "tool_call": (
        {"prompt": "P", "tools": [{"name": "t"}]},
        {"expected_calls": [SECRET], "initial_state": SECRET, "expected_final_state": {"deep": [SECRET]}},
    ),
    "browser_task": ({"goal": "G", "start_url": "u"}, {"credentials": {"key": SECRET}, "success_check": SECRET}),
    "desktop_task": ({"goal": "G", "app": "a"}, {"success_check": SECRET}),
    "artifact_task": ({"brief": "B", "output_spec": {}}, {"reference_artifact": {"path": "run.sh"}, "rubric": SECRET}),
    "multimodal_qa": ({"question": "Q", "choices": ["a"]}, {"answer": SECRET, "rubric": SECRET}),
    "preference_pair": ({"prompt": "P", "candidate_a": "a", "candidate_b": "b"}, {"preference": SECRET}),
    "house_rules": ({"prompt": "P"}, {"anything": SECRET}),
}


def test_every_family_is_dumped():
    assert set(KNOWN) - {"house_rules"} == {*ACTIVE, *DEFERRED}


@pytest.mark.parametrize("family", list(KNOWN))
def test_an_agent_that_dumps_everything_finds_nothing_hidden(team, family):
    given, expected = KNOWN[family]
    row = {"id": "row", "family": family, "input": given, "eval": expected, "metadata": {"note": SECRET}}
    row["environment"] = {"image": "python:3.12-slim"}
    row["assets"] = [{"path": "shown.txt"}]
    files = {
        "assets/shown.txt": b"shown-value",
        "manifest.yaml": b"id: quiz\nversion: 1\n",
        "tasks.jsonl": json.dumps(row).encode(),
        "hidden/run.sh": SECRET.encode(),
        "README.md": SECRET.encode(),
    }
    user = make_member(team, Role.CURATOR)
    version = publish(import_pack(team, user, files, "quiz"), user)
    agent = Agent.objects.create(team=team, name="dump", kind="command", config={"arguments": ["sh", "-c", DUMP]})
    run = work_off(launch(user, version, [agent]))
    trial = Trial.objects.get(run=run)
    told = [event.payload for event in Event.objects.filter(trial=trial) if event.source not in GRADING]
    if family != "repo_patch":
        # Without containers no agent gets into a repository's image.
        assert "Nobody answers questions" in trial.final_output
        assert "shown-value" in trial.final_output
    assert SECRET not in json.dumps(told) + trial.final_output
