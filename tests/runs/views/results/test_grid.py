import pytest
from django.urls import reverse

from runs.models import Trial
from runs.views.results.grid import LETTERS, PAGE_CASES, grid, shades_of
from tests.runs.noise import noisy_run
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author):
    return noisy_run(team, author, publish_text(team, author, pack_text({"default": 12})), agents=2)


def shown(run, **query):
    return grid(run, list(run.agents.values_list("pk", flat=True)), query)[1]


def rate(row):
    return row.shares.pass_rate


def test_cases_stand_in_the_order_of_the_pack_or_by_what_passed(run):
    assert [row.position for row in shown(run)] == list(range(12))
    rates = [rate(row) for row in shown(run, sort="passed")]
    assert rates == sorted(rates)
    assert [rate(row) for row in shown(run, sort="-passed")] == sorted(rates, reverse=True)
    assert rates[0] < rates[-1]


@pytest.mark.parametrize("sort", ["passed", "-passed"])
def test_cases_without_a_verdict_come_last(run, sort):
    Trial.objects.filter(run=run, case_position=4).update(status="error")
    assert [row.position for row in shown(run, sort=sort)][-1] == 4


def test_sorting_keeps_the_filter(run):
    rows = shown(run, sort="passed", q="case-0003")
    assert [row.key for row in rows] == ["case-0003"]


def test_pages_of_cases_do_not_overlap(team, author):
    version = publish_text(team, author, pack_text({"default": PAGE_CASES + 3}))
    run = noisy_run(team, author, version, agents=1, trials=1)
    found = [row.position for page in "12" for row in shown(run, sort="passed", page=page)]
    assert sorted(found) == list(range(PAGE_CASES + 3))


def test_the_page_sorts_by_its_column(as_author, run):
    answer = as_author.get(reverse("runs:show", args=[run.pk]), {"sort": "-passed"})
    assert 'aria-sort="descending"' in answer.content.decode()
    assert [row.position for row in answer.context["rows"]] == [row.position for row in shown(run, sort="-passed")]


@pytest.mark.parametrize("sort", ["", "passed", "-passed"])
def test_the_map_shows_every_cell_of_the_grid_in_its_order(run, sort):
    Trial.objects.filter(run=run, case_position=4).update(status="error")
    first = run.agents.first()
    Trial.objects.filter(run=run, case_position=5, run_agent=first).delete()
    agents = list(run.agents.values_list("pk", flat=True))
    lines = shades_of(run, agents, {"sort": sort})
    for place, row in enumerate(shown(run, sort=sort)):
        for line, each in zip(lines, row.cells, strict=True):
            shade = each.look.shade
            expected = " " if not each.statuses else "-" if shade is None else LETTERS[shade]
            assert line[place] == expected
    assert {len(line) for line in lines} == {12}


def test_the_map_is_that_of_the_filtered_cases(as_author, as_stranger, run):
    address = reverse("runs:map", args=[run.pk])
    answer = as_author.get(address, {"q": "case-0003"}).json()
    assert (sorted(answer["agents"]), [len(line) for line in answer["shades"]]) == (["agent 0", "agent 1"], [1, 1])
    assert as_stranger.get(address).status_code == 404


def test_lines_stand_group_after_group_with_the_sums_of_the_group(run):
    rows = shown(run, group="grader", sort="passed")
    heads = [row.head for row in rows if row.head]
    assert sum(head.cases for head in heads) == len(rows) >= 12
    assert rows[0].head == heads[0]
    rates = [rate(row) for row in rows[: heads[0].cases] if rate(row) is not None]
    assert rates == sorted(rates)


def test_the_map_has_the_order_of_the_groups(run):
    agents = list(run.agents.values_list("pk", flat=True))
    query = {"group": "grader", "sort": "passed"}
    lines = shades_of(run, agents, query)
    assert {len(line) for line in lines} == {len(shown(run, **query))}
    first = shown(run, **query)[0].cells[0].look.shade
    assert lines[0][0] == ("-" if first is None else LETTERS[first])


def test_a_group_that_there_is_not_groups_nothing(run):
    assert [row.position for row in shown(run, group="colour")] == list(range(12))
