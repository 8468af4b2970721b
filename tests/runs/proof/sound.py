"""Cases without a fault, some with what their author says of them."""

import json

from tests.runs.proof.makers import (
    ADD,
    ADDED,
    DECISION,
    EXPECTED,
    TIDY,
    challenge,
    choice,
    evals,
    exact,
    pair,
    program,
    rows,
    shape,
    short,
    strings,
    tasks,
)

SIGN = "def sign(number):\n    if number > 0:\n        return 1\n    if number < 0:\n        return -1\n    return 0\n"
BOX = """\
class Box:
    def __init__(self, side):
        self.side = side

    def volume(self):
        return self.side ** 3
"""

# Name: (files, proof.yaml or nothing).
SOUND = {
    "tidy text": (challenge({"v": TIDY}, ["ledger: disk full"], asked="Answer with service: cause only."),),
    "tidy texts": (
        challenge({"v": TIDY}, ["ledger: disk full", "mailer: no route"], asked="Answer exactly as service: cause."),
    ),
    "tidy word": (challenge({"v": TIDY}, ["Leeds", "York"], asked="One word only."),),
    "tidy code": (challenge({"v": TIDY}, ["PX-41", "PX-42"]),),
    "number": (challenge({"v": ("numeric_match", EXPECTED, {"absolute_tolerance": 0.01})}, ["120"]),),
    "small number": (challenge({"v": ("numeric_match", EXPECTED, {"absolute_tolerance": 0.001})}, ["0.25"]),),
    "number with a share": (challenge({"v": ("numeric_match", EXPECTED, {"relative_tolerance": 0.02})}, ["1200"]),),
    "numbers": (challenge({"v": ("numeric_match", EXPECTED, {"absolute_tolerance": 0})}, ["7", "8", "9"]),),
    "mathematics": (challenge({"v": ("math_equivalence", EXPECTED)}, ["42"]),),
    "JSON of values": (challenge({"v": ("json_schema", EXPECTED)}, [exact(decision="refund", amount=10)]),),
    "JSON of values, two": (challenge({"v": ("json_schema", EXPECTED)}, [exact(done=True), exact(done=False)]),),
    "anchored pattern": (challenge({"v": ("regex_match", r"literal:^\s*PX-41\s*$")}, ["PX-41"]),),
    "pattern and text": (challenge({"v": TIDY, "w": ("regex_match", r"literal:^\s*PX-[0-9]{2}\s*$")}, ["PX-41"]),),
    "two checks": (
        pair(TIDY, ("regex_match", r"literal:^\s*(?i:leeds hub|york depot)\s*$"), asked="Answer with the name only."),
    ),
    "truth": (
        challenge({"v": ("boolean_assert", EXPECTED)}, ["true", "false"], asked="Answer with true or false only."),
    ),
    "choices in the question": (
        challenge({"v": TIDY}, ["refund", "shipping"], asked="Answer only with refund, shipping or technical:"),
    ),
    "evals: equals": (evals([{"type": "equals", "value": "42"}], ("How many? Answer with the number only.", "42")),),
    "evals: equals, words": (
        evals([{"type": "equals", "value": "Leeds hub"}], ("Name it, and nothing else.", "Leeds hub")),
    ),
    "evals: label": (
        evals([{"type": "equals", "value": "not_found"}], ("Which label? Answer with one word.", "not_found")),
    ),
    "evals: anchored": (evals([{"type": "regex", "value": r"^\s*42(\.0)?\s*$"}], ("How many?", "42")),),
    "evals: anchored words": (
        evals([{"type": "regex", "value": r"^\s*(?i:the leeds hub)\.?\s*$"}], ("Where?", "The Leeds hub")),
    ),
    "evals: limits": (
        evals(
            [
                {"type": "equals", "value": "42"},
                {"type": "latency", "threshold": 1000},
                {"type": "cost", "budget": 0.1},
                {"type": "token-usage", "max_total": 100},
                {"type": "execution-metrics", "max_tokens": 100, "max_duration_ms": 3000},
            ],
            ("How many? Answer with the number only.", "42"),
            threshold=1.0,
        ),
    ),
    "evals: fields": (
        evals(
            [
                {
                    "type": "field-accuracy",
                    "aggregation": "all_or_nothing",
                    "fields": [{"path": "decision", "match": "exact"}, {"path": "amount", "match": "exact"}],
                }
            ],
            ("Decide.", DECISION),
            threshold=1.0,
        ),
    ),
    "evals: JSON and fields": (
        evals(
            [
                {"type": "is-json", "required": True},
                {
                    "type": "field-accuracy",
                    "required": True,
                    "aggregation": "all_or_nothing",
                    "fields": [{"path": "amount", "match": "exact"}],
                },
            ],
            ("Decide.", {"amount": 10}),
            threshold=1.0,
        ),
    ),
    "evals: two checks": (
        evals(
            [{"type": "equals", "value": "PX-41"}, {"type": "regex", "value": "^PX-[0-9]+$"}],
            ("Which code? Answer with the code only.", "PX-41"),
            threshold=0.9,
        ),
    ),
    "evals: two tests": (
        evals(
            [],
            {"input": "Which code?", "expected_output": "PX-41", "assertions": [{"type": "equals", "value": "PX-41"}]},
            {"input": "Which other?", "expected_output": "PX-42", "assertions": [{"type": "equals", "value": "PX-42"}]},
        ),
    ),
    "evals: guarded": (
        evals(
            [
                {"type": "equals", "value": "PX-41", "required": True},
                {"type": "contains", "value": "secret", "negate": True, "required": True},
            ],
            ("Which code?", "PX-41"),
        ),
    ),
    "choice": (rows(choice("B", "red", "green", "blue")),),
    "choice by place": (rows(choice(1, "red", "green", "blue")),),
    "choice by text": (rows(choice("green", "red", "green", "blue")),),
    "choices": (rows(choice("B", "one", "two", "three", "four"), choice("C", "one", "two", "three", "four")),),
    "program": (rows(program(ADDED, ADD)),),
    "program of a branch": (
        rows(
            program(
                "assert sign(3) == 1\nassert sign(-2) == -1\nassert sign(0) == 0\n",
                SIGN,
            )
        ),
    ),
    "program that raises": (
        rows(
            program(
                "assert half(4) == 2\nassert half(-6) == -3\n"
                "try:\n    half(3)\nexcept ValueError:\n    pass\nelse:\n    raise AssertionError\n",
                "def half(n):\n    if n % 2 != 0:\n        raise ValueError(n)\n    return n // 2\n",
            )
        ),
    ),
    "program of text": (
        rows(
            program(
                "assert shout('a') == 'A!'\nassert shout('') == '!'\n",
                "def shout(text):\n    return text.upper() + '!'\n",
            )
        ),
    ),
    "program of a list": (
        rows(
            program(
                "assert even([1, 2, 4]) == [2, 4]\nassert even([]) == []\n",
                "def even(numbers):\n    return [number for number in numbers if number % 2 == 0]\n",
            )
        ),
    ),
    "program of a class": (
        rows(
            program(
                "box = Box(2)\nassert box.volume() == 8\nassert Box(3).volume() == 27\n",
                BOX,
            )
        ),
    ),
    "suite: anchored": (tasks([strings(r"^\s*PX-41\s*$", regex=True)], "PX-41"),),
    "suite: anchored number": (tasks([strings(r"^\s*42(\.0+)?\s*$", regex=True)], "42"),),
    "suite: values": (tasks([shape(exact(decision="refund", amount=10))], json.dumps(DECISION)),),
    "suite: values of truth": (
        tasks([shape(exact(due="2026-03-24", renewable=True))], '{"due": "2026-03-24", "renewable": true}'),
    ),
    "suite: two graders": (tasks([strings(r"^\s*PX-41\s*$", regex=True), strings("PX-", regex=True)], "PX-41"),),
    "suite: list": (tasks([shape({"const": [1, 2, 3]})], "[1, 2, 3]"),),
    # What the author says is meant.
    "meant: contains": (
        challenge({"v": ("contains", EXPECTED)}, ["Leeds", "York"]),
        {
            "accepts": [
                {"code": "accepts_everything", "reason": "Only the name counts."},
                {"code": "accepts_mutant", "reason": "Only the name counts."},
            ]
        },
    ),
    "meant: extraction": (
        tasks([strings("^the Leeds hub$", regex=True)], "the Leeds hub", asked="Copy the place only: the Leeds hub."),
        {
            "accepts": [
                {"code": "leaks", "reason": "The answer is to be found in the text."},
                {"code": "refuses_equal", "reason": "The exact line is asked for."},
            ]
        },
    ),
    "meant: exact": (
        challenge({"v": ("exact_match", EXPECTED)}, ["Leeds"]),
        {"accepts": [{"code": "refuses_equal", "reason": "Every byte counts.", "cases": ["case-1"]}]},
    ),
    "meant: refusal": (
        challenge({"v": ("regex_match", r"literal:(?i)^\s*i do(n't| not) know\.?\s*$")}, ["?"]),
        {
            "accepts": [{"code": "accepts_refusal", "reason": "Nobody can know this."}],
            "cases": [{"case_key": "case-1", "reference": "I do not know."}],
        },
    ),
    "reference beside": (
        challenge({"v": ("regex_match", r"literal:^\s*[13579]*[13579]{3}\s*$")}, ["?"]),
        {
            "cases": [{"case_key": "case-1", "reference": "135", "right": ["975"], "wrong": ["246"]}],
            "accepts": [
                {"code": "accepts_mutant", "reason": "Any odd digits."},
                {"code": "accepts_everything", "reason": "Any odd digits."},
                {"code": "refuses_equal", "reason": "Digits alone."},
            ],
        },
    ),
    "second solution": (
        rows(short("Den Haag", "The Hague")),
        {
            "cases": [{"case_key": "case-1", "right": ["The Hague"]}],
            "accepts": [{"code": "accepts_mutant", "reason": "A short answer counts wherever it stands."}],
        },
    ),
}
# Kinds of text that are right in one way, at many sizes.
for word in ("E102", "v2.3.1", "src/app.py", "15:15", "2026-11-24", "user@example.org", "#ff8800"):
    SOUND[f"label {word}"] = (challenge({"v": TIDY}, [word]),)
for number in ("3", "17", "404", "65536", "-12", "2.5"):
    SOUND[f"number {number}"] = (
        challenge({"v": ("numeric_match", EXPECTED, {"absolute_tolerance": 0.001})}, [number]),
    )
for flag in (True, False):
    SOUND[f"flag {flag}"] = (tasks([shape(exact(ok=flag, code=7))], json.dumps({"ok": flag, "code": 7})),)
