import pytest

from packs import editing
from packs.editing import Change
from packs.formats.document import NodeKind
from packs.publish import publish
from tests.packs.drafts import draft_of


@pytest.fixture
def draft(team, author):
    found = draft_of(team)
    publish(found, author)
    case = found.cases.get(key="case-0")
    editing.apply(found, [Change(NodeKind.CASE, case.pk, "/inputs/0/value", "Where?")], author)
    editing.remove_node(found, NodeKind.CASE, found.cases.get(key="case-1").pk, author)
    return found


@pytest.fixture
def ask(as_author, draft):
    def get(status=200, **query):
        response = as_author.get(f"/api/v1/packs/{draft.pk}/difference/", query)
        assert response.status_code == status
        return response.json()

    return get


def test_the_draft_is_compared_with_the_last_version_field_by_field(ask):
    found = ask()
    assert (found["older"], found["newer"], found["summary"]) == ("1", "draft", "1 case removed, 1 changed.")
    removed, changed = found["nodes"]
    assert (removed["key"], removed["before"]["case_key"], removed["after"]) == ("case-1", "case-1", None)
    assert changed["fields"] == [
        {
            "pointer": "/inputs/0/value",
            "field": "inputs[prompt].value",
            "change": "changed",
            "before": "Where is parcel case-0?",
            "after": "Where?",
        }
    ]


def test_other_states_are_compared_and_unknown_ones_are_not_found(ask):
    assert ask(**{"from": "draft", "to": "1"})["summary"] == "1 case added, 1 changed."
    assert ask(**{"from": "r2"})["count"] == 1
    ask(404, to="9")
    ask(400, limit="many")


def test_long_differences_come_in_parts(ask):
    first, second = ask(limit=1), ask(limit=1, offset=1)
    assert first["count"] == second["count"] == 2
    assert [node["key"] for node in first["nodes"] + second["nodes"]] == ["case-1", "case-0"]
