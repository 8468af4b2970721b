"""Small packs of all four formats for tests of proofs, each with one case to look at."""

import json
from dataclasses import replace

import yaml

from packs.formats import adapter_of, task_suite
from packs.formats.checking import check_files
from packs.formats.document import NodeKind
from runs.proof.author import Notes
from runs.proof.packing import Prover, prove_pack
from runs.sandbox import SANDBOXES
from runs.sandbox.choice import Choice, Policy
from tests.runs.tasks import make_task


def _yaml(value):
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True).encode()


def _kind(value):
    return "text" if isinstance(value, str) else "json"


def challenge(
    validators, answers, *, asked="What is it?", config=None, mode="prompt_eval", scorecard=None, version=None
):
    """A challenge pack. `validators` maps keys to (type, expected, config), or to mappings of fields; `answers` has the
    expectation `answer` of each of its cases."""
    named = []
    for key, entry in validators.items():
        if not isinstance(entry, dict):
            kind, expected, settings = (*entry, None, None)[:3]
            entry = {"type": kind, "target": "final_output", "expected_from": expected, "config": settings}
        named.append({"key": key, **{name: part for name, part in entry.items() if part is not None}})
    cases = [
        {
            "challenge_key": "one",
            "case_key": f"case-{number}",
            "inputs": [{"key": "ask", "kind": "text", "value": f"Number {number}"}],
            "expectations": [{"key": "answer", "kind": _kind(answer), "value": answer}],
        }
        for number, answer in enumerate(answers, start=1)
    ]
    pack = {
        "pack": {"slug": "planted", "name": "Planted", "family": "tests"},
        "version": {
            "number": 1,
            "execution_mode": mode,
            **(version or {}),
            "evaluation_spec": {
                "name": "planted",
                "version_number": 1,
                "judge_mode": "deterministic",
                "validators": named,
                "scorecard": scorecard
                or {"strategy": "weighted", "pass_threshold": 1.0, "dimensions": ["correctness"]},
                **(config or {}),
            },
        },
        "challenges": [
            {
                "key": "one",
                "title": "One",
                "category": "tests",
                "difficulty": "easy",
                "instructions": f"{asked} {{{{ask}}}}",
            }
        ],
        "input_sets": [{"key": "default", "name": "Default", "cases": cases}],
    }
    return {"pack.yaml": _yaml(pack)}


def passing_from(threshold):
    """A scorecard whose one dimension passes from a score on."""
    dimension = {"key": "right", "source": "validators", "pass_threshold": threshold}
    return {"strategy": "binary", "dimensions": [dimension]}


EXPECTED = "case.expectations.answer"


def evals(assertions, *tests, threshold=0.8):
    """An AgentV suite; each test is (input, expected output) or a mapping."""
    made = []
    for number, test in enumerate(tests, start=1):
        stated = test if isinstance(test, dict) else {"input": test[0], "expected_output": test[1]}
        judged = {"assertions": assertions} if assertions else {}
        made.append({"id": f"case-{number}", "criteria": "It is right.", **judged, **stated})
    suite = {"name": "planted", "execution": {"threshold": threshold}, "tests": made}
    return {"planted.eval.yaml": _yaml(suite)}


MANIFEST = b"id: planted\nversion: 1\ndefaults:\n  environment:\n    image: example/python:3\n"


