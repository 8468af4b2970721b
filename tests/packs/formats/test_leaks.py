from base64 import b64encode, encodebytes, urlsafe_b64encode
from dataclasses import replace

import pytest

from packs.formats.leaks import Form, Leak, leaks, leaks_in
from packs.formats.task import Answer, Environment, EvidenceCase, Task, WorkspaceFile


def forms_in(value, *answers):
    given = [Answer(("answer",), answer) for answer in answers]
    return [leak.form for leak in leaks_in(given, lambda answer: [("context", {"deep": [value]})])]


@pytest.mark.parametrize(
    ("text", "answer", "form"),
    [
        ("It lies at the LEEDS hub.", "Leeds hub", Form.LITERAL),
        ("'Leeds hub'", "Leeds hub.", Form.LITERAL),
        ("It lies at the LEEDS   hub.", "Leeds hub", Form.SPACED),
        ("def double(x):\n    return x * 2\n# end", "def double(x):\n  return x * 2", Form.SPACED),
        ("at leedshub", "Leeds hub", Form.SPACED),
        ("at Le\u200beds\u00a0hub", "Leeds hub", Form.SPACED),
        ("in inter national\tization", "internationalization", Form.SPACED),
    ],
)
def test_an_answer_is_found_whatever_its_case_white_space_and_stops(text, answer, form):
    assert forms_in(text, answer) == [form]


RECORD = '{"decision": "refund", "lines": [{"amount": 10.0, "tax": null}]}'


@pytest.mark.parametrize(
    "seen",
    [
        'so {"lines":[{"tax":null,"amount":10}],"decision":"refund"}, then',
        'with {braces, [5" pipes] and {"of": {"lines":[{"tax":null,"amount":1e1}],\n"decision":"ref\\u0075nd"}}',
        {"record": {"lines": [{"tax": None, "amount": 10}], "decision": "refund"}},
        ["as text", '[{"lines":[{"tax":null,"amount":10}],"decision":"refund"}]'],
    ],
)
def test_the_same_json_is_found_in_another_order_and_spacing_as_text_and_as_data(seen):
    assert forms_in(seen, RECORD) == [Form.JSON]


@pytest.mark.parametrize(
    "seen",
    [
        '{"decision": "refund", "lines": [{"amount": 11, "tax": null}]}',
        '{"decision": "refund", "lines": [{"tax": null}]}',
        '{"decision": "refund", "lines": {"amount": 10.0, "tax": null}}',
        '{"decision" "refund", "lines": [{"amount": 10.0, "tax": null}]}',
        '["decision", "refund", "lines", {"amount": 10.0, "tax": null}]',
    ],
)
def test_other_json_is_no_leak(seen):
    assert forms_in(seen, RECORD) == []


@pytest.mark.parametrize("before", ["", "x", "xy", "xyz"])
@pytest.mark.parametrize("after", ["", "\n", "!!", "..."])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode, encodebytes])
@pytest.mark.parametrize("answer", ["Leeds hub", "42.50 EUR??>>", "Łódź"])
def test_base64_is_found_wherever_the_answer_stands_in_what_was_encoded(before, after, encode, answer):
    text = f"{before * 30}{answer}{after}".encode()
    assert forms_in(f"see data:text/plain;base64,{encode(text).decode()} there", answer) == [Form.ENCODED]


@pytest.mark.parametrize("between", ["", " ", ":", "\n", ", 0x"])
@pytest.mark.parametrize("answer", ["Leeds hub", "Łódź"])
def test_hexadecimal_is_found_however_its_bytes_are_parted(between, answer):
    parts = f"the {answer}!".encode().hex("|").upper().split("|")
    assert forms_in(f"It is {between.join(parts)} there.", answer) == [Form.HEX]


@pytest.mark.parametrize(
    ("text", "forms"),
    [("Read it backwards: 1299-lertseK.", [Form.BACKWARDS]), ("Take x1299-lertsek.", []), ("6b657374", [])],
)
def test_an_answer_is_found_backwards_where_it_stands_alone(text, forms):
    assert forms_in(text, "kestrel-9921") == forms


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("See ?to=the%20north+gate&x=1", [Form.ESCAPED]),
        ("See &#116;he north&nbsp;gate.", [Form.ESCAPED]),
        ("It is gur abegu tngr.", [Form.ROTATED]),
        ("bathe%20north%20gates", []),
        ("A discount of 5% & more", []),
    ],
)
def test_an_answer_is_found_escaped_and_in_rot13(text, forms):
    assert forms_in(text, "the North gate") == forms


def test_short_answers_are_not_looked_for_in_other_spellings():
    assert forms_in(f"{b'Leeds'.hex()} sdeel %4Ceeds yrrqf", "Leeds") == []


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a b c", "b"),
        ("Say yes or no.", "yes"),
        ("The leedshubs", "leeds"),
        ("x", "x" * 9),
        ("It asks the rapist.", "therapist"),
        ("to gether", "to get"),
        ("two customer services", "customer service"),
        (b64encode(b"abc").decode(), "abc"),
        (b64encode(b"42").decode(), "42"),
        ('{"b": 2, "a": 1}', '{"a":1,"b":2}'[:7] + "}"),
        ("[2, 1]", "[1,2]"),
        ("{ }", "{}"),
    ],
)
def test_trivial_answers_and_parts_of_words_are_no_leak(text, answer):
    assert forms_in(text, answer) == []


def test_nothing_is_read_for_answers_that_tell_nothing():
    assert list(leaks_in([Answer((), "no")], lambda answer: pytest.fail("was read"))) == []


def test_the_gold_answer_counts_where_a_format_says_nothing_of_answers():
    told = replace(task_with(prompt="It is the Leeds hub."), reference="Leeds hub")
    assert leaks(told, lambda file: None) == []
    [leak] = leaks(replace(told, answers=None), lambda file: None)
    assert (leak.answer.path, leak.place) == ((), "prompt")


def task_with(*answers, prompt="", visible=None, files=()):
    return Task(
        format="f",
        challenge_key="c",
        input_set_key="s",
        case_key="k",
        title="T",
        prompt=prompt,
        visible=visible or {},
        hidden={},
        evidence=EvidenceCase({}),
        environment=Environment(files=files),
        answers=answers,
    )


ANSWER = Answer(("eval", "answer"), "Leeds hub")
CHOICE = Answer(("eval", "answer"), "Leeds hub", is_offered=True)
CHOICES = {"choices": ["Leeds hub", "York"]}


def test_a_task_tells_where_its_answer_can_be_read():
    files = (WorkspaceFile("a.txt", asset_key="a"), WorkspaceFile("b.txt", asset_key="b"))
    task = task_with(ANSWER, files=files)
    texts = {"a": None, "b": "the leeds hub"}
    assert leaks(task, lambda file: texts[file.asset_key]) == [Leak(ANSWER, "b.txt")]
    assert leaks(task_with(ANSWER, prompt="Leeds hub?"), lambda file: None) == [Leak(ANSWER, "prompt")]


def test_a_choice_may_stand_among_the_choices_and_nowhere_else():
    shown = task_with(CHOICE, prompt="A. Leeds hub", visible=CHOICES, files=(WorkspaceFile("task.json", "Leeds hub"),))
    assert leaks(shown, lambda file: None) == []
    told = task_with(CHOICE, visible={**CHOICES, "question": "Is it the Leeds hub?"})
    assert leaks(told, lambda file: None) == [Leak(CHOICE, "context")]
