from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.formats.names.files import rename_in_files
from tests.packs.formats.names.test_renames import PACK

TEXT = PACK.replace(
    '  instructions: "Where is {{question.text}}, {{place}}?"',
    "  instructions: |  # a template\n    Dear desk,\n\n    where is {{question.text}}, {{place}}?",
)


def renamed(files, what, old, new):
    adapter = adapter_of("challenge_pack" if "pack.yaml" in files else "task_suite")
    pack, _ = adapter.load(files)
    return rename_in_files(files, pack, what, old, new)


def test_comments_and_layout_stay():
    text = "# Ours\n" + TEXT
    found = renamed({"pack.yaml": text.encode()}, "inputs", "question", "query")
    assert found.files["pack.yaml"].decode() == text.replace("question", "query")
    assert (found.gone, found.renaming.places) == ((), 6)


def test_a_key_of_a_mapping_is_renamed_in_its_place():
    text = TEXT.replace("payload: {place: York}", "payload: {zone: 1, place: York}  # where")
    found = renamed({"pack.yaml": text.encode()}, "payload", "place", "town")
    assert found.files["pack.yaml"].decode() == text.replace("place", "town")


def test_what_cannot_be_written_into_the_text_is_written_anew():
    text = TEXT.replace("instructions: |  # a template", "instructions: >")
    found = renamed({"pack.yaml": text.encode()}, "inputs", "question", "query")
    pack, findings = adapter_of("challenge_pack").load(found.files)
    assert not findings
    assert pack.challenges[0].document["instructions"] == "Dear desk,\nwhere is {{query.text}}, {{place}}?\n"


def test_a_file_moves_and_what_names_it_follows(tmp_path):
    task = "# Ours\ntask_id: a_1\nsuite: golden\ndescription: d\ngraders: []\n"
    task += "inputs: {repo_path: ../_shared/fixtures/app}\n"
    folder = "evals/_shared/fixtures"
    files = {"evals/golden/a_1.yaml": task.encode(), f"{folder}/app/a.txt": b"a", "README.md": b"kept"}
    found = renamed(files, NodeKind.ASSET, f"{folder}/app", f"{folder}/shop")
    assert found.gone == (f"{folder}/app/a.txt",)
    assert found.files == {
        f"{folder}/shop/a.txt": b"a",
        "evals/golden/a_1.yaml": task.replace("fixtures/app", "fixtures/shop").encode(),
    }
