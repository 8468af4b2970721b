"""The page that compares runs."""

import pytest
from django.urls import reverse

from runs.launch.launching import Options, launch
from runs.models import Agent, Grade
from runs.views.results.compare import points
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def before(author, version, agents):
    return work_off(launch(author, version, [agents["reference"]]))


@pytest.fixture
def after(author, version, team):
    """The second case is answered otherwise."""
    config = {"default": {"output": "at the hub"}, "answers": {"case-0001": "It is\nlost"}}
    agent = Agent.objects.create(team=team, name="careless", kind="scripted", config=config)
    return work_off(launch(author, version, [agent]))


def show(client, *runs, **query):
    ids = ",".join(str(run.pk) for run in runs)
    return client.get(reverse("runs:compare"), {"ids": ids, **query})


def told(answer):
    return [(shown.row.key[-1], str(shown.row.state)) for shown in answer.context["rows"]]


def test_what_regressed_comes_first(as_author, before, after):
    answer = show(as_author, before, after)
    assert told(answer) == [("1", "regressed"), ("0", "same"), ("2", "same")]
    cards = answer.context["cards"]
    assert [(card.is_base, card.total.shares.pass_rate) for card in cards] == [(True, 1.0), (False, 2 / 3)]
    assert (cards[1].delta, cards[1].pairs.says) == ("−33.3", "too_few")


def test_trials_of_a_case_that_nobody_judged_are_no_failures(as_author, author, version, agents, before):
    run = work_off(launch(author, version, [agents["reference"]], Options(trials=3)))
    run.trials.filter(case_position=0, number=1).update(status="error")
    run.trials.filter(case_position=0, number=2).update(status="failed")
    shown = show(as_author, before, run).context["rows"]
    told = {row.row.key[-1]: [cell.passed for cell in row.cells] for row in shown}
    assert told == {"0": ["", "1 of 2 passed, 1 not judged"], "1": ["", "3 of 3 passed"], "2": ["", "3 of 3 passed"]}


def test_the_base_can_be_another_column(as_author, before, after):
    answer = show(as_author, before, after, base=after.pk)
    assert told(answer)[0] == ("1", "fixed")
    assert f"base={before.pk}" in answer.context["cards"][0].base_url


def test_boxes_that_were_ticked_name_runs_as_commas_do(as_author, before, after):
    answer = as_author.get(reverse("runs:compare"), {"ids": [before.pk, after.pk]})
    assert answer.context["ids"] == f"{before.pk},{after.pk}"


def test_cases_are_narrowed_by_change_and_by_words(as_author, before, after):
    assert told(show(as_author, before, after, show="regressed")) == [("1", "regressed")]
    assert told(show(as_author, before, after, q="0002")) == [("2", "same")]
    assert told(show(as_author, before, after, show="gone")) == []
    facets = show(as_author, before, after, show="regressed", open=5).context["facets"]
    assert [(facet.label, facet.total, facet.chosen) for facet in facets] == [
        ("Regressed", 1, True),
        ("Same", 2, False),
    ]


def test_cases_are_sorted_by_the_address(as_author, before, after):
    assert [key for key, _ in told(show(as_author, before, after, sort="-key"))] == ["2", "1", "0"]


def test_an_opened_case_shows_outputs_lines_and_graders_that_differ(as_author, before, after):
    trial = after.trials.get(case_position=1)
    opened = show(as_author, before, after, open=trial.pk).context["opened"]
    assert [side.trial.run_id for side in opened.sides] == [before.pk, after.pk]
    assert opened.sides[0].against is None
    kinds = [line.kind for line in opened.sides[1].against.lines]
    assert kinds.count("added") == 2
    assert [(row.key, [grade.verdict for grade in row.said]) for row in opened.grades] == [("answer", ["pass", "fail"])]
    assert [shown.text for shown in opened.expected] == ["hub"]


def test_what_all_graders_say_alike_is_counted_only(as_author, before, after):
    trial = after.trials.get(case_position=0)
    opened = show(as_author, before, after, open=trial.pk).context["opened"]
    assert (opened.grades, opened.same) == ([], Grade.objects.filter(trial=trial).count())


