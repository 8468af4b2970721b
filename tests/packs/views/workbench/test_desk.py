from packs.editing import add_node
from packs.formats.beginning import EXAMPLE
from packs.formats.document import NodeKind
from packs.importing import create_pack
from tests.packs.drafts import draft_of
from tests.packs.views.workbench.pages import Page


def test_pickers_offer_the_keys_that_the_pack_declares(node_page, draft, author, case):
    add_node(draft, NodeKind.ASSET, author, document={"key": "prices", "path": "prices.csv"})
    declared = node_page(f"cases/{case.pk}").response.context["desk"].declared
    assert declared.names["challenges"] == ("locate",)
    assert declared.names["assets"] == ("prices",)
    assert (declared.names["inputs"], declared.names["expectations"]) == (("prompt",), ("answer",))
    assert declared.names["validators"] == ("says-hub",)


def test_evidence_of_the_pack_is_named_after_what_cases_hold(node_page):
    desk = node_page("pack", section="version.evaluation_spec.validators").response.context["desk"]
    evidence = {"x-picks": ["case.expectations.{expectations}"]}
    assert "case.expectations.answer" in [option.value for option in desk.declared.options(evidence)]


def test_a_case_leads_to_its_checks_where_they_stand_in_the_settings(node_page, case, as_author, team, author):
    assert (
        "section=version.evaluation_spec.validators"
        in node_page(f"cases/{case.pk}").response.context["desk"].checks_url
    )
    test = create_pack(team, author, "agentv", "Evals", first=EXAMPLE).cases.get()
    page = Page(as_author, test.pack, f"cases/{test.pk}")
    assert page.response.context["desk"].checks_url == ""


def test_an_unknown_section_is_the_first_one(node_page):
    assert node_page("pack", section="nothing").response.context["desk"].section.key == "pack"


def test_a_node_without_a_key_still_has_a_name(node_page, case):
    case.document = {}
    case.key = ""
    case.save()
    assert node_page(f"cases/{case.pk}").response.context["desk"].name


def test_the_page_of_a_team_mate_in_another_team_is_not_found(as_stranger, draft, case):
    assert as_stranger.get(f"/packs/other/parcels/edit/cases/{case.pk}/").status_code == 404


def test_a_node_of_another_pack_is_not_found_here(node_page, draft, case, team):
    other = draft_of(team, slug="other-pack").cases.first()
    assert node_page(f"cases/{other.pk}").response.status_code == 404
