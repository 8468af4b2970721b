import pytest

from packs.importing import import_pack
from tests.packs.views.workbench.pages import Page

SPEC = "/version/evaluation_spec"
SUITE = b"name: parcels\ntests:\n- id: where\n  criteria: Names the hub.\n  input: Where is PX-1?\n  assertions: []\n"
ROW = b'{"id": "a", "input": {"question": "Where?"}, "eval": {"accepted_answers": ["Leeds"], "tolerance": 1}}\n'
MANIFEST = b"id: quiz\nversion: 1\ndefaults: {family: short_answer}\n"


@pytest.fixture
def suite(team, author):
    return import_pack(team, author, {"parcels.eval.yaml": SUITE}, "parcels", format="agentv")


@pytest.fixture
def quiz(team, author):
    return import_pack(team, author, {"manifest.yaml": MANIFEST, "tasks.jsonl": ROW}, "quiz", format="benchmark_pack")


def gallery(draft, path):
    return f"/packs/{draft.team.slug}/{draft.slug}/edit/{path}/gallery/"


def offered(response):
    return {choice.value for _, group in response.context["groups"] for choice in group}


def test_a_gallery_offers_what_its_list_and_the_lists_beside_it_can_hold(as_author, draft):
    response = as_author.get(gallery(draft, "pack"), {"at": f"{SPEC}/validators"})
    assert {f"contains:{SPEC}/validators", f"rubric:{SPEC}/llm_judges", f"run_total_tokens:{SPEC}/metrics"} <= offered(
        response
    )
    assert b"The expected text occurs somewhere" in response.content


@pytest.mark.parametrize("asked", ["validators", "llm_judges", "metrics"])
def test_a_gallery_begins_with_what_the_asked_list_itself_can_hold(as_author, draft, asked):
    groups = as_author.get(gallery(draft, "pack"), {"at": f"{SPEC}/{asked}"}).context["groups"]
    first = [choice.value.rpartition("/")[2] for choice in groups[0][1]]
    assert asked in first


def test_a_chosen_kind_is_added_opened_at_what_it_needs_and_taken_back(as_author, draft):
    before = draft.document
    response = as_author.post(gallery(draft, "pack"), {"kind": f"contains:{SPEC}/validators"})
    draft.refresh_from_db()
    added = draft.document["version"]["evaluation_spec"]["validators"][-1]
    assert added == {"type": "contains", "key": "contains", "target": "final_output"}
    assert f"at={SPEC}/validators/1/expected_from&section=version.evaluation_spec.validators" in response.url
    as_author.post(f"/packs/{draft.team.slug}/{draft.slug}/edit/undo/")
    draft.refresh_from_db()
    assert draft.document == before


def test_a_judge_is_added_with_what_makes_it_count_and_taken_back_with_it(as_author, draft):
    before = draft.document
    response = as_author.post(gallery(draft, "pack"), {"kind": f"rubric:{SPEC}/llm_judges"}, follow=True)
    draft.refresh_from_db()
    spec = draft.document["version"]["evaluation_spec"]
    assert spec["llm_judges"] == [{"key": "rubric", "mode": "rubric"}]
    assert spec["judge_mode"] == "hybrid"
    assert spec["scorecard"]["dimensions"][1:] == [{"key": "rubric", "source": "llm_judge", "judge_key": "rubric"}]
    assert "Changed with it" in response.text
    as_author.post(f"/packs/{draft.team.slug}/{draft.slug}/edit/undo/")
    draft.refresh_from_db()
    assert draft.document == before


def test_a_test_of_agentv_gets_an_assertion(as_author, suite):
    case = suite.cases.get()
    page = Page(as_author, suite, f"cases/{case.pk}")
    assert b"Add a check" in page.response.content
    as_author.post(gallery(suite, f"cases/{case.pk}"), {"kind": "contains-any:/assertions"})
    as_author.post(gallery(suite, f"cases/{case.pk}"), {"kind": "sentence:/assertions"})
    case.refresh_from_db()
    assert case.document["assertions"] == [{"type": "contains-any", "value": []}, ""]


def test_without_javascript_the_form_is_saved_before_the_gallery_opens(as_author, suite):
    page = Page(as_author, suite, f"cases/{suite.cases.get().pk}")
    response = as_author.post(page.address, {**dict(page.controls), "gallery": "/assertions"})
    assert response.url == f"{gallery(suite, page.path)}?at=%2Fassertions"
    assert b"Matches a pattern" in as_author.get(response.url).content


def test_a_row_becomes_one_of_another_family_unless_that_loses_something(as_author, quiz):
    row = quiz.cases.get()
    path = gallery(quiz, f"cases/{row.pk}")
    assert offered(as_author.get(path, {"at": ""})) >= {"short_answer:", "terminal_task:"}
    response = as_author.post(path, {"kind": "multiple_choice:"}, follow=True)
    row.refresh_from_db()
    assert "family" not in row.document
    assert "would lose eval.accepted_answers" in response.content.decode()
    row.document = {"id": "a"}
    row.save()
    as_author.post(path, {"kind": "multiple_choice:"})
    row.refresh_from_db()
    assert row.document == {"id": "a", "family": "multiple_choice"}


@pytest.mark.parametrize("sent", [{}, {"kind": "contains"}, {"kind": "nothing:/assertions"}, {"kind": "contains:/id"}])
def test_a_kind_or_place_that_there_is_not_changes_nothing(as_author, suite, sent):
    case = suite.cases.get()
    assert as_author.post(gallery(suite, f"cases/{case.pk}"), sent).status_code == 404
    assert as_author.get(gallery(suite, f"cases/{case.pk}"), {"at": "/input"}).status_code == 404


def test_a_tool_of_a_pack_is_chosen_by_what_it_does(as_author, draft):
    page = Page(as_author, draft, "pack", {"section": "tools"})
    assert "Add a tool" in page.html
    response = as_author.get(gallery(draft, "pack"), {"at": "/tools/custom"})
    assert response.context["title"] == "Add a tool"
    assert {"mock_lookup:/tools/custom", "http_request:/tools/custom"} <= offered(response)
    added = as_author.post(gallery(draft, "pack"), {"kind": "mock_lookup:/tools/custom"})
    assert "at=/tools/custom/0/name&section=tools" in added.url
    draft.refresh_from_db()
    [tool] = draft.document["tools"]["custom"]
    assert tool["implementation"] == {"type": "mock", "strategy": "lookup", "lookup_key": "id", "responses": {}}
    shown = Page(as_author, draft, "pack", {"section": "tools"})
    assert "Try on an answer" not in shown.html
    before = draft.document
    shown.send()
    draft.refresh_from_db()
    assert draft.document == before
