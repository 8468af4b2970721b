"""What cases are filed under, as each format states it."""

import pytest

from packs.formats import FORMATS, adapter_of


@pytest.mark.parametrize(
    ("name", "challenge", "input_set", "case", "labels"),
    [
        ("challenge_pack", {"category": " support ", "difficulty": "hard"}, {}, {}, ("support", "hard")),
        ("task_suite", {}, {}, {"tags": ["a", "b", "a", " ", 3]}, ("a b", "")),
        ("benchmark_pack", {}, {}, {"metadata": {"tags": "x", "difficulty": "easy"}}, ("x", "easy")),
        (
            "agentv",
            {},
            {"tags": ["s"], "metadata": {"difficulty": "easy"}},
            {"metadata": {"tags": ["t"]}},
            ("t s", "easy"),
        ),
    ],
)
def test_a_format_says_what_a_tag_and_a_difficulty_is(name, challenge, input_set, case, labels):
    found = adapter_of(name).labels(challenge, input_set, case)
    assert (" ".join(found.get("tag", ())), " ".join(found.get("difficulty", ()))) == labels


@pytest.mark.parametrize("odd", [{}, {"metadata": 3, "tags": 3, "category": [], "difficulty": {}}])
@pytest.mark.parametrize("name", FORMATS)
def test_odd_documents_have_no_labels(name, odd):
    assert not any(adapter_of(name).labels(odd, odd, odd).values())
