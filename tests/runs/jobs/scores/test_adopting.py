"""Letting the verdicts of a rescore count for its run."""

import pytest

from packs.models import Pack
from packs.publish import publish
from runs.jobs.scores.adopting import AdoptRefused, adopt
from runs.jobs.scores.rescoring import rescore
from runs.jobs.trials.retrying import retry
from runs.launch.launching import launch
from runs.models import Ranking, Rescore, TrialFacts
from runs.results.rescoring import Wanted, ask_rescore
from runs.views.results.rescores import evaluation_text
from runs.views.trials.judges import judges_shown
from tests.openai_server import trouble
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import scores
from tests.runs.jobs.scores.test_amending import again
from tests.runs.jobs.scores.test_inquiries import CALL_USD, PRICED, calls_of, work_off_all
from tests.runs.jobs.scores.test_ranking import prefer_gold
from tests.runs.judged_packs import RANKING, judged_text
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def connection(team, model_server, local_endpoints):
    return make_connection(team, model_server, model_list=PRICED, max_retries=0)


@pytest.fixture
def run(team, author, agents, model_server, connection):
    """A run of two cases of which one sample of each judge came through, and none was enough."""
    judge = "{key: tone, mode: rubric, model: gpt-small, samples: 2, context_from: [final_output], rubric: Be kind.}"
    model_server.script([scores(5), trouble(503), scores(1), trouble(503)])
    return work_off(launch(author, publish_text(team, author, judged_text(2, judge)), [agents["echo"]]))


def scored(run, asks="missing", **more):
    row = ask_rescore(run, None, Wanted(asks=asks, **more))
    rescore(row)
    row.refresh_from_db()
    return row


def refusal(row):
    with pytest.raises(AdoptRefused) as caught:
        adopt(row)
    return caught.value.code


def test_trials_take_the_new_verdicts_over_and_keep_what_was_said_before(run, author, model_server):
    assert run.counts == {"passed": 1, "failed": 1}
    model_server.reply(scores(5))
    row = scored(run, asks="all")
    old = {trial.pk: list(trial.events.values_list("sequence", "event_type")) for trial in run.trials.all()}
    assert adopt(row, author) == 2
    run.refresh_from_db()
    assert (run.counts, run.status) == ({"passed": 2}, "completed")
    assert run.agents.get().summary["passed"] == 2
    for trial in run.trials.all():
        events = list(trial.events.values_list("sequence", "event_type"))
        assert events[: len(old[trial.pk])] == old[trial.pk]
        assert [number for number, _ in events] == list(range(1, trial.event_count + 1))
        assert events[-1][1] == "scoring.completed"
        assert (trial.status, trial.score) == ("passed", 1.0)
        assert trial.grades.get().key == "answer"
        assert TrialFacts.objects.filter(trial=trial).exists()
        # Each call leads to its prompt and its reply, among the new events.
        [judge] = judges_shown(trial, trial.scorecard["llm_judge_details"])
        assert [bool(call["reply"]) for call in judge["models"][0]["calls"]] == [True, True]
    row.refresh_from_db()
    assert (row.adopted_by, row.adopted_at is not None) == (author, True)
    # Scored again without asking anybody, the newest replies count.
    assert scored(run, asks="").summary["changed"] == 0


@pytest.mark.parametrize(("asks", "calls"), [("missing", 1), ("all", 2)])
def test_what_all_scorings_used_up_adds_up(run, model_server, asks, calls):
    """One call came through in the run itself; each that was made since is paid for as well."""
    model_server.reply(scores(5))
    adopt(scored(run, asks=asks))
    trial = run.trials.first()
    assert trial.judge_tokens == 10 * (1 + calls)
    assert trial.judge_cost_usd == pytest.approx(CALL_USD * (1 + calls))
    judging = run.agents.get().summary["judging"]
    assert judging == {
        "calls": 2 * (2 + calls),
        "tokens": 20 * (1 + calls),
        "cost_usd": pytest.approx(2 * CALL_USD * (1 + calls)),
    }


def test_a_trial_that_was_tried_again_since_keeps_its_verdict(run, model_server):
    model_server.reply(scores(5))
    row = scored(run, asks="all")
    model_server.reply(scores(1))
    assert retry(run, "failed") == 1
    work_off(run)
    assert adopt(row) == 1
    assert sorted(run.trials.values_list("status", flat=True)) == ["failed", "passed"]


def test_a_trial_that_was_judged_anew_since_keeps_its_verdict(run, model_server):
    model_server.reply(scores(5))
    row = scored(run, asks="all")
    again(run.trials.get(status="failed"))
    assert adopt(row) == 1
    assert sorted(run.trials.values_list("status", flat=True)) == ["failed", "passed"]


def test_what_is_no_verdict_of_the_run_does_not_count(run, author, model_server):
    model_server.reply(scores(5))
    row = scored(run)
    adopt(row)
    assert refusal(row) == "not_adoptable"
    assert refusal(ask_rescore(run)) == "not_adoptable"
    text = evaluation_text(run).replace("Be kind.", "Be brief.")
    assert refusal(scored(run, evaluation=text)) == "scored_otherwise"
    newer = publish(Pack.objects.get(pk=run.version.pack_id), author, number=2)
    assert refusal(scored(run, number=newer.number)) == "scored_otherwise"
    row = scored(run, asks="all")
    run.status = "running"
    run.save()
    assert refusal(row) == "run_not_ended"
    assert Rescore.objects.filter(adopted_at__isnull=False).count() == 1


def test_new_rankings_take_the_place_of_those_that_failed(team, author, agents, model_server, connection):
    version = publish_text(team, author, judged_text(1, RANKING))
    model_server.answer = lambda request: trouble(503)
    run = launch(author, version, [agents["reference"], agents["echo"]])
    work_off_all(run)
    model_server.answer = prefer_gold
    adopt(scored(run))
    run.refresh_from_db()
    assert run.counts == {"passed": 1, "failed": 1}
    assert [call["error"] for call in Ranking.objects.get().calls["best"]["calls"]] == ["", ""]
    trial = run.trials.get(status="passed")
    [judge] = judges_shown(trial, trial.scorecard["llm_judge_details"])
    assert [call["reply"] is not None for call in judge["models"][0]["calls"]] == [True, True]
    assert [call["score"] for call in calls_of(trial.scorecard)] == [1.0, 1.0]
