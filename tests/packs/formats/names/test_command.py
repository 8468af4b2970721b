import json
from io import StringIO

import pytest

from packs.formats.command import main
from packs.formats.terminal import FINE, USAGE
from tests.packs.formats.names.test_renames import PACK


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "pack.yaml"
    found.write_text(PACK)
    return found


def run(*arguments):
    out, err = StringIO(), StringIO()
    return main(["rename", *map(str, arguments)], out, err), out.getvalue(), err.getvalue()


def test_it_says_how_many_places_before_and_after(path):
    assert run(path, "input", "question", "query", "--check") == (
        FINE,
        "pack.yaml: would change\n6 places would be updated\n",
        "",
    )
    assert path.read_text() == PACK
    assert run(path, "input", "question", "query") == (FINE, "pack.yaml: written\n6 places updated\n", "")
    assert path.read_text() == PACK.replace("question", "query")


def test_it_prints_json(path):
    _, out, _ = run(path, "validator", "right", "exact", "--json")
    assert json.loads(out) == {"files": ["pack.yaml"], "gone": [], "places": 2, "nodes": {"pack": 1}}


@pytest.mark.parametrize(
    ("what", "old", "new", "says"),
    [
        ("castle", "a", "b", "use one of: challenge"),
        ("input", "gone", "b", "There is no input `gone`."),
        ("input", "question", "place", "already"),
    ],
)
def test_it_refuses_with_a_sentence(path, what, old, new, says):
    code, _, err = run(path, what, old, new)
    assert code == USAGE
    assert says in err
    assert path.read_text() == PACK


def test_a_file_of_a_folder_moves(tmp_path):
    rubrics = tmp_path / "evals" / "_shared" / "rubrics"
    rubrics.mkdir(parents=True)
    (rubrics / "tone.md").write_text("# Rubric: Tone (0-4)\n")
    tasks = tmp_path / "evals" / "open_ended"
    tasks.mkdir()
    (tasks / "a_1.yaml").write_text(
        "task_id: a_1\nsuite: open_ended\ndescription: d\ninputs: {user_message: Hello}\n"
        "graders:\n- type: model_rubric  # tone\n  rubric_paths: [../_shared/rubrics/tone.md]\n"
        "  scoring: {weights: {tone: 1.0}}\n"
    )
    code, out, _ = run(tmp_path, "asset", "evals/_shared/rubrics/tone.md", "evals/_shared/rubrics/manner.md")
    assert (code, out.splitlines()[-1]) == (FINE, "1 place updated")
    assert [path.name for path in rubrics.iterdir()] == ["manner.md"]
    text = (tasks / "a_1.yaml").read_text()
    assert "# tone" in text
    assert "manner.md]" in text
    assert "{manner: 1.0}" in text
