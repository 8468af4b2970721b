import orjson

from packs.formats.task import TITLE_LENGTH, Environment, EvidenceCase, GraderSpec, Task, WorkspaceFile, title_of

TASK = Task(
    format="challenge_pack",
    challenge_key="c",
    input_set_key="s",
    case_key="k",
    title="T",
    prompt="What is asked",
    visible={"question": "seen"},
    hidden={"answer": "SECRET-1"},
    evidence=EvidenceCase({"expectations": "SECRET-2"}),
    environment=Environment(files=(WorkspaceFile("data/in.txt", text="content"),)),
    graders=(GraderSpec("g", "exact_match", expected="SECRET-3"),),
    reference="SECRET-4",
    security={"planted": "SECRET-5"},
    conversation={"script": "SECRET-6"},
)


def test_a_title_is_the_first_line_cut_for_lists():
    assert title_of("\n  Where is it?  \nSay why.") == "Where is it?"
    long = title_of("x" * 200)
    assert (len(long), long[-1]) == (TITLE_LENGTH, "…")
    assert title_of(" \n") == ""


def test_nothing_that_is_for_graders_reaches_the_agent():
    shown = orjson.dumps(TASK.for_agent()).decode()
    assert "SECRET" not in shown
    assert "What is asked" in shown
    assert "data/in.txt" in shown


def test_graders_get_everything_that_is_hidden():
    shown = orjson.dumps(TASK.for_graders()).decode()
    assert all(f"SECRET-{number}" in shown for number in range(1, 7))


def test_a_whole_task_is_plain_json_with_both_sides_apart():
    whole = orjson.loads(orjson.dumps(TASK.as_dict()))
    assert (whole["input_set"], whole["case_key"]) == ("s", "k")
    assert "SECRET" not in str(whole["agent"])
    assert "SECRET-3" in str(whole["graders"])
