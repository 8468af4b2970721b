"""Words of texts and questions."""

import pytest

from packs.words import MAX_WORD, MAX_WORDS, sought, texts_in, words_of


def finds(question, *texts):
    """Whether the index finds a row with these texts: every word of the question begins one of theirs."""
    held = words_of(texts)
    return bool(sought(question)) and all(any(word.startswith(part) for word in held) for part in sought(question))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("hub px", "The hub of PX-1"),
        ("PX-1", "Where is px-1?"),
        ("refund smoke", "refund_smoke"),
        ("cafe", "Café"),
        ("CAFÉ", "cafe"),
        ("strasse", "Straße"),
        ("日本", "これは日本語です"),
        ("本語", "日本語"),
        ("語", "日本語"),
        ("日本語", "GPT4の日本語"),
        ("gpt4", "GPT4の日本語"),
        ("한국", "한국어로"),
        ("привет", "Привет, мир"),
        ("12", "run #12"),
        ('"quoted', 'He said "quoted words"'),
        ("o'brien", "O'Brien"),
        ("don't*", "I don't know"),
        ("ﬁle", "file"),
    ],
)
def test_a_question_finds_what_has_its_words(question, text):
    assert finds(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [("ub", "hub"), ("本日", "日本語"), ("ガ", "か"), ("", "a"), ('"*()-:', "a"), ("hub depot", "hub")],
)
def test_a_question_finds_nothing_else(question, text):
    assert not finds(question, text)


def test_names_of_fields_and_answers_yes_and_no_are_no_words():
    document = {"prompt": "Where?", "limits": [{"seconds": 5}, 0.25, True, None], "deep": {"er": ["text"]}}
    assert list(texts_in(document)) == ["Where?", "5", "0.25", "text"]


def test_a_number_that_python_does_not_write_is_left_out():
    assert list(texts_in([10**5000, "a"])) == ["", "a"]


def test_a_huge_text_costs_no_more_than_its_beginning():
    assert len(words_of([" ".join(map(str, range(200_000)))])) == MAX_WORDS
    assert words_of(["x" * 1_000_000]) == ["x" * MAX_WORD]
    assert finds("x" * 500, "x" * 1000)
