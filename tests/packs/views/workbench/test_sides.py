"""The preview of a case: what each side sees, and answers that stand in the open."""

import json

import pytest

from packs import blobs, editing
from packs.importing import import_pack
from tests.packs.views.workbench.pages import Page


def sides_of(shown):
    return {side["key"]: side for side in shown.response.context["sides"]}


def told(side):
    return " ".join([side["prompt"] or "", *(value["text"] for value in side["values"])])


def test_the_preview_shows_what_the_agent_sees_and_what_stays_hidden(node_page, case):
    found = sides_of(node_page(f"cases/{case.pk}", lens="preview"))
    assert list(found) == ["agent", "test_sandbox", "evaluator", "result"]
    assert "Hub case-0" in told(found["evaluator"])
    assert "Hub case-0" not in told(found["agent"]) + told(found["test_sandbox"]) + told(found["result"])


def test_a_preview_that_cannot_be_made_lists_what_to_mend(node_page, case):
    node_page(f"cases/{case.pk}").fill(**{"/challenge_key": "nowhere"}).send()
    blocking = node_page(f"cases/{case.pk}", lens="preview").response.context["blocking"]
    assert blocking
    assert all(item["url"] for item in blocking)


ROW = {
    "id": "t/1",
    "family": "terminal_task",
    "input": {"instructions": "Count the lines."},
    "assets": [{"path": "lines.txt"}],
    "eval": {
        "checker": {"command": "sh run.sh"},
        "run_tests": {"path": "run.sh"},
        "expected_state": {"count": "forty-two lines"},
    },
    "environment": {"image": "alpine"},
}
LEAKY = {
    "id": "s/1",
    "family": "short_answer",
    "input": {"question": "Which hub?"},
    "assets": [{"path": "lines.txt"}],
    "eval": {"accepted_answers": ["Leeds hub"]},
}


@pytest.fixture
def quiz(team, author):
    files = {
        "manifest.yaml": b"id: quiz\nversion: 1\n",
        "tasks.jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in (ROW, LEAKY)),
        "assets/lines.txt": b"It lies at the LEEDS  hub.\n",
        "hidden/run.sh": b"test $(cat count) = 42\n",
    }
    return import_pack(team, author, files, "quiz")


def page_of(client, pack, position, **query):
    return Page(client, pack, f"cases/{pack.cases.order_by('position')[position].pk}", query)


def test_each_side_of_a_row_has_the_values_and_files_of_a_run(as_author, quiz):
    found = sides_of(page_of(as_author, quiz, 0, lens="preview"))
    values = {key: {value["name"]: value["lane"] for value in side["values"]} for key, side in found.items()}
    assert values["agent"] == {"instructions": "public", "assets": "public"}
    assert values["test_sandbox"] == {**values["agent"], "checker": "staged", "run_tests": "staged"}
    assert values["evaluator"] == {**values["agent"], "expected_state": "hidden"}
    assert values["result"] == {**values["test_sandbox"], "expected_state": "hidden"}
    files = {key: {file["path"]: file for file in side["files"]} for key, side in found.items()}
    assert files["agent"]["lines.txt"]["text"] == "It lies at the LEEDS  hub.\n"
    assert not any("run.sh" in path for path in files["agent"])
    staged = files["test_sandbox"]["securebench/evaluation_inputs/run.sh"]
    assert (staged["lane"], staged["text"]) == ("staged", "test $(cat count) = 42\n")
    withheld = [value for value in found["result"]["values"] if value["is_withheld"]]
    assert {value["text"] for value in withheld} == {"<redacted>"}


def test_an_answer_in_a_file_of_the_agent_is_pointed_out_at_its_place(as_author, quiz):
    shown = page_of(as_author, quiz, 1, lens="preview")
    [leak] = shown.response.context["leaks"]
    assert "lines.txt" in leak["place"]
    assert "with other white space" in shown.response.content.decode()
    assert "accepted_answers" in leak["url"]
    marked = [file["path"] for file in sides_of(shown)["agent"]["files"] if file["is_leaked"]]
    assert marked == ["lines.txt"]


def test_a_file_that_changed_no_longer_tells_the_answer(as_author, author, quiz):
    asset = quiz.assets.get(key="assets/lines.txt")
    editing.set_asset_content(quiz, asset.pk, blobs.put(b"It lies elsewhere.\n"), author)
    assert page_of(as_author, quiz, 1, lens="preview").response.context["leaks"] == []


def test_the_sides_have_a_page_of_their_own_for_cases_only(as_author, quiz):
    case = quiz.cases.order_by("position").first()
    address = f"/packs/{quiz.team.slug}/{quiz.slug}/edit"
    shown = as_author.get(f"{address}/cases/{case.pk}/sides/")
    assert [side["key"] for side in shown.context["sides"]] == ["agent", "test_sandbox", "evaluator", "result"]
    assert as_author.get(f"{address}/pack/sides/").status_code == 404


def test_an_answer_that_is_typed_into_the_question_is_told_at_its_field_at_once(as_author, quiz):
    case = quiz.cases.order_by("position").last()
    shown = Page(as_author, quiz, f"cases/{case.pk}", {})
    answer = shown.live("/input/question", **{"t:/input/question": "Is it the Leeds hub?"})
    assert b"benchmark_pack.W528" in answer.content
    case.refresh_from_db()
    assert ["eval", "accepted_answers", 0] in [found["path"] for found in case.findings]


DESK = """\
pack: {slug: desk, name: Desk, family: support}
version:
  number: 1
  execution_mode: native
  assets: [{key: gold, path: gold.txt}, {key: note, path: note.txt}]
  evaluation_spec:
    name: desk
    version_number: 1
    judge_mode: deterministic
    validators: [{key: v, type: exact_match, target: final_output, expected_from: case.expectations.answer}]
    scorecard: {dimensions: [correctness]}
challenges: [{key: find, title: Find, category: c, difficulty: easy, instructions: Where?}]
input_sets:
  - key: day
    name: Day
    cases:
      - {challenge_key: find, case_key: a, expectations: [{key: answer, kind: file, artifact_key: gold}]}
      - {challenge_key: find, case_key: b, inputs: [{key: note, kind: file, artifact_key: note}]}
"""


def test_a_draft_shows_the_files_of_its_agents_without_those_that_any_case_keeps_for_graders(team, author, as_author):
    files = {"pack.yaml": DESK.encode(), "gold.txt": b"at the hub", "note.txt": b"ask"}
    pack = import_pack(team, author, files, "desk")
    for position in (0, 1):
        found = sides_of(page_of(as_author, pack, position, lens="preview"))
        assert [file["path"] for file in found["agent"]["files"]] == ["note.txt"]
        assert "gold" not in told(found["agent"])
        assert {value["name"]: value["lane"] for value in found["evaluator"]["values"]}["assets"] == "hidden"
