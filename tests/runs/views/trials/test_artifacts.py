from base64 import b64encode

import pytest
from django.urls import reverse

from runs.models import Event, Trial
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n\0rest"


@pytest.fixture
def trial(team, author, version):
    trial = Trial.objects.filter(run=run_with(team, author, version, {"bot": ["p", "f", "p"]})).first()
    files = {"out/<b>.html": "<script>alert(1)</script>", "plot.png": {"base64": b64encode(PNG).decode()}}
    stated = {"source": "x", "occurred_at": trial.run.created_at}
    Event.objects.create(trial=trial, sequence=900, event_type="workspace.captured", payload={"files": files}, **stated)
    return trial


def page(client, trial):
    return client.get(reverse("runs:artifacts", args=[trial.pk]))


def file(client, trial, **query):
    return client.get(reverse("runs:artifact", args=[trial.pk]), query)


def test_files_are_listed_with_texts_as_texts_and_pictures_as_pictures(as_author, trial):
    text = page(as_author, trial).content.decode()
    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert(1)" not in text
    assert "path=out%2F%3Cb%3E.html" in text
    assert text.count('<img class="artifact__picture"') == 1


def test_a_file_is_downloaded_and_never_run(as_author, trial):
    answer = file(as_author, trial, path="out/<b>.html", picture="")
    assert answer.content == b"<script>alert(1)</script>"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_picture_is_shown_by_what_it_is(as_author, trial):
    shown = file(as_author, trial, path="plot.png", picture="")
    assert (shown["Content-Type"], shown.content) == ("image/png", PNG)
    assert file(as_author, trial, path="plot.png")["Content-Disposition"].startswith("attachment")


def test_what_was_not_left_is_not_found(as_author, as_stranger, trial):
    assert file(as_author, trial, path="../secret").status_code == 404
    assert file(as_stranger, trial, path="plot.png").status_code == 404
    assert "No files" in page(as_author, trial.run.trials.exclude(pk=trial.pk).first()).content.decode()
