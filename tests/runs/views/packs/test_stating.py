"""The form that states an answer in `proof.yaml`."""

import pytest
from django.http import QueryDict

from runs.jobs.proofs import ProofRefused
from runs.proof.author import Stated
from runs.proof.probes import Work
from runs.views.packs.stating import read_wish, wish_of

CALL = {"event_type": "tool.call.completed", "payload": {"tool_name": "renew"}}
TURN = {"event_type": "turn.user.message", "payload": {"content": "Hello\nyou"}}


def sent(**fields):
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return data


def test_what_is_stated_stands_in_the_form_and_is_read_from_it():
    work = Work("Done.", {"a/b.txt": "one\ntwo\n", "c": ""}, [CALL, TURN], deletes=True)
    wish = wish_of(Stated("right", work, "Trial 7", "right-1"))
    paths, contents = zip(*wish.files, strict=True)
    form = sent(
        name=wish.name,
        text=wish.text,
        path=[*paths, " "],
        content=[content.replace("\n", "\r\n") for content in (*contents, "")],
        events=wish.events.replace("\n", "\r\n"),
        deletes="true",
        origin=wish.origin,
        instead=wish.instead,
    )
    assert read_wish(form) == wish
    assert read_wish(form).work == work
    assert read_wish(form).with_room.files[-1] == ("", "")


def test_events_may_be_a_list():
    listed = '[{"event_type": "tool.call.completed"},\r\n {"event_type": "turn.completed"}]'
    wish = read_wish(sent(events=listed))
    assert [event["event_type"] for event in wish.work.events] == ["tool.call.completed", "turn.completed"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Give an answer"),
        ({"path": ["a", "../b"], "content": ["", ""]}, "The path of file 2 may not contain"),
        ({"path": "", "content": "x"}, "The path of file 1 must be"),
        ({"path": ["a", "./a"], "content": ["1", "2"]}, "Two files have the path `./a`"),
        ({"path": ["a"] * 51, "content": ["1"] * 51}, "at most 50 files"),
        ({"events": '{"event_type": "tool.call.completed"}\n{"event'}, "Line 2 of the events is not JSON"),
        ({"events": "[1, "}, "The list of events is not JSON"),
        ({"events": "[1]"}, "Event 1 must be a JSON object"),
        ({"events": '{"event_type": "tool.called"}'}, "Event 1: A recorded event has the type 'tool.called'"),
    ],
)
def test_what_cannot_be_an_answer_is_said_with_its_place(fields, said):
    with pytest.raises(ProofRefused) as refused:
        _ = read_wish(sent(**fields)).work
    assert refused.value.code == "bad_answer"
    assert said in refused.value.message
