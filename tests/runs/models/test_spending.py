"""What a team pays outside of trials counts for its money quota, and is refused once that is used up."""

from datetime import timedelta

import pytest
from django.core.cache import cache

from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Team
from packs.quotas import QuotaReached, first_of_month
from runs.jobs.judging import Scope, judging_of, start_judging
from runs.jobs.proofs import state_answer
from runs.jobs.suggesting import offers_for, start_suggesting, suggest_now
from runs.jobs.tasks import execute_rankings, execute_trials
from runs.jobs.trials.tryouts import Given, execute, try_answer
from runs.launch.launching import launch
from runs.models import Connection, Spending, Trial, Tryout
from runs.models.spending import note_spending
from runs.proof.probes import Work
from runs.quotas import spent_this_month
from tests.runs.connections import make_connection
from tests.runs.judged_packs import RANKING, judged_text
from tests.runs.studio_packs import publish_text

pytestmark = pytest.mark.django_db(transaction=True)
JUDGE = "{key: tone, mode: rubric, model: gpt-small, samples: 1, context_from: [final_output], rubric: Be kind.}"
# What a call of the test server costs: 7 tokens in, 3 out.
CALL_USD = (7 * 1.0 + 3 * 2.0) / 1_000_000


@pytest.fixture
def connection(team, model_server, local_endpoints):
    priced = {"name": "gpt-small", "input_per_million": 1.0, "output_per_million": 2.0}
    return make_connection(team, model_server, max_retries=0, model_list=[priced])


@pytest.fixture
def case(team, author, connection):
    pack = import_pack(team, author, {"pack.yaml": judged_text(1, JUDGE, slug="judged").encode()}, "judged")
    case = pack.cases.select_related("pack__team", "input_set").get()
    state_answer(case, "reference", Work("Dear customer, we are sorry."), author)
    return case


def tryout(case, author):
    execute(try_answer(author, case, Given("Dear customer", judges=["tone"])))


def proof(case, author):
    execute_job(start_judging(Scope(case.pack, case), author).pk)


def suggestion(case, author):
    execute_job(start_suggesting(case, offers_for(case)[0].connection.pk, "gpt-small", author).pk)


def suggestion_at_a_terminal(case, author):
    suggest_now(case, offers_for(case)[0], author)


WAYS = [tryout, proof, suggestion, suggestion_at_a_terminal]


@pytest.mark.parametrize("way", WAYS)
def test_every_call_of_a_model_counts_once_and_none_is_made_above_the_quota(case, team, author, model_server, way):
    suggested = '{"wrong": [{"answer": "No."}], "right": []}'
    model_server.answer = lambda request: suggested if way in WAYS[2:] else '{"score": 5, "reasoning": "So."}'
    way(case, author)
    calls = len(model_server.requests)
    assert calls > 0
    assert spent_this_month(team) == pytest.approx(calls * CALL_USD)
    Team.objects.update(quota_usd_per_month=calls * CALL_USD / 2)
    case.pack.team.refresh_from_db()
    with pytest.raises(QuotaReached) as reached:
        way(case, author)
    assert reached.value.code == "money_quota_reached"
    assert (len(model_server.requests), Tryout.objects.exclude(status="completed").count()) == (calls, 0)


@pytest.mark.parametrize("way", [proof, suggestion])
def test_what_asking_would_take_above_the_quota_is_refused_before_it_begins(case, author, model_server, way):
    Team.objects.update(quota_usd_per_month=min(judging_of(case).cost_usd, offers_for(case)[0].estimate.cost_usd) / 2)
    case.pack.team.refresh_from_db()
    with pytest.raises(QuotaReached) as reached:
        way(case, author)
    assert "and this needs" in reached.value.message
    assert model_server.requests == []


def test_pages_warn_before_they_ask_and_say_why_they_do_not(
    case, team, as_author, as_administrator, connection, model_server
):
    proof, tried = f"/proofs/cases/{case.pk}/", f"/tryouts/cases/{case.pk}/"
    Team.objects.update(quota_usd_per_month=10)
    assert "Little of the quota is left" not in as_author.get(proof).text + as_author.get(tried).text
    note_spending(team.pk, 9.5)
    # Pages show what was counted within the last minute.
    cache.clear()
    for url in (proof, tried):
        assert "Little of the quota is left" in as_author.get(url).text
    note_spending(team.pk, 1)
    asked = {"model": f"{connection.pk}:gpt-small"}
    for url, given in ((proof, {"judges": "ask"}), (f"{proof}suggest/", asked), (tried, {"ask": "tone"})):
        answer = as_author.post(url, {"output": "x", **given})
        assert (answer.status_code, "$10.50 spent" in answer.text) == (422, True)
    tested = as_administrator.post(
        f"/api/v1/connections/{connection.pk}/test/", {"model": "gpt-small"}, "application/json"
    )
    assert "$10.50 spent" in tested.json()["trouble"]
    refused = as_author.post(f"/api/v1/cases/{case.pk}/proof/", {}, "application/json")
    assert (refused.status_code, refused.json()["findings"][0]["code"]) == (403, "money_quota_reached")
    assert model_server.requests == []


def test_a_test_of_a_connection_counts(team, as_administrator, connection):
    as_administrator.post(f"/api/v1/connections/{connection.pk}/test/", {"model": "gpt-small"}, "application/json")
    assert spent_this_month(team) == pytest.approx(CALL_USD)


def test_the_ranking_of_a_run_counts(team, author, agents, connection, model_server):
    model_server.answer = lambda request: '{"ranking": ["A", "B"], "score": 5}'
    run = launch(author, publish_text(team, author, judged_text(1, RANKING)), [agents["reference"], agents["echo"]])
    for _ in range(5):
        execute_trials(run.pk)
    execute_rankings(run.pk)
    assert len(model_server.requests) > 0
    assert spent_this_month(team) == pytest.approx(len(model_server.requests) * CALL_USD)
    assert Trial.objects.filter(run=run).count() == 2


def test_it_is_added_up_by_day_and_team_and_what_was_spent_last_month_does_not_count(team, other_team):
    note_spending(team.pk, 1.5)
    note_spending(team.pk, 2)
    assert (Spending.objects.count(), spent_this_month(team), spent_this_month(other_team)) == (1, 3.5, 0)
    Spending.objects.update(day=first_of_month().date() - timedelta(days=1))
    assert spent_this_month(team) == 0
    assert not Connection.objects.exists()