def test_a_trial_of_another_run_opens_nothing(as_author, before, after, version, author, agents):
    other = work_off(launch(author, version, [agents["echo"]]))
    for wanted in (other.trials.first().pk, "x", "9" * 30):
        assert show(as_author, before, after, open=wanted).context["opened"] is None


def test_one_run_is_offered_others_of_its_pack(as_author, author, before, after, version, agents):
    other = work_off(
        launch(author, publish_text(before.team, author, pack_text({"default": 1}, slug="x"), "x"), [agents["echo"]])
    )
    again = work_off(launch(author, version, [agents["reference"]]))
    answer = show(as_author, again)
    assert "cards" not in answer.context
    assert [run.pk for run in answer.context["suggestions"]] == [before.pk, after.pk]
    assert other.pk not in {run.pk for run in answer.context["suggestions"]}


def test_agents_of_one_run_are_compared_as_well(as_author, author, version, agents):
    run = work_off(launch(author, version, [agents["reference"], agents["echo"]]))
    answer = show(as_author, run)
    assert len(answer.context["cards"]) == 2
    assert answer.context["suggestions"] == []


def test_without_runs_the_page_says_where_to_choose_them(as_author):
    answer = as_author.get(reverse("runs:compare"))
    assert answer.status_code == 200
    assert reverse("runs:list") in answer.content.decode()


def test_runs_that_do_not_exist_or_are_out_of_sight_are_not_found(as_author, as_stranger, before, after):
    assert show(as_stranger, before, after).status_code == 404
    url = reverse("runs:compare")
    assert [as_author.get(url, {"ids": ids}).status_code for ids in (f"{before.pk},999999", "a,b", "1;2")] == [404] * 3


def test_too_many_runs_are_refused_with_a_page(as_author):
    answer = as_author.get(reverse("runs:compare"), {"ids": "1,2,3,4,5,6,7"})
    assert (answer.status_code, "refused" in answer.context) == (400, True)


def test_a_run_under_way_is_followed_and_never_counts_as_failed(as_author, author, version, agents, before):
    waiting = launch(author, version, [agents["reference"]])
    answer = show(as_author, before, waiting)
    assert {state for _, state in told(answer)} == {"incomparable"}
    assert answer.context["is_live"]
    assert answer.context["cards"][1].total.shares.pass_rate is None
    work_off(waiting)
    assert not show(as_author, before, waiting).context["is_live"]


def test_runs_without_a_case_in_common_say_so(as_author, author, before, agents):
    text = pack_text({"default": 1}, slug="x").replace("case-0000", "elsewhere")
    other = work_off(launch(author, publish_text(before.team, author, text, "x"), [agents["reference"]]))
    answer = show(as_author, before, other)
    assert answer.context["comparison"].shared == 0
    assert [state for _, state in told(answer)] == ["new", "gone", "gone", "gone"]


def test_pages_and_htmx_get_the_same_part(as_author, before, after):
    query = {"ids": f"{before.pk},{after.pk}"}
    part = as_author.get(reverse("runs:compare"), query, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert 'id="compare"' in part


def test_the_number_of_queries_grows_with_nothing(as_author, author, team, agents, django_assert_max_num_queries):
    def pair(cases, slug):
        version = publish_text(team, author, pack_text({"default": cases}, slug=slug), slug)
        return [launch(author, version, [agents["echo"], agents["reference"]]) for _ in range(2)]

    few, many = pair(1, "few"), pair(120, "many")
    with django_assert_max_num_queries(12):
        show(as_author, *few)
    with django_assert_max_num_queries(12):
        answer = show(as_author, *many, open=many[0].trials.first().pk)
    assert len(answer.context["rows"]) == 100
    assert len(show(as_author, *many, page=2).context["rows"]) == 20


@pytest.mark.parametrize(("share", "text"), [(None, "–"), (0.0, "+0.0"), (0.125, "+12.5"), (-0.5, "−50.0")])
def test_differences_of_rates_are_told_in_points(share, text):
    assert points(share) == text
