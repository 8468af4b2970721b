"""Two judgings of the same stored answers beside each other."""

import pytest

from runs.grading.judges.probes import NEUTRAL
from runs.jobs.scores.adopting import AdoptRefused, adopt
from runs.jobs.scores.rescoring import rescore
from runs.launch.launching import Options, launch
from runs.models import Agent, Run
from runs.results.judgings import judgings_of, rivals_of
from runs.results.rescoring import Wanted, ask_rescore
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import prompt_of, scores
from tests.runs.judged_packs import judged_text
from tests.runs.studio_packs import publish_text
from tests.runs.suites import publish_suite, task
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
ONE = "{key: tone, mode: rubric, model: gpt-small, samples: 1, context_from: [final_output], rubric: Be kind.}"
PRICED = [{"name": name, "input_per_million": 1.0, "output_per_million": 10.0} for name in ("gpt-small", "large")]
CALL_USD = (7 * 1.0 + 3 * 10.0) / 1e6


def scored(run, **more):
    row = ask_rescore(run, None, Wanted(**{"asks": "all", **more}))
    rescore(row)
    row.refresh_from_db()
    return row


@pytest.fixture
def run(team, author, agents, model_server, local_endpoints):
    """Eight cases that a judge passes."""
    make_connection(team, model_server, model_list=PRICED, max_retries=0)
    model_server.reply(scores(5))
    return work_off(launch(author, publish_text(team, author, judged_text(8, ONE)), [agents["echo"]]))


@pytest.fixture
def stricter(run, model_server):
    """Seven of the eight do not pass another model."""
    model_server.script([scores(1)] * 7 + [scores(5)])
    connection = run.team.connections.get()
    return scored(run, connections={"gpt-small": {"connection": connection.pk, "model": "large"}})


def test_a_re_score_is_tested_against_what_was_said_before(run, stricter):
    found = judgings_of(stricter, run.agents.get())
    before, now = found.comparison.totals
    assert (before.cases.passed, now.cases.passed) == (8, 1)
    assert (now.pairs.regressed, now.pairs.fixed, now.pairs.says) == (7, 0, "worse")
    assert now.pairs.p_value == pytest.approx(2 / 2**7)
    assert now.scores.mean.mean < 0
    assert (found.agreement.items, found.agreement.raw, found.agreement.kappa) == (8, 1 / 8, 0.0)
    assert before.cost.known is None
    assert now.cost.known == pytest.approx(8 * CALL_USD)
    assert [each.name for each in found.comparison.differences] == ["Judges asked", "Model gpt-small"]


def test_two_re_scores_of_a_run_are_compared_with_each_other(run, stricter, model_server):
    model_server.reply(scores(5))
    kind = scored(run)
    assert list(rivals_of(kind)) == [stricter]
    found = judgings_of(kind, run.agents.get(), stricter)
    assert (found.comparison.totals[1].pairs.fixed, found.comparison.totals[1].pairs.says) == (7, "better")
    assert [column.name for column in found.comparison.columns] == [str(stricter.pk), str(kind.pk)]
    assert found.comparison.totals[0].cost.known == pytest.approx(8 * CALL_USD)


def test_a_probe_shows_a_judge_that_likes_length(run, model_server):
    model_server.answer = lambda request: scores(5 if NEUTRAL[0] in prompt_of(request) else 3)
    row = scored(run, probe="padded")
    assert row.asks == "all"
    (judge,) = judgings_of(row, run.agents.get(), scored(run)).judges
    # All scores rise by the same, which shows no spread: their sign alone is tested.
    assert (judge.judge, judge.scores.mean.mean, judge.scores.p_value) == ("tone", 0.5, 2**-7)
    assert all(NEUTRAL[0] not in trial.final_output for trial in run.trials.all())


def test_what_a_probe_says_never_counts_for_the_run(run):
    with pytest.raises(AdoptRefused):
        adopt(scored(run, probe="padded"))


def test_a_probe_takes_replies_from_the_cache_of_its_run(run, model_server):
    Run.objects.filter(pk=run.pk).update(response_cache="write")
    run.refresh_from_db()
    scored(run, probe="padded")
    asked = len(model_server.requests)
    assert scored(run, probe="padded").summary["judging"]["calls"] == 0
    assert len(model_server.requests) == asked


def test_a_probe_shows_a_judge_that_likes_what_stands_first(team, author, model_server, local_endpoints):
    pair = {"type": "pairwise_comparison", "criteria": "Which is kinder?", "reference": "It is not done."}
    version = publish_suite(team, author, task("open_ended", "be-kind_1", graders=[pair]))
    make_connection(team, model_server, model_list=[{"name": "judge"}], max_retries=0)
    model_server.reply('{"winner": "A"}')
    agent = Agent.objects.create(team=team, name="kind", kind="scripted", config={"default": {"output": "Done."}})
    run = work_off(launch(author, version, [agent], Options(trials=2)))
    moved = judgings_of(scored(run, probe="swapped"), run.agents.get()).judges
    assert {each.judge: each.scores.mean.mean for each in moved} == {
        "pairwise_comparison/candidate first": -1.0,
        "pairwise_comparison/reference first": 1.0,
    }
