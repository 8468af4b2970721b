import io
import json

import pytest
from django.core.management import call_command

from packs.models import VersionStatus
from runs.management.grading import FAILED, USAGE
from runs.models import Rescore, Run
from tests.openai_server import trouble
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import scores
from tests.runs.judged_packs import judged_text
from tests.runs.results.test_rescoring import EVALUATION
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def run(*arguments):
    """Exit code, standard output and standard error of the command."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("run", *(str(part) for part in arguments), stdout=out, stderr=err)
    except SystemExit as leave:
        return leave.code, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def answer(*arguments):
    code, out, _ = run(*arguments, "--json")
    return code, json.loads(out)


def test_a_run_is_started_shown_and_cancelled(version, agents):
    code, started = answer("start", "parcels", "--agent", "echo", "--agent", "empty", "--trials", 2)
    assert "Start one: manage.py up" in run("start", "parcels", "--agent", "echo")[2]
    assert (code, started["trial_count"], started["selection"]) == (0, 12, "only_one")
    assert answer("show", started["id"])[1]["status"] == "queued"
    assert answer("cancel", started["id"])[1]["status"] == "cancelled"
    assert answer("cancel", started["id"])[0] == USAGE


def test_who_answers_for_a_model_is_named_at_the_start(version, agents, team, model_server):
    own = make_connection(team, model_server, name="own")
    model = "judge-1=own/vendor/small"
    _, started = answer("start", "parcels", "--agent", "echo", "--model", model, "--model", f"judge-2={own.pk}")
    assert Run.objects.get(pk=started["id"]).connections == {
        "judge-1": {"connection": own.pk, "model": "vendor/small"},
        "judge-2": {"connection": own.pk, "model": "judge-2"},
    }


def test_the_newest_version_that_can_be_run_is_taken_unless_one_is_named(version, agents):
    assert answer("start", "parcels@1", "--agent", "echo")[0] == 0
    code, document = answer("start", "parcels@2", "--agent", "echo")
    assert (code, document["error"]["code"]) == (USAGE, "invalid_challenge_pack_version_id")
    assert document["error"]["choices"] == [{"version": "parcels@1", "status": "runnable"}]
    type(version).objects.filter(pk=version.pk).update(status=VersionStatus.ARCHIVED)
    assert answer("start", "parcels", "--agent", "echo")[0] == USAGE


def test_a_missing_choice_lists_what_there_is(sets_version, agents):
    code, document = answer("start", "parcels", "--agent", "echo")
    assert (code, document["error"]["code"]) == (USAGE, "missing_challenge_input_set_id")
    assert [choice["key"] for choice in document["error"]["choices"]] == ["small", "large"]
    code, out, err = run("start", "parcels", "--agent", "echo")
    assert (code, out) == (USAGE, "")
    assert "--input-set" in err.splitlines()[0]
    assert err.splitlines()[1:] == ["  small  The small set  1 case", "  large  The large set  2 cases"]
    assert answer("start", "parcels", "--agent", "echo", "--input-set", "the LARGE set")[1]["input_set"] == "large"


@pytest.mark.parametrize(
    "arguments",
    [
        ("start", "parcels", "--agent", "nobody"),
        ("start", "parcels", "--agent", "echo", "--team", "none"),
        ("start", "parcels", "--agent", "echo", "--user", "none"),
        ("start", "parcels", "--agent", "echo", "--trials", "0"),
        ("start", "parcels", "--agent", "echo", "--model", "judge-1"),
        ("start", "parcels", "--agent", "echo", "--model", "judge-1=nobody"),
        ("show", "987654"),
        ("cancel", "987654"),
    ],
)
def test_wrong_usage_exits_with_two(version, agents, arguments):
    code, document = answer(*arguments)
    assert code == USAGE
    assert document["error"]["message"]
    assert not Run.objects.exists()


def test_showing_tells_agents_and_what_did_not_pass(version, agents):
    _, started = answer("start", "parcels", "--agent", "echo", "--agent", "empty")
    work_off(Run.objects.get(pk=started["id"]))
    code, out, _ = run("show", started["id"])
    assert code == 0
    rates = ("echo: pass rate 100 % (3 of 3 judged)", "empty: pass rate 0 % (0 of 3 judged)")
    for word in (*rates, "failed: case-0000 #1 by empty"):
        assert word in out


def test_runs_are_listed_newest_first_and_the_chosen_ones_alone(version, agents, other_team):
    first, second = (answer("start", "parcels", "--agent", "echo", "--name", name)[1]["id"] for name in ("Old", "New"))
    work_off(Run.objects.get(pk=first))
    assert [row["id"] for row in answer("list")[1]["runs"]] == [second, first]
    assert answer("list", "--pack", "parcels", "--status", "completed")[1] == {"runs": [answer("show", first)[1]]}
    assert [row["id"] for row in answer("list", "--limit", 1)[1]["runs"]] == [second]
    assert answer("list", "--team", other_team.slug) == (0, {"runs": []})
    shown = run("list")[1].splitlines()
    assert [line for line in shown if line.startswith("Run")] == [f"Run {second}: New", f"Run {first}: Old"]
    assert any(line.startswith("  echo: pass rate 100 % (3 of 3 judged)") for line in shown)
    assert run("list", "--status", "paused")[1] == "There are no such runs.\n"


def test_a_pack_that_is_not_there_lists_those_that_are(version):
    code, document = answer("list", "--pack", "parcel")
    assert (code, document["error"]["code"]) == (USAGE, "unknown_pack")
    assert document["error"]["choices"] == [{"pack": "parcels"}]
    assert run("list", "--limit", 0)[0] == USAGE


@pytest.mark.parametrize(("agent", "code"), [("echo", 0), ("empty", FAILED)])
def test_waiting_ends_with_the_verdict(version, agents, agent, code, monkeypatch):
    # What a worker does elsewhere happens while the command sleeps.
    monkeypatch.setattr("time.sleep", lambda seconds: work_off(Run.objects.get()))
    assert answer("start", "parcels", "--agent", agent, "--wait")[0] == code


def test_results_are_exported_to_a_file_or_to_standard_output(version, agents, tmp_path):
    _, started = answer("start", "parcels", "--agent", "echo")
    work_off(Run.objects.get(pk=started["id"]))
    file = tmp_path / "out.xml"
    assert run("export", started["id"], "--as", "junit", "-o", file)[0] == 0
    assert file.read_text().startswith("<?xml")
    code, out, _ = run("export", started["id"], "--as", "jsonl")
    assert (code, len(out.splitlines())) == (0, 3)
    assert run("export", started["id"], "-o", tmp_path / "no" / "such" / "folder")[0] == USAGE


def test_a_run_is_paused_resumed_tried_again_and_extended(version, agents):
    number = answer("start", "parcels", "--agent", "empty", "--concurrency", 3, "--max-tokens", 900)[1]["id"]
    assert answer("show", number)[1]["budgets"] == {"total_tokens": 900}
    assert answer("pause", number)[1]["status"] == "paused"
    assert answer("pause", number)[0] == USAGE
    assert answer("resume", number)[1]["status"] == "queued"
    assert answer("resume", number)[1]["error"]["code"] == "run_not_paused"
    work_off(Run.objects.get(pk=number))
    assert answer("retry", number)[1]["error"]["code"] == "nothing_to_retry"
    assert answer("retry", number, "--which", "failed")[1]["counts"] == {"queued": 3}
    assert answer("more", number, "--trials", 2)[1]["trial_count"] == 9
    assert answer("more", number, "--trials", 100)[1]["error"]["code"] == "invalid_trials"
    assert work_off(Run.objects.get(pk=number)).counts == {"failed": 9}


def test_judges_are_asked_again_by_command(team, author, agents, model_server, local_endpoints):
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}], max_retries=0)
    model_server.answer = lambda request: trouble(503)
    publish_text(team, author, judged_text(1), slug="judged")
    number = answer("start", "judged", "--agent", "echo")[1]["id"]
    assert work_off(Run.objects.get(pk=number)).counts == {"undecided": 1}
    model_server.reset()
    model_server.reply(scores(5))
    assert answer("rescore", number, "--ask", "missing", "--model", "gpt-small=none")[1]["error"]["code"] == (
        "invalid_connections"
    )
    code, out, _ = run("rescore", number, "--ask", "missing", "--model", "gpt-small=models/large")
    assert (code, "1 from undecided to passed" in out, "2 calls, 20 tokens, cost not known" in out) == (0, True, True)
    assert {request["model"] for request in model_server.requests} == {"large"}
    assert answer("show", number)[1]["counts"] == {"undecided": 1}
    code, adopted = answer("adopt", Rescore.objects.get().pk)
    assert (code, bool(adopted["adopted_at"])) == (0, True)
    assert answer("show", number)[1]["counts"] == {"passed": 1}
    assert answer("adopt", adopted["id"])[1]["error"]["code"] == "not_adoptable"
    assert answer("adopt", 999)[1]["error"]["code"] == "not_found"
    model_server.reply(scores(1))
    code, out, _ = run("rescore", number, "--ask", "all", "--adopt")
    assert (code, "count for the run" in out) == (0, True)
    assert answer("show", number)[1]["counts"] == {"failed": 1}


def test_a_run_is_scored_again_without_a_worker(version, agents, tmp_path):
    number = answer("start", "parcels", "--agent", "echo")[1]["id"]
    assert answer("rescore", number)[1]["error"]["code"] == "run_not_ended"
    work_off(Run.objects.get(pk=number))
    code, document = answer("rescore", number)
    assert (code, document["status"], document["summary"]["changed"]) == (0, "completed", 0)
    assert answer("rescore", number, "--version", 9)[1]["error"]["code"] == "unknown_version"
    file = tmp_path / "evaluation.yaml"
    file.write_text(EVALUATION)
    code, out, _ = run("rescore", number, "--evaluation", file)
    assert (code, "3 from passed to failed" in out) == (0, True)
    file.write_text("name: parcels")
    refused = answer("rescore", number, "--evaluation", file)[1]["error"]
    assert refused["code"] == "invalid_evaluation"
    assert refused["choices"][0]["severity"] == "error"
    assert answer("rescore", number, "--evaluation", tmp_path / "none.yaml")[0] == USAGE
