from posixpath import normpath

import pytest

from packs.formats.costs import MANY_CASES
from packs.jobs import execute_job
from packs.models import Job
from tests.packs.api.test_differences import draft  # noqa: F401 - the fixture
from tests.packs.drafts import draft_of, pack_text


@pytest.fixture
def ask(as_author, draft):
    def send(method, path, status=200, **body):
        url = normpath(f"/api/v1/packs/{draft.pk}/{path}") + "/"
        response = getattr(as_author, method)(url, body or None, content_type="application/json")
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    return send


def keys(pack):
    return sorted(pack.cases.values_list("key", flat=True))


def test_a_point_gets_a_name_is_restored_and_loses_the_name(ask, draft):
    assert keys(draft) == ["case-0", "case-2"]
    point = ask("post", "checkpoints/", 201, name="Two cases")
    assert (point["revision"], point["author"]) == (draft.revision, "author-default")
    assert ask("post", "difference/restore/", state="1")["written"]
    assert keys(draft) == ["case-0", "case-1", "case-2"]
    assert ask("post", "difference/restore/", state=f"r{point['revision']}")["written"]
    assert keys(draft) == ["case-0", "case-2"]
    assert ask("get", "checkpoints/") == [point]
    ask("delete", f"../../checkpoints/{point['id']}/", 204)
    assert ask("get", "checkpoints/") == []


def test_what_cannot_be_restored_or_named_is_refused(ask):
    ask("post", "difference/restore/", 404, state="9")
    ask("post", "checkpoints/", 400, name="")
    ask("delete", "../../checkpoints/1/", 404)


def test_a_large_draft_is_restored_by_a_job(as_author, team):
    large = draft_of(team, pack_text(MANY_CASES + 1), slug="large")
    before = large.revision
    case = large.cases.first()
    changes = {"changes": [{"kind": "case", "node": case.pk, "pointer": "/note", "value": "new"}]}
    as_author.post(f"/api/v1/packs/{large.pk}/changes/", changes, "application/json")
    response = as_author.post(
        f"/api/v1/packs/{large.pk}/difference/restore/", {"state": f"r{before}"}, "application/json"
    )
    assert response.status_code == 202
    execute_job(response.json()["id"])
    assert Job.objects.get(pk=response.json()["id"]).outcome == {"written": True}
    case.refresh_from_db()
    assert "note" not in case.document
