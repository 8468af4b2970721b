"""A page that knows no answer to what it sent goes on from there."""

AT = "/inputs/0/value"


def stored(case):
    case.refresh_from_db()
    return case.document["inputs"][0]["value"]


def test_later_words_follow_those_whose_answer_never_came(node_page, case):
    shown = node_page(f"cases/{case.pk}")
    shown.live(AT, **{f"t:{AT}": "fir"})
    response = shown.live(AT, **{f"t:{AT}": "first", f"before:t:{AT}": "fir"})
    assert stored(case) == "first"
    assert not response.context["disputes"]


def test_what_somebody_else_wrote_in_between_is_disputed(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}")
    shown.live(AT, **{f"t:{AT}": "fir"})
    someone_else(case, AT, "theirs")
    response = shown.live(AT, **{f"t:{AT}": "first", f"before:t:{AT}": "fir"})
    assert stored(case) == "theirs"
    assert [(item.yours, item.theirs) for item in response.context["disputes"]] == [("first", "theirs")]


def test_words_sent_for_another_place_settle_no_conflict(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}")
    someone_else(case, "/expectations/0/value", "theirs")
    shown.live("/expectations/0/value", **{"t:/expectations/0/value": "mine", f"before:t:{AT}": "fir"})
    case.refresh_from_db()
    assert case.document["expectations"][0]["value"] == "theirs"
