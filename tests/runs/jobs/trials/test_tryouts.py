"""Answers that are tried on a case of a draft."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from packs.editing import Change, apply, remove_node
from packs.formats.document import NodeKind
from packs.formats.task import WorkspaceFile
from packs.importing import import_pack
from runs.jobs.queue.messages import EXECUTE_TRYOUT
from runs.jobs.tasks import execute_tryout, sweep
from runs.jobs.trials.tryouts import KEPT, MOST_OPEN, Given, Reader, TryoutRefused, execute, try_answer
from runs.models import Tryout, TryoutStatus
from runs.sandbox import bubblewrap
from tests.runs.connections import make_connection
from tests.runs.judged_packs import RUBRIC, judged_text

pytestmark = pytest.mark.django_db
confined = pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined")
ROWS = {
    "short_answer": ({"question": "Which hub?"}, {"accepted_answers": ["Leeds"]}),
    "code_completion": (
        {"prompt": "Write double(x)."},
        {"tests": {"source": "inline", "code": "assert double(4) == 8"}, "reference_solution": "def double(x): ..."},
    ),
    "terminal_task": (
        {"instructions": "Count the lines."},
        {"checker": {"command": "sh securebench/evaluation_inputs/run.sh"}, "run_tests": {"path": "run.sh"}},
    ),
}


@pytest.fixture
def quiz(team, author):
    rows = [
        {"id": family, "family": family, "input": given, "eval": expected, "environment": {"image": "python"}}
        for family, (given, expected) in ROWS.items()
    ]
    rows[2]["assets"] = [{"path": "lines.txt"}]
    files = {
        "manifest.yaml": b"id: quiz\nversion: 1\n",
        "tasks.jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in rows),
        "assets/lines.txt": b"one\ntwo\n",
        "hidden/run.sh": b"test $(cat count) = $(wc -l < lines.txt)\n",
    }
    return import_pack(team, author, files, "quiz")


def case_of(pack, key):
    return pack.cases.select_related("pack__team", "input_set").get(key=key)


@pytest.mark.parametrize(("answer", "verdict"), [("It is Leeds.", "passed"), ("York", "failed"), ("", "failed")])
def test_words_are_judged_at_once_as_in_a_run(author, quiz, answer, verdict):
    row = try_answer(author, case_of(quiz, "short_answer"), Given(answer))
    assert (row.status, row.verdict) == (TryoutStatus.COMPLETED, verdict)
    [grade] = row.scorecard["validator_details"]
    assert grade["evidence"]["accepted_answer_count"] == 1


@confined
@pytest.mark.parametrize(
    ("key", "given", "verdict"),
    [
        ("code_completion", Given("def double(x):\n    return x * 2\n"), "passed"),
        ("code_completion", Given("def double(x):\n    return x\n"), "failed"),
        ("terminal_task", Given(files={"count": "2"}), "passed"),
        ("terminal_task", Given(files={"count": "3"}), "failed"),
        ("terminal_task", Given(), "failed"),
    ],
)
def test_what_has_to_be_run_waits_for_a_worker(author, quiz, key, given, verdict):
    row = try_answer(author, case_of(quiz, key), given)
    assert row.status == TryoutStatus.QUEUED
    execute_tryout(row.pk)
    row.refresh_from_db()
    assert (row.status, row.verdict, row.error) == (TryoutStatus.COMPLETED, verdict, "")
    execute_tryout(row.pk)
    assert Tryout.objects.get().finished_at == row.finished_at


def test_the_draft_is_judged_as_it_is_now(author, quiz):
    case = case_of(quiz, "short_answer")
    change = Change(NodeKind.CASE, case.pk, "/eval/accepted_answers", ["York"])
    apply(quiz, [change], author)
    row = try_answer(author, case_of(quiz, "short_answer"), Given("York"))
    quiz.refresh_from_db()
    assert (row.verdict, row.revision) == ("passed", quiz.revision)


def test_a_case_with_errors_is_not_tried(author, quiz):
    case = case_of(quiz, "short_answer")
    apply(quiz, [Change(NodeKind.CASE, case.pk, "/eval/accepted_answers", [])], author)
    with pytest.raises(TryoutRefused) as refused:
        try_answer(author, case_of(quiz, "short_answer"), Given("York"))
    assert refused.value.code == "unusable_case"


def test_a_case_that_goes_while_its_answer_waits_is_told(author, quiz):
    case = case_of(quiz, "code_completion")
    row = try_answer(author, case, Given("x"))
    remove_node(quiz, NodeKind.CASE, case.pk, author)
    execute(row)
    row.refresh_from_db()
    assert (row.status, row.verdict) == (TryoutStatus.FAILED, "")
    assert row.error


def test_only_the_latest_answers_of_a_case_are_kept(author, quiz):
    case = case_of(quiz, "short_answer")
    for number in range(KEPT + 3):
        try_answer(author, case, Given(f"answer {number}"))
    kept = Tryout.objects.values_list("output", flat=True)
    assert list(kept) == [f"answer {number}" for number in range(KEPT + 2, 2, -1)]


def test_nobody_fills_the_workers_with_answers(author, quiz):
    for _ in range(MOST_OPEN):
        try_answer(author, case_of(quiz, "code_completion"), Given("x"))
    with pytest.raises(TryoutRefused) as refused:
        try_answer(author, case_of(quiz, "code_completion"), Given("x"))
    assert refused.value.code == "too_many"


def messages_for(tryout):
    """Messages that name it: other tests leave theirs in the same folder."""
    queue = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    named = f'"argsrepr": "({tryout.pk},)"'.encode()
    sent = [path.read_bytes() for path in queue.glob("*")]
    return len([message for message in sent if named in message and EXECUTE_TRYOUT.encode() in message])


def test_an_answer_whose_message_was_lost_is_sent_again_and_one_whose_worker_is_gone_given_up(author, quiz):
    waiting = try_answer(author, case_of(quiz, "code_completion"), Given("x"))
    gone = try_answer(author, case_of(quiz, "code_completion"), Given("y"))
    old = timezone.now() - timedelta(hours=1)
    Tryout.objects.filter(pk=waiting.pk).update(touched_at=old)
    Tryout.objects.filter(pk=gone.pk).update(touched_at=old, status=TryoutStatus.RUNNING)
    before = messages_for(waiting), messages_for(gone)
    sweep()
    assert (messages_for(waiting), messages_for(gone)) == (before[0] + 1, before[1])
    waiting.refresh_from_db()
    gone.refresh_from_db()
    assert waiting.touched_at > old
    assert gone.status == TryoutStatus.FAILED


@pytest.fixture
def judged(team, author, model_server, local_endpoints):
    make_connection(team, model_server, max_retries=0, model_list=[{"name": "gpt-small"}])
    model_server.answer = lambda request: json.dumps({"score": 4, "confidence": 0.5, "reasoning": "Kind."})
    return import_pack(team, author, {"pack.yaml": judged_text(1, RUBRIC, slug="judged").encode()}, "judged")


@pytest.mark.django_db(transaction=True)
def test_a_judge_is_asked_when_it_is_wanted_and_only_then(author, judged, model_server):
    case = judged.cases.select_related("pack__team", "input_set").first()
    unasked = try_answer(author, case, Given("Dear customer"))
    assert unasked.status == TryoutStatus.COMPLETED
    [judge] = unasked.scorecard["llm_judge_details"]
    assert judge["payload"]["problem"] == "not_asked"
    assert model_server.requests == []
    asked = try_answer(author, case, Given("Dear customer", judges=[judge["judge_key"]]))
    assert asked.status == TryoutStatus.QUEUED
    execute(asked)
    asked.refresh_from_db()
    [judge] = asked.scorecard["llm_judge_details"]
    assert judge["normalized_score"] is not None
    assert len(model_server.requests) == len(judge["payload"]["calls"])
    assert {call["event_type"] for call in asked.calls} == {"model.call.started", "model.call.completed"}


def test_a_judge_that_the_case_does_not_have_is_refused(author, quiz):
    with pytest.raises(TryoutRefused) as refused:
        try_answer(author, case_of(quiz, "short_answer"), Given("x", judges=["nobody"]))
    assert refused.value.code == "unknown_judge"


EVAL = """
name: tones
tests:
  - id: polite
    input: Greet the customer.
    criteria: It greets.
    assertions:
      - {name: tone, type: llm-grader, prompt: Is it polite?}
"""


@pytest.mark.django_db(transaction=True)
def test_graders_that_ask_models_ask_none_unless_they_are_wanted(team, author, model_server, local_endpoints):
    make_connection(team, model_server, max_retries=0, model_list=[{"name": "grader"}])
    pack = import_pack(team, author, {"evals/tones.eval.yaml": EVAL.encode()}, "tones")
    case = pack.cases.select_related("pack__team", "input_set").get()
    row = try_answer(author, case, Given("Good morning!"))
    assert row.status == TryoutStatus.QUEUED
    execute(row)
    assert model_server.requests == []


def test_a_file_whose_bytes_nobody_has_is_none(quiz):
    read, file = (
        Reader(case_of(quiz, "terminal_task")),
        WorkspaceFile("lines.txt", asset_key=quiz.assets.get(key__endswith="lines.txt").key),
    )
    assert read(file) == b"one\ntwo\n"
    quiz.assets.update(blob=None)
    assert read(file) is None
