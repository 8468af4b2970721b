import pytest
from django.urls import reverse

from runs.models import SharedPage
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author, version):
    return run_with(team, author, version, {"bot": ["p", "f", "p"]})


def make(client, run, **form):
    return client.post(reverse("runs:share-new"), {"of": f"run:{run.pk}", "days": "7", **form}, follow=True)


def page(client, of):
    return client.get(reverse("runs:shares"), {"of": of})


def test_a_link_is_made_shown_with_its_maker_and_taken_back(as_administrator, administrator, client, run):
    made = make(as_administrator, run).content.decode()
    link = SharedPage.objects.get()
    address = reverse("runs:shared", args=[link.token])
    assert f"http://testserver{address}" in made
    assert f"by {administrator}" in made
    assert 6 <= (link.expires_at - link.created_at).days <= 7
    assert client.get(address).status_code == 200
    said = as_administrator.post(reverse("runs:share-end", args=[link.pk]), follow=True).content.decode()
    assert "Taken back" in said
    assert address not in said
    assert client.get(address).status_code == 404
    link.refresh_from_db()
    assert (link.created_by, link.ended_by) == (administrator, administrator)


@pytest.mark.parametrize(("days", "kept"), [("0", 1), ("9999", 365), ("soon", 30), ("-3", 30)])
def test_a_link_always_ends(as_administrator, run, days, kept):
    make(as_administrator, run, days=days)
    link = SharedPage.objects.get()
    assert round((link.expires_at - link.created_at).total_seconds() / 86_400) == kept


def test_there_are_only_as_many_links_as_one_can_keep_an_eye_on(as_administrator, run, monkeypatch):
    monkeypatch.setattr("runs.views.sharing.shares.MOST_LINKS", 1)
    make(as_administrator, run)
    assert "Revoke one first" in make(as_administrator, run).content.decode()
    assert SharedPage.objects.count() == 1


def test_who_may_only_read_gets_the_file_and_sees_no_link(as_author, as_administrator, run):
    make(as_administrator, run)
    text = page(as_author, f"run:{run.pk}").content.decode()
    assert "Download as HTML" in text
    assert SharedPage.objects.get().token not in text
    assert make(as_author, run).status_code == 403


@pytest.mark.parametrize("kind", ["run", "comparison", "replay"])
def test_each_kind_is_one_file_without_scripts(as_author, run, kind):
    numbers = {"run": run.pk, "comparison": run.pk, "replay": run.trials.first().pk}
    answer = as_author.get(reverse("runs:share-file"), {"of": f"{kind}:{numbers[kind]}"})
    text = answer.content.decode()
    assert answer["Content-Disposition"] == f'attachment; filename="{kind}-{numbers[kind]}.html"'
    assert "<svg" in text
    assert "<script" not in text
    assert "<link" not in text


def test_pages_lead_to_what_can_be_shared(as_author, run):
    trial = run.trials.first()
    pages = {
        f"run:{run.pk}": reverse("runs:show", args=[run.pk]),
        f"replay:{trial.pk}": reverse("runs:replay", args=[trial.pk]),
    }
    for of, address in pages.items():
        assert f"{reverse('runs:shares')}?of={of}" in as_author.get(address).content.decode()
        assert page(as_author, of).status_code == 200
