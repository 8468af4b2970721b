"""Runs beside each other."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from packs.editing import Change, apply
from packs.formats.document import NodeKind
from packs.models import Pack
from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.models import Agent, Run, Trial, TrialPlan
from runs.models.trials import TRIAL_COST_LIMIT
from runs.results.comparing import MAX_COLUMNS, Refused, comparison_charts, comparison_of, read_ids
from runs.results.memory import MEMORY
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def seen(run):
    return Run.objects.select_related("version__pack__team", "input_set").get(pk=run.pk)


@pytest.fixture
def before(author, version, agents):
    return seen(work_off(launch(author, version, [agents["reference"]])))


@pytest.fixture
def after(author, version, agents):
    """The first case passes, the second fails, the third is broken by our machine."""
    run = work_off(launch(author, version, [agents["reference"]]))
    run.trials.filter(case_position=1).update(status="failed", score=0.25, cost_usd=0.5, total_tokens=100)
    run.trials.filter(case_position=2).update(status="error", score=None)
    return seen(run)


def test_cases_of_two_runs_stand_side_by_side(before, after):
    comparison = comparison_of([before, after])
    assert [(row.key, row.state) for row in comparison.rows] == [
        ("case-0000", "same"),
        ("case-0001", "regressed"),
        ("case-0002", "incomparable"),
    ]
    assert [column.name for column in comparison.columns] == [str(before.pk), str(after.pk)]
    assert comparison.totals[1].unjudged == [("error", 1)]
    assert (comparison.totals[1].cost.known, comparison.totals[1].tokens.known) == (0.5, 100)
    assert comparison.totals[1].pairs.n == 2
    assert comparison.shared == 3


def test_any_column_can_be_the_base(before, after):
    comparison = comparison_of([before, after], str(after.pk))
    assert (comparison.base, comparison.rows[1].state) == (1, "fixed")
    assert comparison_of([before, after], "nonsense").base == 0


def test_a_run_of_several_agents_has_a_column_for_each(author, version, agents, before):
    both = seen(work_off(launch(author, version, [agents["echo"], agents["reference"]])))
    comparison = comparison_of([both, before], str(both.pk))
    entries = list(both.agents.order_by("position"))
    assert [column.name for column in comparison.columns] == [
        *(f"{both.pk}.{entry.pk}" for entry in entries),
        str(before.pk),
    ]
    assert comparison.base == 0
    assert comparison_of([both, before], f"{both.pk}.{entries[1].pk}").base == 1
    assert comparison_of([before, both], str(both.pk)).base == 1
    assert [difference.values for difference in comparison.differences if difference.name == "Agent"] == [
        ("echo", "reference", "reference")
    ]


def test_several_trials_follow_the_rule_of_the_pack(before, after):
    first = after.trials.get(case_position=0)
    Trial.objects.create(run=after, run_agent=first.run_agent, case=first.case, case_key=first.case_key, number=2)
    Trial.objects.filter(run=after, number=2).update(status="failed", score=0.0)
    assert comparison_of([before, after]).rows[0].state == "flaky"
    TrialPlan.objects.create(run=after, case=first.case, count=2, rule="pass^k")
    # Plans are written with their run; here one comes later.
    MEMORY.forget()
    row = comparison_of([before, after]).rows[0]
    assert (row.state, row.cells[1].is_flaky) == ("regressed", True)


def test_cases_that_the_base_does_not_have_are_not_shared(before, after):
    before.trials.filter(case_position=0).delete()
    assert [comparison_of(runs).shared for runs in ([before, after], [after, before])] == [2, 2]
    assert [comparison_of(runs).shared for runs in ([before, after, after], [after, before, after])] == [2, 3]


def test_a_case_that_was_edited_between_the_versions_is_told(before, author, agents):
    draft = Pack.objects.get(pk=before.version.pack_id)
    case = draft.cases.order_by("position")[1]
    apply(draft, [Change(NodeKind.CASE, case.pk, "/payload", {"note": "other"})], author)
    newer = seen(work_off(launch(author, publish(draft, author, number=2), [agents["reference"]])))
    assert [row.is_edited for row in comparison_of([before, newer]).rows] == [False, True, False]


def test_a_trial_for_which_no_money_was_left_does_not_spoil_its_case(before, after):
    first = after.trials.get(case_position=0)
    left_out = {"status": "cancelled", "stop_reason": TRIAL_COST_LIMIT}
    Trial.objects.create(run=after, run_agent=first.run_agent, case=first.case, case_key=first.case_key, number=2)
    Trial.objects.filter(run=after, number=2).update(**left_out)
    TrialPlan.objects.create(run=after, case=first.case, count=1, rule="pass@k")
    samples = comparison_of([before, after]).rows[0].cells[1].samples
    assert [sample.state for sample in samples] == ["passed", "left_out"]


def test_another_pack_is_told(author, team, agents, before):
    text = pack_text({"default": 1}, slug="letters")
    other = seen(launch(author, publish_text(team, author, text, "letters"), [agents["echo"]]))
    comparison = comparison_of([before, other])
    found = {difference.name: difference.values for difference in comparison.differences}
    assert [name.split("/")[1] for name in found["Pack"]] == ["parcels", "letters"]
    assert found["Kind of agent"] == ("reference", "echo")
    assert "Version" not in found


def test_what_agents_are_configured_with_is_told_where_it_differs(author, team, version):
    def run(name, **config):
        agent = Agent.objects.create(
            team=team, name=name, kind="scripted", config={"default": {"output": "hub"}, **config}
        )
        return seen(launch(author, version, [agent]))

    comparison = comparison_of([run("a", delay_seconds=1), run("b", delay_seconds=2)])
    found = {difference.name: difference.values for difference in comparison.differences}
    assert found == {"Agent": ("a", "b"), "Agent: delay_seconds": ("1", "2")}


def test_the_number_of_queries_depends_on_nothing(before, after, author, version, agents, django_assert_num_queries):
    three = [before, after, seen(launch(author, version, [agents["echo"], agents["reference"]]))]
    for runs in ([before], three):
        with django_assert_num_queries(4):
            comparison = comparison_of(runs)
            assert comparison.totals
            assert comparison.differences is not None


def test_columns_that_nobody_could_read_are_counted(author, team, version, before):
    names = [f"agent {number}" for number in range(MAX_COLUMNS)]
    crowd = [Agent.objects.create(team=team, name=name, kind="echo") for name in names]
    comparison = comparison_of([before, seen(launch(author, version, crowd))])
    assert (len(comparison.columns), comparison.hidden) == (MAX_COLUMNS, 1)


def test_numbers_of_runs_are_read_from_lists_and_boxes():
    assert read_ids(["3,1", " 2 ", "3", ""]) == [3, 1, 2]


@pytest.mark.parametrize(
    ("texts", "code"),
    [(["a"], "invalid_ids"), (["1;2"], "invalid_ids"), (["²"], "invalid_ids"), (["1,2,3,4,5,6,7"], "too_many_runs")],
)
def test_what_names_no_runs_is_refused(texts, code):
    with pytest.raises(Refused) as refused:
        read_ids(texts)
    assert refused.value.code == code


def test_no_runs_line_up_to_nothing():
    comparison = comparison_of([])
    assert (comparison.rows, comparison.totals, comparison.differences) == ([], [], [])


def test_several_trials_of_several_runs_stay_one_case_each(author, version, agents):
    runs = [seen(work_off(launch(author, version, [agents["reference"]], Options(trials=5)))) for _ in range(3)]
    runs[1].trials.filter(case_position=0).update(status="failed", score=0.0)
    comparison = comparison_of(runs)
    assert [(row.key, [len(cell.samples) for cell in row.cells]) for row in comparison.rows] == [
        (key, [5, 5, 5]) for key in ("case-0000", "case-0001", "case-0002")
    ]
    assert [total.cases.planned for total in comparison.totals] == [3, 3, 3]
    pairs = comparison.totals[1].pairs
    assert (pairs.n, pairs.regressed, pairs.says) == (3, 1, "too_few")
    assert comparison.shared == 3


def test_the_cases_that_passed_are_a_chart_of_the_columns(before, after):
    comparison = comparison_of([before, after])
    (chart,) = comparison_charts(comparison)
    assert [row[0][:1] for row in chart.rows] == comparison.letters
    for row, total in zip(chart.rows, comparison.totals, strict=True):
        assert row[1:] == (total.cases.pass_rate, *total.cases.interval, total.cases.passed, total.cases.judged)
    assert comparison_charts(comparison_of([])) == []


def figures(comparison):
    return comparison.rows, comparison.totals, comparison.shared, [total.needed for total in comparison.totals]


def test_what_is_compared_again_after_trials_changed_is_what_a_first_comparison_finds(author, team, agents):
    version = publish_text(team, author, pack_text({"default": 12}))
    runs = [seen(work_off(launch(author, version, [agents["reference"]], Options(trials=2)))) for _ in range(3)]
    chance = Random(7)
    for step in range(12):
        trial = chance.choice(list(runs[step % 3].trials.all()))
        status = chance.choice(["passed", "failed", "error", "queued"])
        score = {"passed": 1.0, "failed": chance.random()}.get(status)
        Trial.objects.filter(pk=trial.pk).update(status=status, score=score, cost_usd=chance.choice([None, 0.1]))
        if step == 7:
            runs[2].trials.filter(case_position=3).delete()
        kept = figures(comparison_of(runs))
        MEMORY.forget()
        assert kept == figures(comparison_of(runs))


def test_a_poll_after_which_one_trial_ended_reads_the_trials_of_its_run_alone(before, after):
    first = comparison_of([before, after])
    with CaptureQueriesContext(connection) as quiet:
        again = comparison_of([before, after])
    assert again.rows[0] is first.rows[0]
    assert not [query for query in quiet if 'FROM "runs_trial"' in query["sql"]]
    after.trials.filter(case_position=1).update(status="passed", score=1.0)
    with CaptureQueriesContext(connection) as live:
        again = comparison_of([before, after])
    [read] = [query["sql"] for query in live if 'FROM "runs_trial"' in query["sql"]]
    assert f'"runs_trial"."run_id" IN ({after.pk})' in read
    assert [row is other for row, other in zip(first.rows, again.rows, strict=True)] == [True, False, True]
    assert again.rows[1].state == "same"
