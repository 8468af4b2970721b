import re

import pytest

from packs import editing
from packs.formats import FORMATS
from packs.formats.beginning import EXAMPLE
from packs.importing import create_pack
from packs.models import Case, Edit
from tests.packs.drafts import draft_of, pack_text


def test_every_kind_of_node_has_a_page(node_page, draft, case):
    challenge, input_set = draft.challenges.get(), draft.input_sets.get()
    for path in ("pack", f"challenges/{challenge.pk}", f"sets/{input_set.pk}", f"cases/{case.pk}"):
        assert node_page(path).response.status_code == 200, path


def test_an_untouched_form_changes_nothing(node_page, draft, case):
    node_page(f"cases/{case.pk}").send()
    draft.refresh_from_db()
    assert not Edit.objects.exists()


def test_a_saved_field_is_in_the_draft_and_on_the_page(node_page, case):
    shown = node_page(f"cases/{case.pk}").fill(**{"/inputs/0/value": "Where is it?"}).send()
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "Where is it?"
    assert shown.controls["t:/inputs/0/value"] == "Where is it?"


def test_a_form_without_script_adds_removes_and_moves_items(node_page, case):
    shown = node_page(f"cases/{case.pk}").send(do="duplicate:/inputs/0")
    shown.fill(**{"/inputs/1/key": "second"}).send(do="up:/inputs/1")
    case.refresh_from_db()
    assert [item["key"] for item in case.document["inputs"]] == ["second", "prompt"]
    shown.send(do="remove:/inputs/0")
    case.refresh_from_db()
    assert [item["key"] for item in case.document["inputs"]] == ["prompt"]


def test_the_lists_of_a_form_have_keys_that_add_to_them(as_author, draft, case):
    page = as_author.get(f"/packs/{draft.team.slug}/{draft.slug}/edit/cases/{case.pk}/").text
    assert 'data-key="a i"' in page


def test_a_payload_grows_by_named_entries(node_page, case):
    shown = node_page(f"cases/{case.pk}").send(do="add:/payload", **{"new:/payload": "parcel.id"})
    shown.controls["k:/payload/parcel.id"] = "number"
    shown.send()
    case.refresh_from_db()
    assert case.document["payload"] == {"parcel.id": 0}


def test_an_unknown_key_can_be_renamed_and_keeps_its_value(node_page, case):
    Case.objects.filter(pk=case.pk).update(document={**case.document, "inpust": [1, "1", True]})
    shown = node_page(f"cases/{case.pk}")
    shown.controls["r:/inpust"] = "notes"
    shown.send()
    case.refresh_from_db()
    assert case.document["notes"] == [1, "1", True]
    assert "inpust" not in case.document


def test_a_broken_draft_is_saved_and_says_so_at_the_field(node_page, case):
    shown = node_page(f"cases/{case.pk}").fill(**{"/challenge_key": "nowhere"}).send()
    case.refresh_from_db()
    assert case.document["challenge_key"] == "nowhere"
    assert case.error_count
    assert any(code.startswith("challenge_pack.E") for code in shown.codes)


def test_text_that_is_no_json_stays_on_screen_and_the_draft_stays_as_it_was(node_page, case):
    shown = node_page(f"cases/{case.pk}")
    shown.controls["k:/inputs/0/value"] = "json"
    shown.controls["j:/inputs/0/value"] = "{"
    del shown.controls["t:/inputs/0/value"]
    shown.send()
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "Where is parcel case-0?"
    assert shown.response.status_code == 422
    assert shown.controls["j?:/inputs/0/value"] == "{"
    assert "form.E001" in shown.codes


def test_a_change_of_type_that_loses_something_is_asked_about_first(node_page, case):
    shown = node_page(f"cases/{case.pk}")
    shown.controls["k:/inputs/0/value"] = "number"
    shown.send()
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "Where is parcel case-0?"
    assert "form.W001" in shown.codes


def test_two_people_on_different_fields_both_keep_their_work(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}").fill(**{"/inputs/0/value": "mine"})
    someone_else(case, "/expectations/0/value", "theirs")
    shown.send()
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "mine"
    assert case.document["expectations"][0]["value"] == "theirs"


def test_two_people_on_one_field_are_shown_both_values(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}").fill(**{"/inputs/0/value": "mine"})
    someone_else(case, "/inputs/0/value", "theirs")
    shown.send()
    case.refresh_from_db()
    assert shown.response.status_code == 409
    assert case.document["inputs"][0]["value"] == "theirs"
    dispute = shown.response.context["disputes"][0]
    assert (dispute.yours, dispute.theirs) == ("mine", "theirs")
    shown.client.post(f"{shown.base}{shown.path}/field/", {"at": dispute.at, "seen": "99", dispute.name: dispute.value})
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "mine"


