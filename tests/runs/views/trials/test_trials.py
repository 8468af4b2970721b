import json

import pytest
from django.urls import reverse

from packs.access import Role
from runs.launch.launching import launch
from runs.models import Agent, Trial
from runs.views.trials.trials import checks_of
from tests.people import client_of, make_member
from tests.runs.launch.test_launching import CONVERSATION
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>\x07\x1b[31m"


@pytest.fixture
def run(team, author, version):
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": HOSTILE})
    return work_off(launch(author, version, [agent]))


@pytest.fixture
def trial(run):
    return run.trials.order_by("pk")[1]


def page(client, name, trial, query="", **headers):
    return client.get(reverse(f"runs:{name}", args=[trial.pk]) + query, **headers)


NAMES = ["trial", "stored", "output"]


@pytest.mark.parametrize("name", NAMES)
def test_a_stranger_finds_no_trial(as_stranger, trial, name):
    assert page(as_stranger, name, trial).status_code == 404


@pytest.mark.parametrize("name", NAMES)
def test_a_viewer_reads_a_trial(team, trial, name):
    assert page(client_of(make_member(team, Role.VIEWER)), name, trial).status_code == 200


def test_nobody_is_sent_to_sign_in(as_nobody, trial):
    assert page(as_nobody, "trial", trial).status_code == 302


def test_what_an_agent_wrote_is_shown_as_text(as_author, trial):
    text = page(as_author, "trial", trial).content.decode()
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;␇␛[31m" in text


def test_the_whole_output_is_a_plain_text(as_author, trial):
    answer = page(as_author, "output", trial)
    assert answer.content.decode() == HOSTILE
    assert answer["Content-Type"].startswith("text/plain")
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_grade_leads_to_the_step_that_it_rests_on(as_author, trial):
    answer = page(as_author, "trial", trial)
    [grade] = answer.context["grades"]
    assert (grade["status"], grade["actual"].text[:8], grade["expected"].text) == ("fail", "<script>", "hub")
    link = f"{reverse('runs:replay', args=[trial.pk])}?types=all&amp;event={grade['source']['sequence']}"
    assert link in answer.content.decode()


def test_a_trial_leads_to_its_neighbours(as_author, run, trial):
    first, _, last = run.trials.order_by("pk")
    context = page(as_author, "trial", trial).context
    assert (context["before"], context["after"]) == (first, last)


def test_a_failed_agent_a_wrong_pack_and_a_failed_machine_look_different(as_author, trial):
    shown = set()
    for status, fault in [("failed", ""), ("failed", "agent"), ("error", "pack"), ("error", "machine")]:
        Trial.objects.filter(pk=trial.pk).update(status=status, fault=fault)
        shown.add(page(as_author, "trial", trial).context["cause"])
    assert len(shown) == 4


def test_the_stored_document_is_a_file_too(as_author, trial):
    answer = page(as_author, "stored", trial, "?download")
    assert json.loads(answer.content) == trial.case.stored
    assert answer["Content-Disposition"].startswith("attachment")


def test_a_run_without_cases_has_no_stored_document(as_author, author, bare_version, agents):
    trial = work_off(launch(author, bare_version, [agents["echo"]])).trials.get()
    assert page(as_author, "stored", trial).context["has_document"] is False
    assert page(as_author, "trial", trial).status_code == 200


def test_the_other_trials_of_a_case_are_at_hand(as_author, author, version, agents):
    run = work_off(launch(author, version, [agents["echo"], agents["reference"]]))
    trial = run.trials.first()
    [rival] = page(as_author, "trial", trial).context["rivals"]
    assert (rival.run_agent.name, rival.case_id) == ("reference", None) or rival.pk != trial.pk


def test_a_trial_that_waits_asks_again_and_shows_no_verdict(as_author, author, version, agents):
    trial = launch(author, version, [agents["echo"]]).trials.first()
    answer = page(as_author, "trial", trial)
    assert "data-poll" in answer.content.decode()
    assert answer.context["cause"] is None


def test_a_conversation_is_shown_turn_by_turn(as_author, team, author, agents):
    phase = "{id: open, actor: scripted, turns: [{message: Hello}, {message: Where?}]}"
    text = pack_text({"default": CONVERSATION.format(phase=phase)}, mode="multi_turn")
    run = work_off(launch(author, publish_text(team, author, text), [agents["echo"]]))
    answer = page(as_author, "trial", run.trials.get())
    said = [[item["text"].text for item in each["said"]] for each in answer.context["turns"]]
    assert said == [["Hello", "Hello"], ["Where?", "Where?"]]


def test_a_page_costs_a_fixed_number_of_queries(as_author, trial, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        page(as_author, "trial", trial)


SECURITY = """\
security:
  planted_secrets: [{name: KEY, value: canary-1, location: tool-output, severity: critical}]
  forbidden_outputs: [{description: Greets, substring: hello, severity: low}]
"""


def test_the_security_report_shows_incidents_and_leads_to_their_steps(team, author, as_author):
    version = publish_text(team, author, pack_text({"default": 1}) + SECURITY)
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": "hub <b>canary-1</b>"})
    [trial] = work_off(launch(author, version, [agent])).trials.all()
    answer = page(as_author, "trial", trial)
    report = answer.context["security"]
    assert [(found["kind"], found["tone"]) for found in report["incidents"]] == [("planted_secret_leaked", "red")]
    text = answer.content.decode()
    assert "&lt;b&gt;canary-1" in text
    assert f"event={report['incidents'][0]['sequence']}" in text


def test_a_pack_without_a_policy_has_no_security_report(as_author, trial):
    assert page(as_author, "trial", trial).context["security"] is None


@pytest.mark.parametrize(
    ("status", "fault", "stop_reason", "tone"),
    [
        ("failed", "agent", "tool_limit", "amber"),
        ("failed", "agent", "timeout", "amber"),
        ("failed", "agent", "provider_error", "red"),
        ("cancelled", "", "run_budget", "grey"),
        ("cancelled", "", "stopped_on_error", "grey"),
        ("error", "agent", "dependency_failed", "amber"),
        ("passed", "agent", "tool_limit", ""),
    ],
)
def test_a_limit_is_a_cause_of_its_own(as_author, trial, status, fault, stop_reason, tone):
    Trial.objects.filter(pk=trial.pk).update(status=status, fault=fault, stop_reason=stop_reason)
    cause = page(as_author, "trial", trial).context["cause"]
    assert (cause.tone if cause else "") == tone
    if stop_reason == "run_budget":
        assert "budget" in cause.title


def test_what_a_graders_command_wrote_is_shown_line_by_line(as_author, trial):
    evidence = {"kind": "custom", "test_command": "make <test>", "stderr": "one\ntwo", "exit_code": 2}
    grade = {"key": "k", "type": "code_execution", "state": "available", "verdict": "fail", "evidence": evidence}
    Trial.objects.filter(pk=trial.pk).update(scorecard={**trial.scorecard, "validator_details": [grade]})
    answer = page(as_author, "trial", trial)
    [shown] = answer.context["grades"]
    assert [(title, output.text) for title, output in shown["outputs"]] == [
        ("Command", "make <test>"),
        ("Standard error", "one\ntwo"),
    ]
    assert "make &lt;test&gt;" in answer.content.decode()
    assert "make" not in shown["found"].text


def test_what_an_assertion_looked_at_is_a_list_and_members_are_told_apart():
    check = {"text": "it is kind", "passed": False, "evidence": "it is not\x07"}
    row = {"checks": [check], "members": [{"name": "tone", "checks": [check]}]}
    assert list(checks_of(row)) == [{"status": "fail", "text": "tone: it is kind", "evidence": "it is not␇"}]
    assert [each["text"] for each in checks_of({"checks": [check]})] == ["it is kind"]


def test_the_page_of_a_live_trial_shows_what_its_model_writes(as_author, trial):
    last = trial.events.order_by("-sequence").first()
    told = [("model.call.started", {}), ("model.output.delta", {"text_delta": "It stands <here"})]
    for number, (kind, payload) in enumerate(told, start=1):
        last.pk, last.sequence, last.event_type, last.payload = None, last.sequence + number, kind, payload
        last.save(force_insert=True)
    assert "It stands" not in page(as_author, "trial", trial).content.decode()
    Trial.objects.filter(pk=trial.pk).update(status="running", finished_at=None)
    assert "It stands &lt;here" in page(as_author, "trial", trial).content.decode()
