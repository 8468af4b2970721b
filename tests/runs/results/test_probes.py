"""Answers of trials that are kept with their cases, with the files and the deeds that graders look at."""

import pytest
from django.utils import timezone

from packs.editing.files import file_content
from packs.formats.document import PROOF_FILE
from packs.importing import import_pack
from packs.publish import publish
from runs.jobs.proofs import ProofRefused, draft_of
from runs.launch.launching import launch
from runs.models import Event, Trial
from runs.proof.author import read_notes
from runs.results.probes import keep_answer
from tests.runs.proof.makers import EXPECTED, call, challenge, tasks

pytestmark = pytest.mark.django_db
GRADERS = [
    {"type": "deterministic_tests", "commands": ["sh fix.sh"]},
    {"type": "tool_calls", "required": [{"tool": "renew"}]},
]


def trial_of(team, author, agents, files):
    pack = import_pack(team, author, files, "planted")
    run = launch(author, publish(pack, author), [agents["echo"]])
    Trial.objects.filter(run=run).update(status="passed", final_output="Done.")
    return Trial.objects.filter(run=run).order_by("pk").first()


def tell(trial, *events):
    for number, (kind, payload) in enumerate(events, start=900):
        Event.objects.create(
            trial=trial, sequence=number, event_type=kind, source="x", occurred_at=timezone.now(), payload=payload
        )


@pytest.fixture
def repaired(team, author, agents):
    files = {"evals/_shared/fixtures/f/fix.sh": b"echo 4\n", "evals/_shared/fixtures/f/notes.txt": b"as it was\n"}
    return trial_of(team, author, agents, tasks(GRADERS, None, files=files, repo_path="../_shared/fixtures/f"))


def left(**files):
    return "workspace.captured", {"files": {path.replace("_", "."): text for path, text in files.items()}}


def test_files_and_calls_are_kept_and_handed_to_graders_again(author, repaired):
    renewed = call("renew")
    model = "model.call.completed", {"output_text": "Fine"}
    opinion = "grader.opinion.recorded", {"validator_key": "v"}
    tell(
        repaired,
        model,
        (renewed["event_type"], renewed["payload"]),
        opinion,
        left(fix_sh="echo 5\n", notes_txt="as it was\n"),
    )
    case = keep_answer(repaired, "right", author)
    subject = draft_of(case.pack)
    [work] = subject.notes.of(subject.rows[0].task).right
    assert (work.text, work.files) == ("Done.", {"fix.sh": "echo 5\n"})
    assert [event["event_type"] for event in work.events] == ["model.call.completed", "tool.call.completed"]
    assert work.events[1]["payload"] == renewed["payload"]
    keep_answer(repaired, "right", author)
    subject = draft_of(case.pack)
    assert len(subject.notes.of(subject.rows[0].task).right) == 1


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (("workspace.changed", {"diff": "", "removed": ["fix.sh"]}), "files_not_kept"),
        (("workspace.changed", {"diff": "", "added": ["new.sh"]}), "files_not_kept"),
        (left(fix_sh="x" * 1024 * 1024), "answer_too_large"),
    ],
)
def test_an_answer_that_would_be_another_one_is_not_kept(author, repaired, event, code):
    tell(repaired, event)
    with pytest.raises(ProofRefused) as refused:
        keep_answer(repaired, "wrong", author)
    assert refused.value.code == code
    assert not file_content(repaired.run.version.pack, PROOF_FILE)


def test_where_graders_read_the_answer_alone_it_is_kept_alone(team, author, agents, as_author):
    trial = trial_of(team, author, agents, challenge({"says": ("contains", EXPECTED)}, ["Leeds"]))
    tell(trial, ("model.call.completed", {"output_text": "Fine"}))
    address = f"/api/v1/trials/{trial.pk}/proof/"
    answer = as_author.post(address, {"name": "wrong"}, content_type="application/json")
    assert (answer.status_code, answer.json()["case_key"]) == (201, "case-1")
    notes, _ = read_notes(file_content(trial.run.version.pack, PROOF_FILE))
    [entry] = notes.document["cases"]
    assert entry["wrong"] == [{"text": "Done.", "origin": f"Trial {trial.pk} of run {trial.run_id}"}]
    assert as_author.post(address, {"name": "odd"}, content_type="application/json").status_code == 400
    Trial.objects.update(final_output="")
    assert as_author.post(address, {"name": "right"}, content_type="application/json").status_code == 422
