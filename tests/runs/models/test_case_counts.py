"""What is kept of the cases of a run, against a recount."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from runs.launch.launching import Options, launch
from runs.models import CaseChange, CaseCount, TrialPlan
from runs.models.case_counting import keep_case_counts
from runs.models.case_counts import BLOCK, case_counts_of
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.tallied import check_case_counts

pytestmark = pytest.mark.django_db
CASES = 2 * BLOCK + 7


@pytest.fixture
def run(author, team, agents):
    """More cases than fit into two blocks, each tried three times by two agents."""
    version = publish_text(team, author, pack_text({"default": CASES}))
    return launch(author, version, [agents["echo"], agents["empty"]], Options(trials=3))


def end_some(run, chance, count):
    """Let some trials end in any way."""
    for trial in chance.sample(list(run.trials.all()), count):
        status = chance.choice(["passed", "failed", "error", "undecided", "cancelled", "queued"])
        score = chance.random() if status in ("passed", "failed") else None
        stop = chance.choice(["", "precise_enough"]) if status == "cancelled" else ""
        spent = {"cost_usd": chance.random(), "judge_cost_usd": chance.random(), "total_tokens": chance.randrange(900)}
        run.trials.filter(pk=trial.pk).update(status=status, score=score, stop_reason=stop, **spent)


@pytest.mark.parametrize("rule", ["", "pass@k", "pass^k", "mean", "confidence_interval"])
def test_blocks_that_are_kept_and_blocks_that_changed_add_up(run, rule):
    chance = Random(rule)
    if rule:
        plans = run.trials.filter(case_position__lt=60).order_by().values_list("case", flat=True).distinct()
        TrialPlan.objects.bulk_create(
            TrialPlan(run=run, case_id=case, count=3, rule=rule, threshold=0.5) for case in plans
        )
    end_some(run, chance, 300)
    check_case_counts(run)
    keep_case_counts(run.pk)
    assert CaseCount.objects.filter(run=run).count() == 6
    check_case_counts(run)
    end_some(run, chance, 2)
    run.trials.filter(case_position__gte=2 * BLOCK).delete()
    check_case_counts(run)
    keep_case_counts(run.pk)
    assert CaseCount.objects.filter(run=run).count() == 4
    check_case_counts(run)


def test_trials_are_read_of_changed_blocks_alone(run):
    keep_case_counts(run.pk)
    agents = list(run.agents.values_list("pk", flat=True))
    with CaptureQueriesContext(connection) as queries:
        assert len(list(case_counts_of(run.pk, agents))) == 6
    assert not any('FROM "runs_trial"' in query["sql"] for query in queries)
    run.trials.filter(run_agent=agents[1], case_position=BLOCK, number=2).update(total_tokens=7)
    with CaptureQueriesContext(connection) as queries:
        assert sum(count.total_tokens for count in case_counts_of(run.pk, agents)) == 7
    [sql] = [query["sql"] for query in queries if 'FROM "runs_trial"' in query["sql"]]
    assert f'"case_position" >= {BLOCK}' in sql


def test_only_members_of_the_team_see_them(author, stranger, run):
    assert CaseChange.objects.visible_to(author).exists()
    keep_case_counts(run.pk)
    assert CaseCount.objects.visible_to(author).exists()
    assert not CaseCount.objects.visible_to(stranger).exists()
