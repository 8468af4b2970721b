import pytest
from django.urls import reverse

from packs import editing
from packs.editing import ABSENT, Change
from packs.formats.document import NodeKind
from packs.publish import publish
from packs.views.changes.page import FILE_LINES, PAGE_NODES
from tests.packs.drafts import draft_of, pack_text

URL = reverse("packs:changes", args=["default", "parcels"])


@pytest.fixture
def draft(team, author):
    """A draft that was published and edited since: a case changed, one gone, one new."""
    found = draft_of(team, pack_text(cases=3))
    publish(found, author)
    case = found.cases.get(key="case-0")
    change = Change(NodeKind.CASE, case.pk, "/inputs/0/value", "Where is the parcel case-0 now?")
    editing.apply(found, [change], author)
    editing.remove_node(found, NodeKind.CASE, found.cases.get(key="case-1").pk, author)
    document = {**case.document, "case_key": "new", "inputs": [], "expectations": []}
    editing.add_node(found, NodeKind.CASE, author, document=document, input_set=found.input_sets.get().pk)
    return found


def text_of(response):
    return " ".join(response.text.split())


def test_the_page_says_in_words_and_by_node_what_changed(as_author, draft):
    response = as_author.get(URL)
    assert (str(response.context["old"]), str(response.context["new"])) == ("Version 1", "Draft")
    assert response.context["summary"] == "1 case added, 1 removed, 1 changed."
    text = text_of(response)
    assert 'Where is <ins><span class="visually-hidden">added: </span>the </ins>parcel case-0' in text
    assert {node.title: node.chips for node in response.context["nodes"]} == {
        "case-0": ["edited"],
        "case-1": ["removed"],
        "new": ["added"],
    }


def test_changes_are_narrowed_by_what_happened_and_to_what(as_author, draft):
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", "Other")], None)
    assert [node.title for node in as_author.get(URL, {"act": "removed"}).context["nodes"]] == ["case-1"]
    assert len(as_author.get(URL, {"kind": "case"}).context["nodes"]) == 3
    page = as_author.get(URL, {"kind": "case", "act": "moved"})
    assert "No change matches" in page.text
    assert [facet.label for facet in page.context["kinds"]] == ["Settings", "Cases"]


def test_one_node_is_shown_whole(as_author, draft, author):
    case = draft.cases.get(key="case-0")
    changes = [Change(NodeKind.CASE, case.pk, f"/x-{number}", number) for number in range(30)]
    editing.apply(draft, changes, author)
    (first, *_) = as_author.get(URL, {"act": "changed"}).context["nodes"]
    assert (len(first.fields), first.more) == (12, True)
    (alone,) = as_author.get(URL, {"node": first.at}).context["nodes"]
    assert (len(alone.fields), alone.more) == (31, False)


def test_many_changes_stand_on_pages(as_author, team, author):
    draft = draft_of(team, pack_text(cases=60))
    publish(draft, author)
    editing.remove_node(draft, NodeKind.INPUT_SET, draft.input_sets.get().pk, author)
    page = as_author.get(URL)
    assert len(page.context["nodes"]) == PAGE_NODES
    assert page.context["summary"] == "1 input set removed; 60 cases removed."


def test_two_versions_are_compared_and_a_version_with_the_one_before(as_author, draft, author):
    editing.apply(draft, [Change(NodeKind.CASE, draft.cases.get(key="new").pk, "/inputs", ABSENT)], author)
    publish(draft, author, number=2)
    response = as_author.get(URL, {"to": 2})
    assert (response.context["old"].name, response.context["new"].name) == ("1", "2")
    assert not response.context["may_restore"]
    assert as_author.get(URL, {"from": 2, "to": 1}).status_code == 200


def test_a_point_of_the_history_is_an_end_too(as_author, draft):
    response = as_author.get(URL, {"from": "r2"})
    assert "Revision 2" in response.text
    for wrong in ("r0", "r999", "7", "x", "99999999999"):
        assert as_author.get(URL, {"from": wrong}).status_code == 404


def test_before_the_first_version_the_draft_is_compared_with_its_beginning(as_author, team, author):
    draft = draft_of(team, pack_text(cases=1))
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", "Other")], author)
    response = as_author.get(URL)
    assert response.context["old"].name == "r1"
    assert response.context["summary"] == "Settings of the pack changed."


def test_the_files_are_compared_line_by_line(as_author, draft):
    response = as_author.get(URL, {"files": ""})
    (shown,) = response.context["files"]
    assert shown["file"].path == "pack.yaml"
    assert ("+", "+            value: Where is the parcel case-0 now?\n") in shown["lines"]
    assert "<del>-            value: Where is parcel case-0?\n</del>" in response.text
    assert as_author.get(URL, {"from": "draft", "files": ""}).context["files"] == []


def test_long_differences_of_a_file_are_shown_whole_on_demand(as_author, team, author):
    draft = draft_of(team, pack_text(cases=60))
    publish(draft, author)
    editing.remove_node(draft, NodeKind.INPUT_SET, draft.input_sets.get().pk, author)
    (shown,) = as_author.get(URL, {"files": ""}).context["files"]
    assert (sum(mark != "@" for mark, _ in shown["lines"]), shown["is_whole"]) == (FILE_LINES, False)
    (shown,) = as_author.get(URL, {"files": "pack.yaml"}).context["files"]
    assert shown["is_whole"]


def test_hostile_content_is_text_on_the_page(as_author, draft, author):
    case = draft.cases.get(key="case-0")
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/inputs/0/value", "<script>alert(1)</script>")], author)
    for query in ({}, {"files": ""}):
        assert "<script>alert" not in as_author.get(URL, query).text


def test_a_stranger_finds_nothing(as_stranger, draft):
    assert as_stranger.get(URL).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_changes(as_author, team, author, django_assert_max_num_queries):
    draft = draft_of(team, pack_text(cases=40))
    publish(draft, author)
    changes = [Change(NodeKind.CASE, pk, "/x", 1) for pk in draft.cases.values_list("pk", flat=True)]
    editing.apply(draft, changes, author)
    with django_assert_max_num_queries(29):
        assert len(as_author.get(URL).context["nodes"]) == PAGE_NODES
