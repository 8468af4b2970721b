import pytest

from runs.grading.graders.reviews import Kind, Unreadable
from runs.views.reviews.queue_forms import typed, wanted_by


def sent(**more):
    return {"name": "Check", "needed": "2", "aspect-0-name": "Right?", "aspect-0-passing": "YES", **more}


def test_what_is_typed_becomes_what_is_asked_for():
    wanted = wanted_by(typed(sent(status="failed", share="20", case="lamp", **{"person-7": "3", "person-x": "1"})))
    assert (wanted.needed, wanted.people, wanted.choice.share, wanted.choice.case) == (2, {7: 3}, 20, "lamp")
    assert [(aspect.kind, aspect.passing) for aspect in wanted.rubric.aspects] == [(Kind.YES_NO, ("yes",))]


@pytest.mark.parametrize("wrong", [{"share": "0"}, {"sample": "-1"}, {"agent": "me"}, {"person-7": "much"}])
def test_what_is_no_number_is_refused(wrong):
    with pytest.raises(ValueError, match="Give"):
        wanted_by(typed(sent(**wrong)))


def test_there_is_room_for_as_many_aspects_as_a_rubric_can_have():
    more = {f"aspect-{at}-{part}": f"{part} {at}" for at in range(1, 20) for part in ("name", "text")}
    form = typed(sent(**more))
    assert [aspect.text for aspect in wanted_by(form).rubric.aspects][-1] == "text 19"
    assert (len(form.shown), form.folded) == (20, [])


def test_a_rubric_without_an_aspect_is_refused():
    with pytest.raises(Unreadable):
        wanted_by(typed(sent(**{"aspect-0-name": " "})))
