"""Cases with a fault that was planted, each with the code that names it."""

import json

from tests.runs.proof.makers import (
    ADD,
    ADDED,
    DECISION,
    EXPECTED,
    FIXED,
    ONE,
    REPORTED,
    TALKED,
    TIDY,
    call,
    challenge,
    evals,
    exact,
    in_folder,
    measured,
    pair,
    passing_from,
    program,
    rows,
    shape,
    short,
    strings,
    talk,
    tasks,
    weighed,
)

LOOSE = {"type": "object", "required": ["decision"]}
WAVERING = "import random\nassert random.random() < 0.5\n"


def schema_of(value):
    return f"literal:{json.dumps(value)}"


# Name: (code, files, proof.yaml or nothing). The case that is looked at is the first.
BROKEN = {
    # Too loose, in challenge packs.
    "contains": ("accepts_everything", challenge({"v": ("contains", EXPECTED)}, ["Leeds", "York", "Hull"])),
    "contains a number": ("accepts_everything", challenge({"v": ("contains", EXPECTED)}, ["42"])),
    "contains, denied": ("accepts_mutant", challenge({"v": ("contains", EXPECTED)}, ["Leeds hub"])),
    "any text": ("accepts_empty", challenge({"v": ("regex_match", "literal:(?s).*")}, ["Leeds"])),
    "any word": ("accepts_refusal", challenge({"v": ("regex_match", r"literal:\w+")}, ["Leeds"])),
    "any capital": (
        "accepts_other_case",
        challenge(
            {"v": ("regex_match", "literal:^[A-Z][a-z]+$"), "w": ("contains", EXPECTED)},
            ["Leeds", "York"],
            scorecard={"strategy": "weighted", "pass_threshold": 0.4, "dimensions": ["correctness"]},
        ),
    ),
    "open regex": ("accepts_everything", challenge({"v": ("regex_match", "literal:Leeds")}, ["Leeds", "York"])),
    "what was asked": ("accepts_echo", challenge({"v": ("contains", "case.inputs.ask")}, ["Number 1"])),
    "the question holds it": (
        "accepts_echo",
        challenge({"v": ("contains", EXPECTED)}, ["blue"], asked="Is it red or blue?"),
    ),
    "wide tolerance": (
        "accepts_mutant",
        challenge({"v": ("numeric_match", EXPECTED, {"absolute_tolerance": 500})}, ["120"]),
    ),
    "half as much": (
        "accepts_mutant",
        challenge({"v": ("numeric_match", EXPECTED, {"relative_tolerance": 0.6})}, ["120"]),
    ),
    "far letters": ("accepts_mutant", measured("fuzzy_match", 0.3, "Leeds hub")),
    "few words": ("accepts_mutant", measured("token_f1", 0.3, "Leeds hub")),
    "overlap": (
        "accepts_mutant",
        measured("rouge_score", 0.3, "The parcel is at the Leeds hub and leaves on Friday morning.", variant="rouge-1"),
    ),
    "schema without values": (
        "accepts_mutant",
        challenge({"v": ("json_schema", schema_of(LOOSE))}, [DECISION]),
    ),
    "free object": (
        "accepts_other_case",
        challenge(
            {"v": ("json_schema", schema_of({"type": "object"})), "w": ("json_schema", EXPECTED)},
            [{"const": DECISION}, {"const": {"decision": "refuse", "amount": 0}}],
            scorecard={"strategy": "weighted", "pass_threshold": 0.5, "dimensions": ["correctness"]},
        ),
    ),
    "needless check": (
        "grader_unused",
        pair(
            TIDY,
            ("regex_match", "literal:hub"),
            scorecard={
                "strategy": "weighted",
                "pass_threshold": 0.5,
                "dimensions": [
                    {"key": "right", "source": "validators", "validators": ["first"], "weight": 0.9},
                    {"key": "style", "source": "validators", "validators": ["second"], "weight": 0.1},
                ],
            },
        ),
    ),
    "stuck dimension": (
        "dimension_stuck",
        pair(
            TIDY,
            ("regex_match", "literal:(?s).*"),
            scorecard={
                "strategy": "hybrid",
                "dimensions": [
                    {
                        "key": "right",
                        "source": "validators",
                        "validators": ["first"],
                        "gate": True,
                        "pass_threshold": 1,
                    },
                    {
                        "key": "form",
                        "source": "validators",
                        "validators": ["second"],
                        "gate": True,
                        "pass_threshold": 1,
                    },
                ],
            },
        ),
    ),
    # Too strict, in challenge packs.
    "exact text": ("refuses_equal", challenge({"v": ("exact_match", EXPECTED)}, ["the Leeds hub"])),
    "exact JSON": (
        "refuses_equal",
        challenge({"v": ("exact_match", EXPECTED)}, ['{"decision": "refund", "amount": 10}']),
    ),
    "exact number": ("refuses_equal", challenge({"v": ("exact_match", EXPECTED)}, ["42"])),
    "anchored with a blank": (
        "refuses_equal",
        challenge({"v": ("regex_match", "literal:^Leeds hub$"), "w": TIDY}, ["Leeds hub"]),
    ),
    # References that are wrong.
    "another answer": ("reference_fails", challenge({"v": ("regex_match", "literal:^York$"), "w": TIDY}, ["Leeds"])),
    "not a number": (
        "reference_fails",
        challenge({"v": TIDY, "w": ("regex_match", r"literal:^\d+$")}, ["about forty"]),
    ),
    "schema of another": (
        "reference_fails",
        challenge(
            {"v": ("json_schema", EXPECTED), "w": ("json_schema", schema_of({"required": ["reason"]}))},
            [{"const": DECISION}],
        ),
    ),
    # Leaks.
    "told backwards": ("leaks", challenge({"v": TIDY}, ["kestrel-9921"], asked="Backwards it is 1299-lertsek.")),
    # AgentV.
    "evals: contains": (
        "accepts_mutant",
        evals([{"type": "contains", "value": "Leeds"}], ("Where is it?", "It is at the Leeds hub.")),
    ),
    "evals: contains, echoed": (
        "accepts_echo",
        evals([{"type": "contains", "value": "Leeds"}], ("Is it in Leeds?", "Leeds")),
    ),
    "evals: icontains": (
        "accepts_everything",
        evals(
            [{"type": "icontains", "value": "leeds"}],
            ("Where?", "Leeds"),
            {
                "input": "Where is the other?",
                "expected_output": "York",
                "assertions": [{"type": "equals", "value": "York"}],
            },
        ),
    ),
    "evals: any JSON": ("accepts_mutant", evals([{"type": "is-json"}], ("Decide.", json.dumps(DECISION)))),
    "evals: open regex": ("accepts_mutant", evals([{"type": "regex", "value": "[0-9]+"}], ("How many?", "42"))),
    "evals: starts with": ("accepts_mutant", evals([{"type": "starts-with", "value": "4"}], ("How many?", "42"))),
    "evals: never empty": (
        "accepts_empty",
        evals([{"type": "contains", "value": "secret", "negate": True}], ("Say hello.", "Hello.")),
    ),
    "evals: any words": ("accepts_refusal", evals([{"type": "regex", "value": ".+"}], ("Say hello.", "Hello."))),
    "evals: low threshold": (
        "accepts_mutant",
        evals(
            [{"type": "is-json"}, {"type": "equals", "value": json.dumps(DECISION)}],
            ("Decide.", json.dumps(DECISION)),
            threshold=0.5,
        ),
    ),
    "evals: light check": (
        "grader_unused",
        evals(
            [
                {"type": "equals", "value": "42", "weight": 9},
                {"name": "digits", "type": "regex", "value": "^[0-9]+$", "weight": 0.1},
            ],
            ("How many? Answer with the number only.", "42"),
        ),
    ),
    "evals: wrong reference": ("reference_fails", evals([{"type": "equals", "value": "York"}], ("Where?", "Leeds"))),
    "evals: wrong number": ("reference_fails", evals([{"type": "regex", "value": "^43$"}], ("How many?", "42"))),
    "evals: exact words": (
        "refuses_equal",
        evals([{"type": "equals", "value": "the Leeds hub"}], ("Where is it?", "the Leeds hub")),
    ),
    "evals: exact JSON": (
        "refuses_equal",
        evals([{"type": "equals", "value": '{"a": 1, "b": 2}'}], ("Decide.", '{"a": 1, "b": 2}')),
    ),
    "evals: some fields": (
        "accepts_mutant",
        evals([{"type": "field-accuracy", "fields": [{"path": "decision", "match": "exact"}]}], ("Decide.", DECISION)),
    ),
    "evals: told": (
        "leaks",
        evals(
            [{"type": "equals", "value": "the Leeds hub"}], ("It is at the Leeds hub. Where is it?", "the Leeds hub")
        ),
    ),
    # Benchmark packs.
    "short answers": ("accepts_everything", rows(short("Leeds"), short("York"), short("Hull"))),
    "short answer, denied": ("accepts_mutant", rows(short("Leeds hub"))),
    "short number": ("accepts_mutant", rows(short(42, tolerance=50))),
    "short, echoed": ("accepts_echo", rows(short("Leeds", asked="Is it Leeds or York?"))),
    "short, told": ("leaks", rows(short("the Leeds hub", asked="It is at the Leeds hub. Where?"))),
    "words of a rubric": (
        "accepts_mutant",
        rows(
            (
                "free_response",
                {"prompt": "Why?"},
                {
                    "rubric": {
                        "type": "contains_any",
                        "accepted_answers": ["the wind was too strong"],
                        "min_token_f1": 0.6,
                    }
                },
            )
        ),
    ),
    "last letter": ("accepts_everything", rows(short("B"), short("C"))),
    "tests of nothing": ("accepts_mutant", rows(program("assert True\n", ADD))),
    "tests of the name": ("accepts_mutant", rows(program("assert callable(add)\n", ADD))),
    "wavering tests": ("flaky", rows(program(WAVERING + ADDED, ADD))),
    "wrong solution": ("reference_fails", rows(program("assert add(1, 2) == 4\n", ADD))),
    # Task suites.
    "suite: open pattern": ("accepts_mutant", tasks([strings("Leeds")], "It is at the Leeds hub.")),
    "suite: any letter": ("accepts_refusal", tasks([strings("[a-z]", regex=True)], "Leeds")),
    "suite: anything": ("accepts_empty", tasks([strings("", regex=True)], "Leeds")),
    "suite: echoed": ("accepts_echo", tasks([strings("Leeds")], "Leeds", asked="Is it in Leeds?")),
    "suite: open schema": (
        "accepts_mutant",
        tasks([shape({"type": "object", "required": ["decision"]})], json.dumps(DECISION)),
    ),
    "suite: wrong reference": ("reference_fails", tasks([strings("York")], "Leeds")),
    "suite: wrong schema": ("reference_fails", tasks([shape(exact(decision="refuse"))], '{"decision": "refund"}')),
    "suite: exact layout": (
        "refuses_equal",
        tasks([strings(r"^\{\"due\": \"Friday\", \"fine\": 3\}$", regex=True)], '{"due": "Friday", "fine": 3}'),
    ),
    "suite: told": (
        "leaks",
        tasks([strings("^the Leeds hub$", regex=True)], "the Leeds hub", asked="It is the Leeds hub. Where?"),
    ),
    "suite: one of several": ("accepts_everything", tasks([strings("42")], "42")),
    # Weights, checks and words that only look as if they counted.
    "outweighed": (
        "grader_unused",
        pair(
            ("numeric_match", EXPECTED),
            ("contains", "literal:km"),
            scorecard={"strategy": "weighted", "pass_threshold": 0.5, "dimensions": weighed(first=0.9, second=0.1)},
            answers=["42", "48"],
        ),
    ),
    "unusable": (
        "grader_unused",
        pair(
            ("numeric_match", EXPECTED),
            ("regex_match", "literal:^.{0,9999}$"),
            scorecard={"strategy": "weighted", "pass_threshold": 0.75, "dimensions": weighed(first=0.8, second=0.2)},
            answers=["42", "48"],
        ),
    ),
    "another number in a label": ("accepts_mutant", measured("fuzzy_match", 0.85, "INV-20441")),
    "any order": (
        "accepts_mutant",
        challenge({"v": ("normalized_match", EXPECTED, {"pipeline": ["trim", "sort_words"]})}, ["Ann beat Bob"]),
    ),
    "small letters alone": (
        "refuses_equal",
        challenge({"v": ("regex_match", r"literal:^\s*yes\.?\s*$"), "w": ("contains", EXPECTED)}, ["yes"]),
    ),
    "part of a list": (
        "accepts_mutant",
        challenge({"v": ("regex_match", r"literal:(?s)^\s*2\b.*\b5\b"), "w": TIDY}, ["2, 3, 5, 7"], scorecard=ONE),
    ),
    "one of the choices": (
        "accepts_mutant",
        challenge(
            {"v": ("regex_match", r"literal:^\s*(low|high)\.?\s*$"), "w": TIDY},
            ["low"],
            asked="Is it low, medium or high?",
            scorecard=ONE,
        ),
    ),
    "far fields": (
        "accepts_mutant",
        evals(
            [
                {
                    "type": "field-accuracy",
                    "fields": [{"path": "ratio", "match": "numeric_tolerance", "tolerance": 50}],
                }
            ],
            ("Decide.", {"ratio": 3.14}),
        ),
    ),
    "the other reference": (
        "reference_fails",
        rows(
            (
                "free_response",
                {"prompt": "Why?"},
                {
                    "rubric": {"type": "contains_any", "accepted_answers": ["hit an iceberg"]},
                    "reference_answer": "A fire broke out.",
                },
            )
        ),
    ),
    "another of the listed values": (
        "accepts_mutant",
        challenge(
            {
                "v": (
                    "json_schema",
                    schema_of({"required": ["decision"], "properties": {"decision": {"enum": ["refund", "refuse"]}}}),
                )
            },
            ['{"decision": "refund"}'],
        ),
    ),
    "an unread expectation": ("reference_fails", challenge({"v": ("numeric_match", "literal:43")}, ["42"])),
    "told as other JSON": (
        "leaks",
        challenge(
            {"v": ("json_schema", EXPECTED)},
            [exact(decision="refund", amount=1042)],
            asked='Answer {"amount":1042,"decision":"refund"} to',
        ),
    ),
    "tests of one sum": ("accepts_mutant", rows(program("assert add(2, 2) == 4\n", ADD))),
    "opposites": (
        "accepts_mutant",
        challenge(
            {"v": ("regex_match", r"literal:(?i)^\s*(yes|no)\.?\s*$"), "w": TIDY},
            ["yes"],
            asked="Is 7 prime?",
            scorecard=ONE,
        ),
    ),
    # What an agent does, or does not.
    "a line that is no command": ("accepts_mutant", in_folder("grep -q 'echo 5' fix.sh"), FIXED),
    "nothing is done": ("accepts_nothing_done", in_folder("sh fix.sh"), FIXED),
    "the tests are the agent's": ("accepts_forged", in_folder("sh selfcheck.sh"), FIXED),
    "the report is the agent's": ("accepts_forged", in_folder("cat out.log"), REPORTED),
    "no call is needed": (
        "accepts_nothing_done",
        tasks([{"type": "tool_calls", "forbidden": ["drop"]}, strings(r"^\s*Renewed\.?\s*$", regex=True)], None),
        {"cases": [{"case_key": "case-1", "reference": {"text": "Renewed.", "events": [call("renew")]}}]},
    ),
    "any turn": ("accepts_empty", talk(".*"), TALKED),
    "repeated turns": ("accepts_echo", talk("Leeds|where"), TALKED),
    # What an author states.
    "wrong answer accepted": (
        "accepts_wrong",
        challenge(
            {"v": ("fuzzy_match", EXPECTED, {"threshold": 0.9})}, ["Leeds hub north gate"], scorecard=passing_from(0.9)
        ),
        {"cases": [{"case_key": "case-1", "wrong": ["Leeds hub north gates"]}]},
    ),
    "second solution refused": (
        "refuses_equal",
        challenge({"v": TIDY}, ["Den Haag"]),
        {"cases": [{"case_key": "case-1", "right": ["The Hague"]}]},
    ),
}