def test_a_section_of_the_pack_edits_only_its_own_part(node_page, draft):
    before = draft.document
    node_page("pack", section="pack").fill(**{"/pack/name": "Parcels and more"}).send()
    draft.refresh_from_db()
    assert draft.document["pack"]["name"] == "Parcels and more"
    assert draft.document["version"] == before["version"]


def test_an_absent_section_can_be_filled_in(node_page, draft):
    shown = node_page("pack", section="version.evaluation_spec.runtime_limits")
    shown.fill(**{"/version/evaluation_spec/runtime_limits/max_iterations": "12"}).send()
    draft.refresh_from_db()
    assert draft.document["version"]["evaluation_spec"]["runtime_limits"] == {"max_iterations": 12}


def test_a_link_to_a_field_of_the_pack_opens_its_section(node_page):
    shown = node_page("pack", at="/version/evaluation_spec/validators/0/target")
    assert shown.response.context["desk"].section.key == "version.evaluation_spec.validators"
    assert shown.response.context["focus"].pointer == "/version/evaluation_spec/validators/0/target"


def test_save_and_next_goes_on_to_the_next_case(node_page, draft, case):
    second = draft.cases.order_by("position")[1]
    shown = node_page(f"cases/{case.pk}").send(then="next")
    assert shown.response.request["PATH_INFO"].endswith(f"/cases/{second.pk}/")


def test_a_viewer_reads_and_cannot_write(node_page, as_viewer, case):
    shown = node_page(f"cases/{case.pk}", client=as_viewer)
    assert shown.response.status_code == 200
    assert shown.send().response.status_code == 403


def test_a_stranger_finds_nothing(node_page, as_stranger, case):
    assert node_page(f"cases/{case.pk}", client=as_stranger).response.status_code == 404


@pytest.mark.parametrize("path", ["cases/99999", "challenges/99999", "assets/1"])
def test_a_node_that_is_gone_is_not_found(node_page, path):
    assert node_page(path).response.status_code == 404


def test_a_case_with_hundreds_of_inputs_is_saved_as_one_form(node_page, case):
    inputs = [{"key": f"key-{index}", "kind": "text", "value": index} for index in range(400)]
    Case.objects.filter(pk=case.pk).update(document={**case.document, "inputs": inputs})
    shown = node_page(f"cases/{case.pk}").fill(**{"/inputs/399/value": "400"}).send()
    case.refresh_from_db()
    assert shown.response.status_code == 200
    assert case.document["inputs"][399] == {"key": "key-399", "kind": "text", "value": 400}
    assert case.document["inputs"][:399] == inputs[:399]


@pytest.mark.parametrize("name", FORMATS)
def test_a_page_of_a_case_costs_few_queries_in_every_format(
    as_author, author, team, name, django_assert_max_num_queries
):
    pack = create_pack(team, author, name, "A pack", first=EXAMPLE)
    first = pack.cases.first()
    for _ in range(2):
        editing.duplicate_node(pack, first.kind, first.pk, author)
    path = f"/packs/default/{pack.slug}/edit/cases/{first.pk}/"
    with django_assert_max_num_queries(12):
        response = as_author.get(path)
    assert response.context["neighbours"].after
    assert response.context["can_undo"]


def test_the_outline_costs_no_more_queries_in_a_large_pack(as_author, team, django_assert_max_num_queries):
    large = draft_of(team, pack_text(130), slug="large")
    for at in (0, 49, 50, 129):
        case = large.cases.order_by("position")[at]
        with django_assert_max_num_queries(12):
            as_author.get(f"/packs/default/large/edit/cases/{case.pk}/")


def test_the_help_of_a_section_and_of_its_fields_shows_code_as_code(node_page):
    html = node_page("pack", section="tools").html
    assert "<code>allowed</code>, <code>denied</code>" in html
    assert "`" not in html


def test_a_section_says_once_what_it_is_for(as_author, draft):
    page = f"/packs/{draft.team.slug}/{draft.slug}/edit/pack/"
    sections = set(re.findall(r"section=([\w.]+)", as_author.get(page).content.decode()))
    assert len(sections) > 10
    for section in sections:
        shown = re.sub(r"<[^>]+>", "", as_author.get(page, {"section": section}).content.decode())
        sentences = [line.strip() for line in shown.splitlines() if len(line.strip()) > 40]
        assert len(sentences) == len(set(sentences)), section
