"""What a field refers to and nothing declares is created from the field, as one edit that undo takes back."""

import pytest

from packs.editing import Change, apply, undo
from packs.formats.document import NodeKind

SPEC = "/version/evaluation_spec"
DIMENSION = f"{SPEC}/scorecard/dimensions/0"


def create(page, pointer, name=""):
    page.send(do=f"create:{pointer}", **({f"new:{pointer}": name} if name else {}))


@pytest.fixture
def spec(draft):
    def read():
        draft.refresh_from_db()
        return draft.document["version"]["evaluation_spec"]

    return read


def test_a_validator_that_a_dimension_names_is_created_beside_the_others(draft, node_page, spec, author):
    count = len(spec()["validators"])
    apply(draft, [Change(NodeKind.PACK, draft.pk, f"{DIMENSION}/validators", ["port"])], author)
    page = node_page("pack", section="version.evaluation_spec.scorecard")
    assert "Create validator port" in page.html
    create(page, f"{DIMENSION}/validators/0")
    assert [item["key"] for item in spec()["validators"]][count:] == ["port"]
    undo(draft, author)
    assert len(spec()["validators"]) == count


def test_a_challenge_is_added_for_a_case_that_names_it(draft, node_page, case, author):
    apply(draft, [Change(NodeKind.CASE, case.pk, "/challenge_key", "gone")], author)
    page = node_page(f"cases/{case.pk}")
    assert "Create challenge gone" in page.html
    create(page, "/challenge_key")
    assert draft.challenges.filter(key="gone").count() == 1
    undo(draft, author)
    assert not draft.challenges.filter(key="gone").exists()


def test_evidence_that_no_case_has_is_added_to_every_case_at_once(draft, node_page, spec, author):
    target = f"{SPEC}/validators/0/expected_from"
    apply(draft, [Change(NodeKind.PACK, draft.pk, target, "case.expectations.port")], author)
    create(node_page("pack", section="version.evaluation_spec.validators"), target)
    added = [case.document["expectations"][-1] for case in draft.cases.all()]
    assert added == [{"key": "port", "kind": "text"}] * len(added)
    undo(draft, author)
    assert all(case.document.get("expectations", [{}])[-1].get("key") != "port" for case in draft.cases.all())


def test_a_tool_that_a_validator_counts_is_added_to_those_of_the_pack_unless_it_is_built_in(draft, node_page, author):
    counted = {
        "key": "calls",
        "type": "tool_call_assertion",
        "target": "final_output",
        "config": {"tool_name": "track"},
    }
    at = draft.document["version"]["evaluation_spec"]["validators"]
    apply(draft, [Change(NodeKind.PACK, draft.pk, f"{SPEC}/validators", [*at, counted])], author)
    pointer = f"{SPEC}/validators/{len(at)}/config/tool_name"
    page = node_page("pack", section="version.evaluation_spec.validators")
    assert "Create tool track" in page.html
    create(page, pointer)
    draft.refresh_from_db()
    assert draft.document["tools"]["custom"][-1]["name"] == "track"
    draft.refresh_from_db()
    apply(draft, [Change(NodeKind.PACK, draft.pk, pointer, "read_file")], author)
    page = node_page("pack", section="version.evaluation_spec.validators")
    assert "Create tool" not in page.html
    assert 'value="read_file"' in page.html


def test_a_name_beside_a_picker_is_created_and_chosen(draft, node_page, spec):
    pointer = f"{DIMENSION}/judge_key"
    create(node_page("pack", section="version.evaluation_spec.scorecard"), pointer, "tone")
    assert spec()["llm_judges"][-1]["key"] == "tone"
    assert spec()["scorecard"]["dimensions"][0]["judge_key"] == "tone"


def test_nothing_is_created_for_a_field_that_names_nothing(draft, node_page, case):
    before = draft.revision
    create(node_page(f"cases/{case.pk}"), "/case_key", "other")
    draft.refresh_from_db()
    assert (draft.revision, draft.cases.get(pk=case.pk).document) == (before, case.document)
