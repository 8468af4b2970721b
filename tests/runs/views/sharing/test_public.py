from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from runs.models import Run, SharedPage
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author, version):
    return run_with(team, author, version, {"bot": ["p", "f", "p"]})


@pytest.fixture
def link(team, run):
    return SharedPage.objects.create(team=team, subject=f"run:{run.pk}", expires_at=now() + timedelta(days=1))


def at(link):
    return reverse("runs:shared", args=[link.token])


def test_everybody_with_the_link_sees_the_page_and_nothing_else(client, run, link, author):
    answer = client.get(at(link))
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "case-0001" in text
    assert "href=" not in text
    assert "<form" not in text
    assert author.username not in text
    assert client.get(reverse("runs:show", args=[run.pk])).status_code == 302


def test_the_answer_runs_nothing_and_no_search_engine_or_cache_keeps_it(client, link):
    answer = client.get(at(link))
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert "sandbox" in answer["Content-Security-Policy"]
    assert "no-store" in answer["Cache-Control"]
    assert not answer.cookies


def test_it_ends_when_it_expires_and_when_its_run_is_gone(client, link, run):
    SharedPage.objects.update(expires_at=now() - timedelta(seconds=1))
    assert client.get(at(link)).status_code == 404
    SharedPage.objects.update(expires_at=None)
    assert client.get(at(link)).status_code == 200
    Run.objects.filter(pk=run.pk).delete()
    assert client.get(at(link)).status_code == 404


def test_it_only_shows(client, link):
    assert client.post(at(link)).status_code == 405
    assert client.get(reverse("runs:shared", args=["x" * 32])).status_code == 404
