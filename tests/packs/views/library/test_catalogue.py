import pytest
from django.urls import reverse

from packs.access import Role
from packs.models import Pack, PackStatus, Team
from packs.publish import archive, publish
from runs.models import Run, RunStatus
from tests.packs.drafts import draft_of, pack_text

URL = "packs:catalogue"


def listed(response):
    return [row.pack.slug for row in response.context["rows"]]


@pytest.fixture
def packs(team, author):
    """Three packs: a published one with a run, a broken draft, an archived one."""
    published = draft_of(team, slug="alpha")
    version = publish(published, author)
    Run.objects.create(
        team=team,
        version=version,
        name="a run",
        status=RunStatus.COMPLETED,
        trial_count=4,
        counts={"passed": 3, "failed": 1, "error": 5},
    )
    broken = draft_of(team, pack_text().replace(b"number: 1", b"number: 0", 1), slug="beta")
    old = draft_of(team, slug="gamma")
    archive(old)
    return published, broken, old


def test_it_lists_packs_with_their_counts_and_last_run(as_author, packs):
    rows = {row.pack.slug: row for row in as_author.get(reverse(URL)).context["rows"]}
    assert rows["alpha"].pack.case_total == 3
    assert rows["alpha"].pack.newest_number == 1
    assert rows["alpha"].last_run["counts"] == {"passed": 3, "failed": 1, "error": 5}
    assert rows["beta"].last_run is None
    assert rows["beta"].pack.problem_errors == 1


def test_archived_packs_are_shown_only_when_asked_for(as_author, packs):
    assert "gamma" not in listed(as_author.get(reverse(URL)))
    assert listed(as_author.get(reverse(URL), {"status": PackStatus.ARCHIVED})) == ["gamma"]


@pytest.mark.parametrize(
    ("text", "found"), [("ALPHA", ["alpha"]), ("parcels alpha", ["alpha"]), ("bet", ["beta"]), ("nothing", [])]
)
def test_search_finds_every_word_in_title_or_slug(as_author, packs, text, found):
    assert listed(as_author.get(reverse(URL), {"q": text})) == found


@pytest.mark.parametrize(("order", "slugs"), [("title", ["alpha", "beta"]), ("-problems", ["beta", "alpha"])])
def test_columns_sort_both_ways(as_author, packs, order, slugs):
    assert listed(as_author.get(reverse(URL), {"sort": order})) == slugs


def test_packs_stand_under_the_title_that_they_show_whatever_its_letters(as_author, team):
    for slug, title in [("one", "Meeting notes"), ("zebra", ""), ("two", "parcels"), ("three", "Unit conversion")]:
        Pack.objects.create(team=team, slug=slug, format="challenge_pack", title=title)
    assert listed(as_author.get(reverse(URL), {"sort": "title"})) == ["one", "two", "three", "zebra"]
    assert [pack.slug for pack in Pack.objects.by_title()] == ["one", "two", "three", "zebra"]


def test_packs_sort_by_the_pass_rate_of_their_newest_run_and_those_without_one_come_last(as_author, packs, author):
    published, broken, _ = packs
    better = draft_of(broken.team, slug="delta")
    version = publish(better, author)
    for counts in ({"failed": 5}, {"passed": 9, "failed": 1}):
        Run.objects.create(team=better.team, version=version, name="run", counts=counts)
    assert listed(as_author.get(reverse(URL), {"sort": "-share"})) == ["delta", "alpha", "beta"]
    assert listed(as_author.get(reverse(URL), {"sort": "share"})) == ["alpha", "delta", "beta"]


def test_an_unknown_order_is_no_error(as_author, packs):
    assert as_author.get(reverse(URL), {"sort": "password", "page": "x"}).status_code == 200


def test_facets_count_what_they_would_show_and_can_be_dropped(as_author, packs):
    statuses = as_author.get(reverse(URL), {"status": "draft", "q": "a"}).context["statuses"]
    totals = {facet.label: facet.total for facet in statuses}
    assert totals == {"Draft": 1, "Active": 1, "Archived": 1}
    chosen = next(facet for facet in statuses if facet.chosen)
    assert "status" not in chosen.url
    assert "q=a" in chosen.url


def test_a_stranger_sees_no_pack_of_another_team(as_stranger, packs):
    assert listed(as_stranger.get(reverse(URL))) == []


def test_nobody_is_sent_to_sign_in(as_nobody):
    response = as_nobody.get(reverse(URL))
    assert response.status_code == 302
    assert reverse("studio:sign-in") in response.url


def test_the_number_of_queries_does_not_grow_with_the_list(
    as_author, team, author, packs, django_assert_max_num_queries
):
    for number in range(6):
        publish(draft_of(team, slug=f"more-{number}"), author)
    with django_assert_max_num_queries(12):
        assert len(listed(as_author.get(reverse(URL)))) == 8


def test_the_list_narrows_to_a_team(as_author, author, team):
    other = Team.objects.create(slug="other", name="Other people")
    other.memberships.create(user=author, role=Role.AUTHOR)
    draft_of(other, slug="theirs")
    assert listed(as_author.get(reverse(URL), {"team": "other"})) == ["theirs"]
