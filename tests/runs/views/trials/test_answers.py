import pytest

from runs.launch.launching import launch
from runs.models import Agent
from runs.views.trials.answers import question_of, segments_of
from runs.views.trials.payloads import show
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off


def grade(kind="contains", status="pass", **more):
    return {"type": kind, "status": status, "key": "g", "evidence": {}, **more}


def marked(answer, *grades):
    return [(piece.text, piece.status) for piece in segments_of(show(answer), grades) if piece.grader]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (grade(evidence={"expected": "hub"}), "hub"),
        (grade("regex_match", evidence={"expected": "h.b{1,2}", "actual": "In hub 7"}), "hub"),
        (grade("json_path", evidence={"actual": "hub 7", "expected": "hub 8"}), "hub 7"),
        (grade(reason="the answer contains 'HUB'", status="fail"), "hub"),
        (grade(checks=[{"text": "names all", "evidence": "found: ['In', 'hub']"}]), "In"),
        (grade(evidence={"checks": [{"name": "“hub” is named"}]}), "hub"),
    ],
)
def test_the_words_that_a_grader_judged_are_marked(found, words):
    assert marked("In hub 7", found)[0] == (words, found["status"])


def test_the_pieces_make_the_whole_answer_and_overlaps_are_marked_once():
    grades = [
        grade(evidence={"expected": "hub"}),
        grade(evidence={"expected": "hub 7"}),
        grade("x", reason="not 'don't'"),
    ]
    pieces = segments_of(show("In hub 7, don't"), grades)
    assert "".join(piece.text for piece in pieces) == "In hub 7, don't"
    assert [piece.text for piece in pieces if piece.grader][0] == "hub"


def test_an_answer_that_no_grader_quotes_is_one_piece():
    assert marked("In hub 7", grade(status="fail", reason="the texts differ", evidence={"actual": "In hub 7"})) == []
    assert segments_of(show(""), [grade(evidence={"expected": ""})]) == []


@pytest.mark.django_db
def test_a_question_is_what_the_case_asks_without_the_words_around_it(team, author):
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": "hub"})
    version = publish_text(team, author, pack_text({"default": 1}, mode="native"))
    found = question_of(work_off(launch(author, version, [agent])).trials.get())
    assert found.asked.text == "Where is hub0?"
    assert found.has_frame
    assert found.prompt.text.startswith("You are taking part in an evaluation.")
    assert found.expected.text == "hub"
