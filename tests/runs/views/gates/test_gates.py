"""Pages of the gates of a pack."""

import json
import shutil
import subprocess

import pytest
import yaml
from django.urls import reverse

from packs.access import Role
from runs.jobs.gating.checks import judge, keep
from runs.models import GateRequest, GateSettings
from tests.people import client_of, make_member
from tests.runs.gated import answering, gated_run, publish_suites

pytestmark = pytest.mark.django_db

MERGE = "ci_merge_gate"


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


def address(version, name="gate", gate="merge"):
    place = [version.pack.team.slug, version.pack.slug]
    return reverse(f"runs:{name}", args=place if name == "gates" else [*place, gate])


def test_the_gates_of_a_pack_show_their_last_verdicts(suites, author, as_author):
    check = keep(judge(gated_run(author, suites, capital_1="Madrid"), MERGE))
    cards = {card["short"]: card for card in as_author.get(address(suites, "gates")).context["cards"]}
    assert (cards["merge"]["latest"], cards["nightly"]["latest"]) == ([check], [])


def test_a_pack_without_a_version_has_gates_too(draft_pack, as_author):
    assert as_author.get(reverse("runs:gates", args=[draft_pack.team.slug, draft_pack.slug])).status_code == 200
    assert as_author.get(reverse("runs:gate", args=[draft_pack.team.slug, draft_pack.slug, "merge"])).status_code == 200


@pytest.fixture
def draft_pack(team, author):
    return author and team.packs.create(slug="new", format="challenge_pack", created_by=author)


def test_the_history_of_a_gate_is_filtered_by_verdict_and_branch(suites, author, as_author):
    good = keep(judge(gated_run(author, suites, {"branch": "main"}), MERGE))
    bad = keep(judge(gated_run(author, suites, {"branch": "work"}, capital_1="Madrid"), MERGE))

    def history(**query):
        return list(as_author.get(address(suites), query).context["page"].object_list)

    assert history() == [bad, good]
    assert history(verdict="fail") == [bad]
    assert history(branch="main") == [good]


def test_a_gate_that_is_not_there_is_not_found(suites, as_author):
    assert as_author.get(address(suites, gate="hotfix")).status_code == 404


def test_a_run_for_a_gate_is_started_from_its_page(suites, as_author):
    agent = answering(suites, "agent")
    as_author.post(address(suites, "gate-start"), {"agent": agent.pk, "branch": "main"})
    row = GateRequest.objects.get()
    assert (row.gate, row.run.metadata) == (MERGE, {"branch": "main"})


@pytest.mark.parametrize("agent", ["", "x", "99999"])
def test_without_an_agent_nothing_starts(suites, as_author, agent):
    assert as_author.post(address(suites, "gate-start"), {"agent": agent}).url == address(suites)
    assert not GateRequest.objects.exists()


def test_the_script_for_pipelines_is_sound_whatever_the_agent_is_called(suites, as_author):
    answering(suites, 'it\'s "mine" $HOME')
    script = as_author.get(address(suites)).context["curl"]
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


def test_the_job_of_gitlab_holds_the_script_and_gives_its_report(suites, as_author):
    answering(suites, "mine")
    page = as_author.get(address(suites)).context
    [job] = yaml.safe_load(page["gitlab"]).values()
    assert job["artifacts"]["reports"] == {"junit": "gate.xml"}
    [script] = job["script"]
    assert script.endswith(page["curl"].split("\n", 1)[1])
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
    assert "{" not in job["variables"]["PACKWRIGHT_URL"]


@pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")
def test_the_script_asks_for_the_run_that_is_meant(suites, as_author):
    answering(suites, 'it\'s "mine"')
    script = as_author.get(address(suites)).context["curl"]
    head = script[: script.index("ask()")]
    told = subprocess.run(
        ["bash"], input=f'BRANCH=main\n{head}\necho "$body"', text=True, capture_output=True, check=True
    )
    body = json.loads(told.stdout)
    assert (body["agent"], body["pack"], body["ci_metadata"]["branch"]) == ('it\'s "mine"', "capitals", "main")


def test_a_pack_that_states_its_gates_is_changed_in_its_draft(suites, as_author):
    draft = as_author.get(address(suites, "gate-policy")).url
    assert draft.endswith("/edit/pack/?section=gates.ci_merge_gate")
    assert ":/gates/ci_merge_gate/" in as_author.get(draft).content.decode()
    assert f'href="{draft}"' in as_author.get(address(suites)).content.decode()


def test_a_curator_changes_what_a_gate_asks_and_takes_it_back(version, team):
    curator = client_of(make_member(team, Role.CURATOR))
    where = address(version, "gate-policy")
    begun = curator.get(where).context["form"]
    assert [choice.value for choice in begun.suites if choice.is_chosen] == ["default"]
    fields = {
        "suites": "default",
        "fail_on": "golden_regression",
        "threshold-default": "80",
        "baseline": "last_release",
    }
    assert curator.post(where, fields).status_code == 302
    section = GateSettings.objects.get(gate=MERGE).section
    assert (section["suite_thresholds"], section["baseline"]["policy"]) == ({"default": 0.8}, "last_release")
    curator.post(where, {"reset": ""})
    assert not GateSettings.objects.exists()


def test_a_policy_that_makes_no_sense_is_not_saved(version, team):
    curator = client_of(make_member(team, Role.CURATOR))
    answer = curator.post(
        address(version, "gate-policy"), {"suites": "default", "threshold-default": "800", "baseline": "pinned"}
    )
    assert (answer.status_code, len(answer.context["troubles"])) == (422, 2)
    assert not GateSettings.objects.exists()
