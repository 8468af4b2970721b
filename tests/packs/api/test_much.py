"""What is too much for a request is refused before it is read, and nothing is written."""

import json

import pytest
from django.urls import reverse

from packs import editing
from packs.api.nodes import MAX_CHANGES
from packs.formats.costs import MAX_VALUES
from packs.views.workbench.addresses import PACK
from tests.packs.drafts import draft_of, pack_text


@pytest.fixture
def draft(team):
    return draft_of(team, pack_text(3))


MUCH = {"x-more": list(range(MAX_VALUES))}
LESS = {f"x-{at}": at for at in range(MAX_VALUES // 3)}


def sent(client, draft, document):
    body = json.dumps({"document": {**draft.document, **document}})
    return client.put(f"/api/v1/packs/{draft.pk}/", body, "application/json", headers={"If-Match": "*"})


def test_a_document_of_too_many_values_is_refused_and_the_draft_stays(as_author, draft):
    answer = sent(as_author, draft, MUCH)
    assert (answer.status_code, [item["code"] for item in answer.json()["findings"]]) == (413, ["api.too_large"])
    before = draft.revision
    draft.refresh_from_db()
    assert draft.revision == before


def test_a_document_of_many_new_keys_is_one_edit_that_undo_takes_back(as_author, author, draft):
    before = draft.document
    assert sent(as_author, draft, LESS).status_code == 200
    draft.refresh_from_db()
    assert draft.document == {**before, **LESS}
    assert draft.edits.count() == 1
    editing.undo(draft, author)
    draft.refresh_from_db()
    assert draft.document == before


@pytest.mark.parametrize(("count", "status"), [(MAX_CHANGES, 200), (MAX_CHANGES + 1, 400)])
def test_so_many_changes_can_be_made_at_once(as_author, draft, count, status):
    changes = [{"kind": "pack", "node": draft.pk, "pointer": f"/x-{at}", "value": at} for at in range(count)]
    body = json.dumps({"changes": changes})
    assert as_author.post(f"/api/v1/packs/{draft.pk}/changes/", body, "application/json").status_code == status


@pytest.mark.parametrize("name", ["edit-yaml", "edit-whole"])
def test_a_yaml_text_of_too_many_values_stays_on_screen_and_is_not_stored(as_author, draft, name):
    where = [draft.team.slug, draft.slug, *([PACK] if name == "edit-yaml" else [])]
    text = "x-more:\n" + "- 1\n" * MAX_VALUES
    answer = as_author.post(reverse(f"packs:{name}", args=where), {"text": text, "seen": draft.revision})
    assert answer.status_code == 422
    assert answer.context["text"] == text
    assert "form.E004" in str(answer.context["findings"])
    before = draft.document
    draft.refresh_from_db()
    assert draft.document == before


@pytest.mark.parametrize("name", ["edit-lint", "edit-whole-lint"])
def test_a_text_of_too_many_values_is_not_checked_while_it_is_typed(as_author, draft, name):
    where = [draft.team.slug, draft.slug, *([PACK] if name == "edit-lint" else [])]
    answer = as_author.post(reverse(f"packs:{name}", args=where), {"text": "k: [" + "{a: 1}," * MAX_VALUES + "]"})
    assert [item["code"] for item in answer.json()["findings"]] == ["form.E004"]
