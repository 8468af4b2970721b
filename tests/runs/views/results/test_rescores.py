"""Second scorings on pages."""

import pytest
from django.utils.html import strip_tags

from packs.access import Role
from runs.jobs.scores.rescoring import rescore
from runs.launch.launching import launch
from runs.models import Rescore, Trial
from runs.results.rescoring import Wanted, ask_rescore
from tests.openai_server import trouble
from tests.people import client_of, make_member
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import scores
from tests.runs.judged_packs import judged_text
from tests.runs.results.test_rescoring import EVALUATION
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(author, version, agents):
    return work_off(launch(author, version, [agents["echo"]]))


def test_a_second_scoring_is_asked_for_and_shown_beside_the_first(as_author, run):
    address = f"/runs/{run.pk}/rescores/"
    form = as_author.get(address)
    assert "answer" in form.context["evaluation"]
    answer = as_author.post(address, {"version": "1", "evaluation": EVALUATION.replace("\n", "\r\n")})
    row = Rescore.objects.get()
    assert answer.headers["Location"] == f"/runs/rescores/{row.pk}/"
    waiting = as_author.get(f"/runs/rescores/{row.pk}/")
    assert waiting.context["is_working"]
    assert "hx-get" in waiting.content.decode()
    rescore(row)
    shown = as_author.get(f"/runs/rescores/{row.pk}/")
    assert not shown.context["is_working"]
    assert [result.status for result in shown.context["page"]] == ["failed"] * 3
    assert f"/runs/rescores/{row.pk}/" in as_author.get(address).content.decode()


def test_what_has_not_changed_is_shown_when_it_is_asked_for(as_author, run):
    as_author.post(f"/runs/{run.pk}/rescores/", {"version": "1"})
    row = Rescore.objects.get()
    rescore(row)
    assert not list(as_author.get(f"/runs/rescores/{row.pk}/").context["page"])
    assert len(as_author.get(f"/runs/rescores/{row.pk}/?all=1").context["page"]) == 3


@pytest.fixture
def mixed(author, version, agents):
    """A run with an error, scored again by an evaluation that the first answer does not pass: (run, rescore)."""
    run = work_off(launch(author, version, [agents["echo"]]))
    lost, *_ = run.trials.order_by("case_position")
    lost.events.all().delete()
    Trial.objects.filter(pk=lost.pk).update(status="error", score=None, error="The worker was lost.")
    row = ask_rescore(run, author, Wanted(evaluation=EVALUATION))
    rescore(row)
    row.refresh_from_db()
    return run, row


def test_what_moved_is_shown_with_its_trials_and_the_coverage_before_and_now(as_author, mixed):
    run, row = mixed
    address = f"/runs/rescores/{row.pk}/"
    shown = as_author.get(address)
    [agent] = shown.context["figures"]["agents"]
    assert [agent[side]["pass_rate"] for side in ("old", "new")] == [1.0, 0.0]
    assert [agent[side]["coverage"] for side in ("old", "new")] == [2 / 3, 2 / 3]
    text = " ".join(strip_tags(shown.content.decode()).split())
    assert "100 % → 0 % 2 of 2 → 0 of 2 67 % → 67 % 2 of 3 → 2 of 3 1.000 → 0.000 2" in text
    assert "2 trials from passed to failed 1.000 → 0.000" in text
    assert f'href="{address}?from=passed&amp;to=failed#trials"' in shown.content.decode()
    for wish, count in (("?from=passed&to=failed", 2), ("?from=failed&to=passed", 0), ("?all=1", 3)):
        assert len(as_author.get(address + wish).context["page"]) == count, wish


def test_rest_and_page_say_the_same_of_a_second_scoring(as_author, mixed):
    _, row = mixed
    figures = as_author.get(f"/runs/rescores/{row.pk}/").context["figures"]
    address = f"/api/v1/rescores/{row.pk}/"
    assert as_author.get(address).json()["summary"] == figures
    assert figures["moves"] == [{"from": "passed", "to": "failed", "trials": 2, "old_score": 1.0, "new_score": 0.0}]
    for wish, count in (("?from=passed", 2), ("?to=error", 1), ("?changed=true&to=error", 0)):
        assert len(as_author.get(f"{address}results/{wish}").json()["results"]) == count, wish


