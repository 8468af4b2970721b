import pytest

from runs.statistics.likeness import MOST_LEADERS, REST, grouped, masked


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("expected 'hub', got 'depot 7'", "expected 'port', got 'pier'"),
        ("line 3 column 14: no value", "line 30 column 1: no value"),
        ("GET https://a.example/x?y=1 gave 502", "GET https://b.example/ gave 504"),
        ("no file 9f2c4d1e6b7a8091", "no file 77aa0c1e6b7a8091"),
    ],
)
def test_what_differs_from_case_to_case_is_masked(one, other):
    assert masked(one) == masked(other)


def test_words_are_kept():
    assert masked("The answer names no depot") == "The answer names no depot"
    assert masked("It's the hub, isn't it") == masked("It's the hub, isn't it")


def test_texts_with_a_few_other_words_are_one_group_and_the_most_frequent_stands_for_it():
    common = "The answer does not say which refund policy applies"
    texts = {
        "The answer does not say which refund policy applied": 1,
        common: 5,
        "The JSON could not be parsed": 3,
    }
    assert grouped(texts) == {
        "The answer does not say which refund policy applied": common,
        common: common,
        "The JSON could not be parsed": "The JSON could not be parsed",
    }


def test_a_text_that_is_given_stands_for_its_group_however_rare():
    given = "The answer does not say which refund policy applied"
    assert grouped({"The answer does not say which refund policy applies": 9}, [given]) == {
        "The answer does not say which refund policy applies": given
    }


def test_what_is_like_none_of_many_groups_is_the_rest():
    letters = "abcdefghijklmnopqrstuvwxyz"
    texts = {
        f"{one * 5} {other * 7}": 2 if place < MOST_LEADERS else 1
        for place, (one, other) in enumerate((one, other) for one in letters for other in letters if one != other)
    }
    found = grouped(texts)
    assert len(set(found.values())) == MOST_LEADERS + 1
    assert REST in found.values()
