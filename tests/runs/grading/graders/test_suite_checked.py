"""What the check of task suites calls fine is never the pack's mistake when it judges."""

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from packs.formats import task_suite
from packs.formats.checking import check_files
from packs.formats.task_suite.catalogue import GRADERS, POLICY_RULES
from packs.formats.traces import TRAJECTORY_CHECKS
from runs.grading.graders import grade
from runs.grading.graders.contract import Outcome
from runs.grading.graders.evidence import build_evidence
from tests.drawing import drawn

PATTERNS = ["hello", "(", r"\Z", "ok(?!ay)", "(?i)x", "[a-", "a{2000}", "", "*", r"\1"]
OPERATORS = ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$contains", "$regex", "$exists", "$more"]
NUMBERS = st.one_of(st.integers(-1, 3), st.floats(-0.5, 1.5), st.booleans())
scalars = st.one_of(st.none(), NUMBERS, st.sampled_from([*PATTERNS, "<=3", "a*", "add"]))
operations = st.dictionaries(st.sampled_from(OPERATORS), scalars | st.lists(scalars, max_size=2), max_size=2)
expectations = st.recursive(
    scalars | operations,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=4,
)
texts = st.lists(st.sampled_from([*PATTERNS, "add", "KEY"]), max_size=2)
checks = st.lists(st.dictionaries(st.sampled_from(list(TRAJECTORY_CHECKS)), NUMBERS, max_size=1), max_size=3)
exchange = st.fixed_dictionaries(
    {"request": st.just({"method": "GET", "path": "/a"}), "response": st.dictionaries(st.just("json"), expectations)}
)
FIELDS = {
    "expect": st.fixed_dictionaries(
        {},
        optional={
            "http": st.lists(exchange, max_size=2),
            "logs": st.dictionaries(st.sampled_from(["contains", "not_contains"]), texts),
            "files": st.dictionaries(st.just("a.txt"), st.just({"contains": ["x"]})),
            "ticket": expectations,
        },
    )
    | operations,
    "checks": checks,
    "reference": texts,
    "max_turns": NUMBERS,
    "no_loops": st.booleans(),
    "rules": st.lists(st.sampled_from(POLICY_RULES), max_size=2),
    "regex": st.booleans(),
    "case_sensitive": st.booleans(),
    "schema": st.sampled_from([{}, {"type": "object"}, {"type": "ferry"}, {"pattern": "("}, {"$ref": "#/gone"}, True]),
    "max_calls": NUMBERS,
    "required": st.lists(
        st.fixed_dictionaries({"tool": st.just("add"), "params": st.dictionaries(st.just("a"), expectations)})
    ),
    **dict.fromkeys(("patterns", "deny_patterns", "secrets", "forbidden_tools", "forbidden", "sequence"), texts),
}
JUDGED = ("state_check", "tool_calls", "trajectory_metrics", "policy_check", "string_match", "json_schema")


@st.composite
def graders(draw):
    kind = draw(st.sampled_from(JUDGED))
    known = [name for name in (*GRADERS[kind], "no_loops") if name in FIELDS]
    return {"type": kind, **draw(st.fixed_dictionaries({}, optional={name: FIELDS[name] for name in known}))}


def evidence_of(task):
    supplied = {
        "state": {"ticket": {"a": 1, "b": "x"}},
        "http": [{"request": {"method": "GET", "path": "/a"}, "response": {"json": {"a": [1]}}}],
        "logs": ["hello"],
        "files": {"a.txt": "x"},
        "secrets": {"KEY": "value"},
    }
    told = [
        ("tool.call.completed", {"tool_name": "add", "arguments": {"a": 1, "b": "x"}, "status": "ok"}),
        ("grader.evidence.supplied", supplied),
        ("system.run.completed", {"final_output": '{"hello": 1}'}),
    ]
    events = [
        {"event_type": kind, "sequence_number": number, "payload": payload, "source": "agent"}
        for number, (kind, payload) in enumerate(told, start=1)
    ]
    return build_evidence([task.evidence], events)


@settings(max_examples=drawn(400), deadline=None, suppress_health_check=list(HealthCheck))
@given(graders())
def test_a_grader_that_the_check_calls_fine_is_never_to_blame(grader):
    task = {
        "task_id": "a_1",
        "suite": "golden",
        "description": "Say hello.",
        "inputs": {"user_message": "Say hello.", "secrets_in_env": ["KEY"]},
        "graders": [grader],
        "tracked_metrics": [{"type": "tokens", "fields": ["total_tokens"]}],
    }
    files = {"evals/golden/a_1.yaml": orjson.dumps(task)}
    result = check_files(files, task_suite.NAME)
    for compiled in task_suite.compile_tasks(result.pack) if result.is_valid else ():
        found = grade(compiled.graders[0], evidence_of(compiled))
        assert found.outcome is not Outcome.PACK_ERROR, found.reason