def test_a_wrong_evaluation_stays_in_the_form_with_what_is_wrong(as_author, run):
    answer = as_author.post(f"/runs/{run.pk}/rescores/", {"version": "1", "evaluation": "name: [mine"})
    assert answer.status_code == 422
    assert answer.context["wish"].findings
    assert "name: [mine" in answer.content.decode()
    assert not Rescore.objects.exists()


def test_readers_read_and_do_not_score(team, stranger, run):
    viewer = client_of(make_member(team, Role.VIEWER))
    address = f"/runs/{run.pk}/rescores/"
    assert "<textarea" not in viewer.get(address).content.decode()
    assert viewer.post(address, {}).status_code == 403
    assert client_of(stranger).get(address).status_code == 404


@pytest.fixture
def undecided(team, author, agents, model_server, local_endpoints):
    """A run whose judge was away, and is back."""
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}], max_retries=0)
    make_connection(team, model_server, "spare", model_list=[{"name": "large"}])
    model_server.answer = lambda request: trouble(503)
    run = work_off(launch(author, publish_text(team, author, judged_text(2), slug="judged"), [agents["echo"]]))
    model_server.reset()
    model_server.reply(scores(5))
    return run


def test_the_pages_of_an_undecided_run_lead_to_asking_its_judges_again(as_author, undecided):
    address = f"/runs/{undecided.pk}/rescores/"
    for page in (f"/runs/{undecided.pk}/", f"/runs/trials/{undecided.trials.first().pk}/"):
        assert f'href="{address}?asks=missing#ask"' in as_author.get(page).content.decode(), page
    form = as_author.get(address, {"asks": "missing"})
    assert form.context["wish"].asks == "missing"
    [card] = form.context["models"]
    assert (card["name"], card["usual"].connection.name) == ("gpt-small", "models")
    assert [label for _, label in card["choices"]] == ["gpt-small · models", "large · spare"]


def test_judges_are_asked_by_a_form_and_the_verdicts_count_by_a_button(as_author, undecided, model_server):
    spare = undecided.team.connections.get(name="spare")
    wish = {"version": "1", "asks": "missing", "answer:gpt-small": f"{spare.pk}/large"}
    address = as_author.post(f"/runs/{undecided.pk}/rescores/", wish).headers["Location"]
    row = Rescore.objects.get()
    working = as_author.get(address).content.decode()
    assert f"{address}cancel/" in working
    assert f"{address}adopt/" not in working
    rescore(row)
    assert {request["model"] for request in model_server.requests} == {"large"}
    shown = as_author.get(address)
    assert shown.context["judging"]["calls"] == 4
    assert f"{address}adopt/" in shown.content.decode()
    trial = undecided.trials.first()
    detail = as_author.get(f"{address}trials/{trial.pk}/")
    [judge] = detail.context["judges"]
    assert "Be kind." in str(judge["models"][0]["calls"][0]["prompt"])
    assert "so it is" in judge["models"][0]["calls"][0]["reply"].text
    assert as_author.post(f"{address}adopt/").headers["Location"] == f"/runs/{undecided.pk}/"
    undecided.refresh_from_db()
    assert undecided.counts == {"passed": 2}
    settled = as_author.get(address).content.decode()
    assert "These verdicts count for the run" in settled
    assert f"{address}adopt/" not in settled
    # A second press says why nothing happens.
    again = as_author.post(f"{address}adopt/", follow=True)
    assert "its verdicts count already" in again.content.decode()


def test_a_scoring_at_work_is_cancelled_by_a_button(as_author, run):
    address = as_author.post(f"/runs/{run.pk}/rescores/", {"version": "1"}).headers["Location"]
    as_author.post(f"{address}cancel/")
    assert Rescore.objects.get().status == "cancelled"
    assert "Cancelled" in as_author.get(address).content.decode()
    assert "has ended already" in as_author.post(f"{address}cancel/", follow=True).content.decode()


def test_nobody_who_only_reads_is_offered_to_let_verdicts_count(team, as_author, undecided):
    address = as_author.post(f"/runs/{undecided.pk}/rescores/", {"asks": "all"}).headers["Location"]
    rescore(Rescore.objects.get())
    viewer = client_of(make_member(team, Role.VIEWER))
    assert "adopt/" not in viewer.get(address).content.decode()
    assert viewer.post(f"{address}adopt/").status_code == 403
