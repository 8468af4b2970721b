import pytest

from packs import editing
from packs.formats.document import NodeKind


def ids(draft, *keys):
    return [draft.cases.get(key=key).pk for key in keys]


def keys(draft):
    return list(draft.cases.order_by("input_set__position", "position").values_list("key", flat=True))


@pytest.fixture
def send(as_author, rows_url):
    """Post a bulk act: `send("edit", case=[...], go="1")`."""
    return lambda act, **data: as_author.post(f"{rows_url}bulk/", {"act": act, "scope": "chosen", **data})


def test_the_address_of_a_preview_leads_back_to_the_cases(as_author, as_stranger, rows_url):
    assert as_author.get(f"{rows_url}bulk/").url == rows_url
    assert as_stranger.get(f"{rows_url}bulk/").status_code == 404


def test_ticked_cases_are_looked_at_and_then_changed(send, draft):
    wish = {"case": ids(draft, "row-1", "row-2"), "pointer": "/metadata/level", "what": "set", "text": "hard"}
    plan = send("edit", **wish).context["plan"]
    assert (len(plan.changes), plan.unchanged, plan.refused) == (1, 1, 0)
    assert draft.edits.count() == 0
    assert send("edit", **wish, go="1").status_code == 302
    assert draft.cases.get(key="row-2").document["metadata"]["level"] == "hard"
    assert draft.cases.get(key="row-0").document["metadata"]["level"] == "easy"


def test_all_that_match_are_changed_in_one_step_that_undo_takes_back(send, draft, author):
    wish = {"scope": "all", "asked": "q=metadata.level%3Ahard", "pointer": "/metadata/level", "what": "clear"}
    assert send("edit", **wish, go="1").status_code == 302
    assert ["level" in case.document["metadata"] for case in draft.cases.order_by("position")] == [True, False] * 3
    draft.refresh_from_db()
    editing.undo(draft, author)
    assert all("level" in case.document["metadata"] for case in draft.cases.all())


def test_a_preview_says_which_cases_would_break(send, draft):
    plan = send("edit", scope="all", pointer="/input/question", what="clear").context["plan"]
    assert len(plan.broken) == plan.checked == 6


def test_a_form_without_a_field_shows_the_form(send, draft):
    response = send("edit", case=ids(draft, "row-1"))
    assert response.status_code == 200
    assert response.context["plan"] is None
    assert send("edit", case=ids(draft, "row-1"), pointer="/nothing", what="set").context["plan"] is None


def test_cases_are_duplicated_removed_and_moved(send, draft, author):
    send("duplicate", case=ids(draft, "row-1"))
    assert keys(draft)[-1] == "row-1-copy"
    send("remove", case=ids(draft, "row-1-copy", "row-0"))
    assert keys(draft) == [f"row-{number}" for number in range(1, 6)]
    other = editing.add_node(draft, NodeKind.INPUT_SET, author, document={"file": "more.jsonl"}).node
    assert send("move", case=ids(draft, "row-2")).status_code == 200
    send("move", case=ids(draft, "row-2", "row-4"), target=other, where="last", go="1")
    assert keys(draft) == ["row-1", "row-3", "row-5", "row-2", "row-4"]


def test_many_cases_are_not_removed_without_a_second_look(send, draft, monkeypatch):
    monkeypatch.setattr("packs.views.workbench.grid.bulk.FEW", 3)
    assert send("remove", scope="all").status_code == 200
    assert draft.cases.count() == 6
    assert send("remove", scope="all", go="1").status_code == 302
    assert draft.cases.count() == 0


def test_nothing_happens_without_cases_or_with_those_of_others(send, draft):
    assert send("remove").status_code == 302
    assert send("remove", case=["x", 10**12], go="1").status_code == 302
    assert send("explode", scope="all").status_code == 404
    assert draft.cases.count() == 6
