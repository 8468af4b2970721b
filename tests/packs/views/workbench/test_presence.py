import re

import pytest

from packs.access import Role
from packs.models import Pack
from tests.people import client_of, make_member

VISIT, OTHER = "aaaaaaaaaa", "bbbbbbbbbb"


@pytest.fixture(autouse=True)
def place(settings, tmp_path):
    settings.VAR_DIR, settings.REDIS_URL = tmp_path, ""


@pytest.fixture
def at(draft):
    """Ask as a page of a node would: `at(client, "cases/1", visit)`."""
    base = f"/packs/{draft.team.slug}/{draft.slug}/edit"
    return lambda client, page, visit=VISIT, **more: client.get(f"{base}/{page}/presence/", {"visit": visit, **more})


def names(response):
    return re.findall(r'data-name="([^"]+)"', response.content.decode())


def test_it_says_who_else_is_where_in_words_with_the_way_there(at, as_author, author, team, case):
    curator = make_member(team, Role.CURATOR)
    assert names(at(as_author, f"cases/{case.pk}", at="/inputs/0/value")) == []
    heard = at(client_of(curator), "pack", OTHER, section="pack").content.decode()
    assert f"{author.username}: case-0 › Inputs › 1 › Value" in heard
    assert f"/edit/cases/{case.pk}/?at=/inputs/0/value" in heard
    assert "data-place" not in heard
    heard = at(client_of(curator), f"cases/{case.pk}", OTHER).content.decode()
    assert 'data-place="/inputs/0/value"' in heard


def test_a_page_of_many_cases_says_which_one_is_in_use(at, as_author, as_viewer, case):
    rows = f"sets/{case.input_set_id}"
    at(as_author, rows, node=f"cases/{case.pk}", at="/inputs/0/value")
    heard = at(as_viewer, rows, OTHER).content.decode()
    assert "case-0 › Inputs › 1 › Value" in heard
    assert f'data-node="cases/{case.pk}"' in heard
    assert 'data-spot="/inputs/0/value"' in heard
    case.delete()
    at(as_author, rows, node=f"cases/{case.pk}")
    assert f'data-node="{rows}"' in at(as_viewer, rows, OTHER).content.decode()


def test_who_edits_the_whole_pack_is_said_to_be_at_its_text(at, as_author, as_viewer):
    at(as_author, "pack", words="challenges › <locate>")
    heard = at(as_viewer, "pack", OTHER).content.decode()
    assert "YAML › challenges › &lt;locate&gt;" in heard
    assert "/edit/yaml/" in heard


def test_another_window_of_ones_own_is_said_to_be_that(at, as_author, case):
    at(as_author, f"cases/{case.pk}", OTHER)
    assert names(at(as_author, "pack")) == ["You, in another window"]


def test_who_leaves_is_not_shown_any_more(at, as_author, as_viewer, case):
    at(as_viewer, f"cases/{case.pk}", OTHER)
    assert len(names(at(as_author, "pack"))) == 1
    assert at(as_viewer, f"cases/{case.pk}", OTHER, leaves="1").status_code == 204
    assert names(at(as_author, "pack")) == []


def test_nobody_leaves_for_another(at, as_author, as_viewer, case):
    at(as_viewer, f"cases/{case.pk}", OTHER)
    at(as_author, f"cases/{case.pk}", OTHER, leaves="1")
    assert len(names(at(as_author, "pack"))) == 1


@pytest.mark.parametrize("visit", ["", "../../x", "A" * 10, "a" * 41])
def test_a_name_that_no_page_gives_itself_is_not_noted(at, as_author, as_viewer, visit):
    assert at(as_author, "pack", visit).status_code == 204
    assert names(at(as_viewer, "pack", OTHER)) == []


def test_who_has_a_node_open_that_is_gone_hears_so_and_a_stranger_nothing(at, as_stranger, as_author, case):
    assert at(as_stranger, "pack").status_code == 404
    gone = f"cases/{case.pk}"
    case.delete()
    assert "data-gone" in at(as_author, gone).content.decode()
    assert at(as_stranger, gone).status_code == 404


def test_the_answer_has_the_revision_as_it_is_now(at, as_author, someone_else, case, draft):
    someone_else(case, "/inputs/0/value", "Theirs")
    revision = Pack.objects.get(pk=draft.pk).revision
    assert f'data-revision="{revision}"' in at(as_author, "pack").content.decode()


def held(client, case, since, pointer):
    """Where a page that showed a revision finds a field of a case now, and whether it still says the same."""
    shown = client.get(
        f"/packs/{case.pack.team.slug}/{case.pack.slug}/edit/cases/{case.pk}/", {"since": since, "held": pointer}
    )
    return shown.context.get("held"), shown.context.get("held_is_same")


def test_a_page_that_follows_finds_its_field_where_it_is_now(as_author, draft, case, someone_else):
    since = draft.revision
    fresh = {"key": "before", "kind": "text", "value": "Before"}
    assert held(as_author, case, since, "/inputs/0/value") == ("/inputs/0/value", True)
    inputs = case.document["inputs"]
    someone_else(case, "/inputs", [fresh, *inputs])
    assert held(as_author, case, since, "/inputs/0/value") == ("/inputs/1/value", True)
    assert held(as_author, case, since, "/inputs/0/unset") == ("/inputs/1/unset", True)
    someone_else(case, "/inputs/1/value", "Theirs")
    assert held(as_author, case, since, "/inputs/0/value") == ("/inputs/1/value", False)
    someone_else(case, "/inputs", [fresh])
    assert held(as_author, case, since, "/inputs/0/value") == ("", False)
    assert held(as_author, case, "x", "/inputs/0/value") == (None, None)
