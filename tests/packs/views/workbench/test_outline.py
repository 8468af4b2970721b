import pytest

from packs.editing import Change, apply, remove_node
from packs.formats.document import NodeKind
from packs.importing import create_pack
from packs.models import Case
from tests.packs.drafts import draft_of, pack_text


@pytest.fixture
def large(team):
    return draft_of(team, pack_text(130), slug="large")


def labels(response):
    return [entry.label for entry in response.context["page"].entries]


def test_the_page_of_cases_around_the_open_case_is_shown(as_author, large):
    case = Case.objects.filter(pack=large).order_by("position")[77]
    outline = as_author.get(f"/packs/default/large/edit/cases/{case.pk}/").context["outline"]
    page = outline["sets"][0].cases
    assert (page.start, page.end, page.total) == (51, 100, 130)
    assert [entry.label for entry in page.entries if entry.is_current] == ["case-77"]


def test_cases_are_paged_and_filtered_by_key_and_by_problems(as_author, author, large):
    url = f"/packs/default/large/edit/sets/{large.input_sets.get().pk}/cases/"
    assert labels(as_author.get(url, {"start": 100}))[0] == "case-100"
    assert labels(as_author.get(url, {"q": "case-12"})) == [
        "case-12",
        *(f"case-{number}" for number in range(120, 130)),
    ]
    broken = Case.objects.filter(pack=large).order_by("position")[5]
    apply(large, [Change(broken.kind, broken.pk, "/challenge_key", "gone")], author)
    assert labels(as_author.get(url, {"problems": "1"})) == ["case-5"]
    assert as_author.get(url, {"start": "x"}).status_code == 200


@pytest.mark.parametrize(
    ("filters", "shown"), [({}, (101, 130, 130)), ({"q": "case-12"}, (1, 11, 11)), ({"q": "no"}, (1, 0, 0))]
)
def test_a_page_behind_the_last_case_is_the_last_page(as_author, large, filters, shown):
    url = f"/packs/default/large/edit/sets/{large.input_sets.get().pk}/cases/"
    page = as_author.get(url, {"start": 130, **filters}).context["page"]
    assert (page.start, page.end, page.total) == shown


def test_behind_a_last_page_that_is_full_is_that_page(as_author, team):
    full = draft_of(team, pack_text(100), slug="full")
    url = f"/packs/default/full/edit/sets/{full.input_sets.get().pk}/cases/"
    page = as_author.get(url, {"start": 100}).context["page"]
    assert (page.start, page.end, page.total) == (51, 100, 100)


def test_a_section_with_problems_has_a_dot_and_notes_give_none(as_author, draft, author):
    apply(draft, [Change(draft.kind, draft.pk, "/version/evaluation_spec/judge_mode", "none")], author)
    outline = as_author.get("/packs/default/parcels/edit/pack/").context["outline"]
    dots = {entry.label: entry.errors for entry in outline["settings"].entries if entry.errors or entry.warnings}
    assert dots.get("Evaluation spec")


def test_many_sections_are_folded_away_while_a_node_is_edited_and_their_problems_still_show(as_author, draft, author):
    apply(draft, [Change(draft.kind, draft.pk, "/version/evaluation_spec/judge_mode", "none")], author)
    case = draft.cases.first()
    at_case, at_pack = (
        as_author.get(f"/packs/default/parcels/edit/{path}/").context["outline"]["settings"]
        for path in (f"cases/{case.pk}", "pack")
    )
    assert (at_case.is_open, at_pack.is_open) == (False, True)
    assert at_case.errors > 0


def test_lines_lead_to_their_renaming_for_those_who_may_edit(as_author, as_viewer, draft):
    case = draft.cases.get(key="case-1")
    asked = f"edit/rename/?what=case&amp;old=case-1&amp;node={case.pk}"
    input_set = f"sets/{case.input_set_id}"
    for path in (f"{input_set}/rows/", f"{input_set}/cases/?start=0", f"cases/{case.pk}/"):
        assert asked in as_author.get(f"/packs/default/parcels/edit/{path}").content.decode(), path
        assert asked not in as_viewer.get(f"/packs/default/parcels/edit/{path}").content.decode(), path


def test_suites_are_offered_until_the_pack_has_all_of_them(as_author, administrator, team):
    pack = create_pack(team, administrator, "task_suite", "Desk")
    address = f"/packs/{team.slug}/{pack.slug}/edit/pack/"
    full = as_author.get(address).text
    assert ("Add a challenge" in full, "Add an input set" in full) == (False, True)
    remove_node(pack, NodeKind.CHALLENGE, pack.challenges.last().pk, administrator)
    assert "Add a challenge" in as_author.get(address).text


def test_a_filter_is_shown_where_not_all_cases_are_in_sight(as_author, team, draft):
    address = f"/packs/{team.slug}/{draft.slug}/edit/sets/{draft.input_sets.get().pk}/cases/"
    assert "Filter cases" not in as_author.get(address).text
    assert "Filter cases" in as_author.get(address, {"q": "case"}).text