def rows(*entries, files=None):
    """A benchmark pack; each entry is (family, input, eval)."""
    lines = [
        {"id": f"case-{number}", "family": family, "input": asked, "eval": judged}
        for number, (family, asked, judged) in enumerate(entries, start=1)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return {"manifest.yaml": MANIFEST, "tasks.jsonl": text.encode(), **(files or {})}


def choice(answer, *choices):
    return ("multiple_choice", {"question": "Which one?", "choices": list(choices)}, {"answer": answer})


def short(*accepted, asked="What is it?", **judged):
    return ("short_answer", {"question": asked}, {"accepted_answers": list(accepted), **judged})


def program(tests, solution, asked="Write the function."):
    judged = {"tests": {"source": "inline", "code": tests}, "reference_solution": solution}
    return ("code_completion", {"prompt": asked, "language": "python"}, judged)


def tasks(graders, reference, *, asked="What is it?", files=None, **inputs):
    """A task suite of one task."""
    document = {
        "task_id": "case-1",
        "suite": "golden",
        "description": "Find it.",
        "inputs": {"user_message": asked, "tools_available": ["look"], **inputs},
        "graders": graders,
        "tracked_metrics": [{"type": "outcome", "fields": ["success"]}],
        **({} if reference is None else {"reference_solution": reference}),
    }
    text = task_suite.dump_node(NodeKind.CASE, document).encode()
    return {"evals/golden/case-1.yaml": text, **(files or {})}


def strings(*patterns, **more):
    return {"type": "string_match", "patterns": list(patterns), **more}


def shape(schema):
    return {"type": "json_schema", "schema": schema}


def exact(**values):
    """The schema of an object with these values and no others."""
    properties = {name: {"const": value} for name, value in values.items()}
    return {"type": "object", "required": list(values), "properties": properties, "additionalProperties": False}


TRIM = {"pipeline": ["trim", "collapse_whitespace", "lowercase"]}
TIDY = ("normalized_match", EXPECTED, TRIM)
DECISION = {"decision": "refund", "amount": 10}
ADD = "def add(a, b):\n    return a + b\n"
ADDED = "assert add(1, 2) == 3\nassert add(-1, 1) == 0\n"


def pair(first, second, answers=("Leeds hub", "York depot"), **more):
    """A challenge pack of two validators over the answer."""
    return challenge({"first": first, "second": second}, list(answers), **more)


def weighed(**weights):
    """A dimension for each validator, with its weight."""
    return [
        {"key": key, "source": "validators", "validators": [key], "weight": weight} for key, weight in weights.items()
    ]


# A scorecard that looks at the first of two validators, `v`, alone.
ONE = {
    "strategy": "binary",
    "dimensions": [{"key": "v", "source": "validators", "validators": ["v"], "pass_threshold": 1}],
}


def in_folder(command):
    """A task suite whose agent repairs `fix.sh`, judged by one command."""
    files = {
        "evals/_shared/fixtures/f/fix.sh": b"echo 4\n",
        "evals/_shared/fixtures/f/selfcheck.sh": b'test "$(sh fix.sh)" = 5\n',
    }
    graders = [{"type": "deterministic_tests", "commands": [command]}]
    return tasks(graders, None, files=files, repo_path="../_shared/fixtures/f")


def beside(reference):
    return {"cases": [{"case_key": "case-1", "reference": reference}]}


def call(name):
    """The event of a call of a tool."""
    return {"event_type": "tool.call.completed", "payload": {"tool_name": name, "arguments": {}, "result": "ok"}}


FIXED = beside({"text": "Done.", "files": {"fix.sh": "echo 5\n"}})
REPORTED = beside({"text": "Done.", "files": {"fix.sh": "echo 5\n", "out.log": "all is well\n"}})


def talk(pattern):
    """An AgentV conversation of one turn, judged by a pattern."""
    judged = [{"type": "regex", "value": pattern, "flags": "i"}]
    turns = [{"input": "And where is it?", "expected_output": "Leeds", "assertions": judged}]
    return evals(None, {"input": "You are a desk.", "mode": "conversation", "turns": turns})


TALKED = beside(
    {
        "text": "Leeds",
        "events": [
            {"event_type": "turn.user.message", "payload": {"turn_index": 0, "content": "And where is it?"}},
            {"event_type": "turn.assistant.message", "payload": {"turn_index": 0, "content": "Leeds"}},
            {"event_type": "turn.completed", "payload": {"turn_index": 0, "mismatch": False}},
        ],
    }
)


def measured(kind, threshold, answer, **config):
    """A challenge pack whose one validator gives a score, of which that many points pass."""
    settings = {"threshold": threshold, **config}
    return challenge({"v": (kind, EXPECTED, settings)}, [answer], scorecard=passing_from(threshold))


def task_of(key, challenge_key="locate", **more):
    """A task of no format."""
    return replace(make_task(case_key=key, **more), challenge_key=challenge_key)


class Nothing:
    """Keeps no proofs."""

    def get(self, digest):
        return None

    def add(self, digest, proof):
        pass


def compiled(files):
    """The pack that these files make, and its tasks."""
    checked = check_files(files)
    assert checked.is_valid, checked.findings
    return checked.pack, list(adapter_of(checked.format).compile_tasks(checked.pack))


def prover_of(pack, notes=None):
    return Prover(pack, Notes(notes or {}), Choice(SANDBOXES, Policy()))


def proven(files, notes=None):
    """The proof of the first case of a pack."""
    pack, tasks = compiled(files)
    [(_, proof)] = prove_pack(prover_of(pack, notes), tasks, tasks[:1], Nothing())
    return proof
