from dataclasses import replace

from packs.formats.leaks import CONTEXT, PROMPT, Leak
from packs.formats.sides import Lane, sides
from packs.formats.task import (
    Answer,
    Environment,
    EvidenceCase,
    GraderSpec,
    Hook,
    JudgeSpec,
    Task,
    WorkspaceFile,
    WorkspacePlan,
)

TASK = Task(
    format="f",
    challenge_key="c",
    input_set_key="s",
    case_key="k",
    title="T",
    prompt="Mend it",
    visible={"question": "why?"},
    hidden={"answer": "SECRET"},
    evidence=EvidenceCase({}),
    environment=Environment(files=(WorkspaceFile("a.txt", "seen", read_only=True),)),
    graders=(
        GraderSpec("told", "exact_match", "final_output", "literal:SECRET"),
        GraderSpec("ran", "terminal_task", config={"run": "TESTS"}, files=(WorkspaceFile("t.sh", "TESTS"),)),
    ),
    judges=(JudgeSpec("kind", "rubric", ("m",), "SECRET rubric"),),
    reference="SECRET",
    staged={"checker": "TESTS"},
)


def by_key(task, leaks=()):
    return {side.key: side for side in sides(task, leaks)}


def names(side):
    return [(value.name, value.lane) for value in side.values]


def test_hidden_things_stand_with_the_evaluator_alone():
    found = by_key(TASK)
    for key in ("agent", "test_sandbox", "result"):
        assert "SECRET" not in repr(found[key]), key
    assert "SECRET" in repr(found["evaluator"])
    assert "TESTS" not in repr(found["evaluator"])


def test_staged_things_reach_the_test_sandbox_and_not_the_agent():
    found = by_key(TASK)
    assert "TESTS" not in repr(found["agent"])
    assert names(found["test_sandbox"]) == [("question", Lane.PUBLIC), ("checker", Lane.STAGED)]
    assert [(placed.file.path, placed.lane) for placed in found["test_sandbox"].files] == [
        ("a.txt", Lane.PUBLIC),
        ("t.sh", Lane.STAGED),
    ]


def test_files_that_only_graders_may_read_are_staged():
    environment = replace(TASK.environment, material=(WorkspaceFile("graders/check.py", "TESTS"),))
    found = by_key(replace(TASK, environment=environment, staged={}, graders=()))
    assert "check.py" not in repr(found["agent"])
    assert found["test_sandbox"].files[-1].lane is Lane.STAGED


def test_where_nothing_is_run_the_test_sandbox_sees_nothing():
    side = by_key(replace(TASK, staged={}, graders=TASK.graders[:1]))["test_sandbox"]
    assert (side.values, side.files) == ((), ())


def test_results_name_what_is_hidden_without_its_value():
    withheld = [(value.name, value.value) for value in by_key(TASK)["result"].values if value.is_withheld]
    assert withheld == [("checker", None), ("answer", None)]


def test_a_leak_is_marked_where_it_stands():
    answer = Answer((), "seen")
    agent = by_key(TASK, [Leak(answer, "a.txt")])["agent"]
    assert [placed.is_leaked for placed in agent.files] == [True]
    assert not agent.prompt_is_leaked
    agent = by_key(TASK, [Leak(answer, PROMPT), Leak(answer, CONTEXT)])["agent"]
    assert agent.prompt_is_leaked
    assert agent.values[0].is_leaked


def test_each_hook_is_shown_with_what_it_will_be_told_and_the_agent_sees_none():
    plan = WorkspacePlan(hooks=(Hook("before_each", ("python3", "a.py"), "evals"), Hook("after_all", ("true",))))
    task = replace(TASK, hidden={"metadata": {"patch": "PATCH"}}, environment=Environment(workspace=plan))
    found = by_key(replace(task, environment=Environment(workspace=replace(plan, isolation="shared"))))
    told = {value.name: value.value for value in found["test_sandbox"].values}
    assert told["hook before_each"]["input"]["case_metadata"] == {"patch": "PATCH"}
    assert told["hook before_each"]["directory"] == "evals"
    assert told["hook after_all"]["input"]["test_id"] == "__after_all__"
    assert "PATCH" not in repr(found["agent"])
