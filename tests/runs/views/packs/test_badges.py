import pytest
from django.urls import reverse

from runs.models import Badge
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def pack(team, author, version):
    run_with(team, author, version, {"bot": ["p", "f", "p"]})
    return version.pack


def make(client, pack, **form):
    url = reverse("runs:badge-new", args=[pack.team.slug, pack.slug])
    return client.post(url, {"agent": "bot", "set": "default", **form}, follow=True)


def pictures(badge):
    return [reverse(name, args=[badge.token]) for name in ("runs:badge", "runs:badge-trend")]


def test_a_badge_is_seen_by_everybody_with_its_link_until_it_is_taken_back(client, as_administrator, pack):
    made = make(as_administrator, pack)
    badge = Badge.objects.get()
    assert all(f"http://testserver{url}" in made.content.decode() for url in pictures(badge))
    for url in pictures(badge):
        shown = client.get(url)
        assert shown["Content-Type"] == "image/svg+xml"
        assert "67 % passed" in shown.content.decode()
        assert "no-store" in shown["Cache-Control"]
    as_administrator.post(reverse("runs:badge-delete", args=[pack.team.slug, pack.slug, badge.pk]))
    assert [client.get(url).status_code for url in pictures(badge)] == [404, 404]


def test_making_it_twice_gives_the_same_link(as_administrator, pack):
    make(as_administrator, pack)
    make(as_administrator, pack)
    assert Badge.objects.count() == 1


def test_an_agent_that_never_ran_gets_none(as_administrator, pack):
    assert "Choose an agent" in make(as_administrator, pack, agent="nobody").content.decode()
    assert "Choose an agent" in make(as_administrator, pack, set="gone").content.decode()
    assert not Badge.objects.exists()


def test_a_badge_is_taken_back_on_the_page_of_its_own_pack_alone(as_administrator, pack, team):
    badge = Badge.objects.create(pack=pack, agent="bot", input_set="default")
    other = pack._meta.model.objects.create(team=team, slug="other", format=pack.format)
    assert as_administrator.post(reverse("runs:badge-delete", args=[team.slug, "other", badge.pk])).status_code == 404
    assert other.badges.count() == 0
    assert Badge.objects.filter(pk=badge.pk).exists()
