"""Headers of answers; `tests/test_access.py` asks every route who may keep what it says."""

import re

import pytest
from django.conf import settings
from django.http import HttpResponse

from studio.security import PrivateAnswers
from tests.packs.drafts import draft_of


def policy_of(client, url):
    return client.get(url).headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_each_answer_has_a_nonce_of_its_own(client):
    nonces = {re.search(r"'nonce-([^']+)'", policy_of(client, "/healthz")).group(1) for _ in range(3)}
    assert len(nonces) == 3


@pytest.mark.django_db
def test_pages_run_no_inline_script(client):
    assert "unsafe" not in policy_of(client, "/healthz")


@pytest.mark.django_db
def test_no_other_site_may_frame_a_page(client):
    assert "frame-ancestors 'none'" in policy_of(client, "/curation/")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/sign-in/", "/healthz", "/api/v1/packs/", "/?q=%00"])
def test_answers_of_views_are_kept_by_nobody(client, path):
    assert client.get(path).headers["Cache-Control"] == "private, no-store"


def test_an_answer_with_an_etag_may_be_kept_and_asked_for_again(as_author, team):
    address = f"/api/v1/packs/{draft_of(team).pk}/"
    first = as_author.get(address)
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert first.headers["ETag"]


def test_what_a_view_says_itself_stays(rf):
    said = "private, max-age=60"
    answer = PrivateAnswers(lambda request: HttpResponse(headers={"Cache-Control": said}))(rf.get("/"))
    assert answer.headers["Cache-Control"] == said


def test_static_files_stay_public(client):
    asked = client.get(f"{settings.STATIC_URL}dist/favicon.svg")
    assert b"<svg" in b"".join(asked)
    assert "private" not in asked.headers["Cache-Control"]
