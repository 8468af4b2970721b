"""The corpus of real challenge packs, and what the vectors say of stored documents and normal forms."""

from typing import Any

import pytest

from packs.formats import challenge_pack, yamlio
from packs.formats.challenge_pack.normal import manifest
from packs.formats.challenge_pack.stored import is_payload_only
from packs.formats.document import NodeKind
from packs.formats.task import Task
from tests.corpora import corpus_folder

FOLDER = corpus_folder("challenge-pack")
PACKS = sorted(path for path in FOLDER.glob("*.yaml") if not path.name.endswith("vectors.yaml"))
VECTORS, _ = yamlio.read((FOLDER / "vectors.yaml").read_bytes(), file="vectors.yaml", dialect=yamlio.CORE_12)


def vectors(*having: str) -> list[Any]:
    """The vectors that state all of these, as parameters named after them."""
    return [
        pytest.param(vector, id=vector["name"])
        for vector in VECTORS["vectors"]
        if all(name in vector for name in having)
    ]


def files_of(vector: dict[str, Any]) -> dict[str, bytes]:
    return {"pack.yaml": vector["yaml"].encode()}


def assert_round_trip(files: dict[str, bytes]) -> None:
    pack, _ = challenge_pack.load(files)
    if pack is None:
        return
    canonical = challenge_pack.dump(pack)
    again, _ = challenge_pack.load(canonical)
    assert again == pack
    assert challenge_pack.dump(again) == canonical
    assert manifest(again) == manifest(pack)


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)
def test_a_real_pack_survives_reading_and_writing(path):
    assert_round_trip({path.name: path.read_bytes()})


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)
def test_a_real_pack_is_recognised_as_it_is_and_as_it_is_written(path):
    files = {path.name: path.read_bytes()}
    pack, findings = challenge_pack.load(files)
    assert not [finding for finding in findings if finding.is_error]
    assert challenge_pack.recognises(files)
    assert challenge_pack.recognises(challenge_pack.dump(pack))


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)
def test_every_case_of_a_real_pack_becomes_a_task_that_hides_its_expectations(path):
    pack, _ = challenge_pack.load({path.name: path.read_bytes()})
    tasks = list(challenge_pack.compile_tasks(pack))
    assert len(tasks) == sum(len(input_set.cases) for input_set in pack.input_sets)
    for task in tasks:
        assert isinstance(task, Task)
        assert "expectations" not in task.visible.get("case", {})
        assert "expectations" not in task.prompt


def test_a_file_that_is_no_longer_a_pack_is_refused_with_the_lines_of_both_keys():
    path = FOLDER / "invalid" / "cli-smoke-ruff.yaml"
    _, findings = challenge_pack.load({path.name: path.read_bytes()})
    errors = [finding for finding in findings if finding.is_error]
    assert [(error.rule, error.line) for error in errors] == [("D2", 5)]


@pytest.mark.parametrize("vector", vectors("yaml"))
def test_a_vector_survives_reading_and_writing(vector):
    assert_round_trip(files_of(vector))


@pytest.mark.parametrize("vector", vectors("stored"))
def test_a_vector_is_stored_as_it_says(vector):
    pack, _ = challenge_pack.load(files_of(vector))
    stored = [
        {"input_set": input_set.key, "item_key": case.key, "document": challenge_pack.stored_document(case)}
        for input_set in pack.input_sets
        for case in input_set.cases
    ]
    stated = [{name: entry[name] for name in ("input_set", "item_key", "document")} for entry in vector["stored"]]
    assert stored == stated
    wrapped = [entry["document"] for entry in stored if "schema_version" in entry["document"]]
    assert [list(document) for document in wrapped] == [
        list(e["document"]) for e in vector["stored"] if not e["legacy"]
    ]


@pytest.mark.parametrize("vector", vectors("stored"))
def test_a_stored_vector_tells_payload_only_cases_apart(vector):
    pack, _ = challenge_pack.load(files_of(vector))
    sets = manifest(pack)["input_sets"]
    legacy = [is_payload_only(case) for input_set in sets for case in input_set["cases"]]
    assert legacy == [entry["legacy"] for entry in vector["stored"]]


def normal_values(pack: Any) -> dict[str, Any]:
    """What vectors state of a normal form, by the names that they use."""
    found = manifest(pack)
    case, challenge = found["input_sets"][0]["cases"][0], found["challenges"][0]
    security = found.get("security", {})
    return {
        "slug": found["pack"]["slug"],
        "family": found["pack"]["family"],
        "challenge_key": case["challenge_key"],
        "case_key": case["case_key"],
        "item_key": case["item_key"],
        "input_kind": next((given["kind"] for given in case.get("inputs", ())), None),
        "definition": challenge["definition"] or None,
        "dimensions": found["evaluation_spec"]["scorecard"]["dimensions"],
        "default_severity": security.get("default_severity"),
        "location": next((secret["location"] for secret in security.get("planted_secrets", ())), None),
        "strategy": next((prompt["strategy"] for prompt in security.get("adversarial_prompts", ())), None),
    }


@pytest.mark.parametrize("vector", vectors("normalized"))
def test_a_vector_is_normalised_as_it_says(vector):
    pack, _ = challenge_pack.load(files_of(vector))
    stated = {name: value for name, value in vector["normalized"].items() if name != "note"}
    found = normal_values(pack)
    assert {name: found[name] for name in stated} == stated


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)
def test_a_real_pack_has_no_errors(path):
    pack, findings = challenge_pack.load({path.name: path.read_bytes()})
    found = [*findings, *challenge_pack.check(pack)]
    assert [finding.as_dict() for finding in found if finding.is_error] == []


@pytest.mark.parametrize("vector", vectors("valid"))
def test_a_vector_is_valid_or_not_as_it_says_and_at_the_fields_that_it_names(vector):
    pack, findings = challenge_pack.load(files_of(vector))
    found = [*findings, *(challenge_pack.check(pack) if pack else ())]
    errors = {finding.field_path for finding in found if finding.is_error}
    assert (not errors) == vector["valid"], vector["name"]
    if not vector.get("decode_error"):
        assert errors == {error["field"] for error in vector["errors"]}, vector["name"]


@pytest.mark.parametrize("vector", vectors("decode_error"))
def test_a_vector_that_cannot_be_decoded_says_where(vector):
    files = files_of(vector)
    pack, findings = challenge_pack.load(files)
    found = [*findings, *(challenge_pack.check(pack) if pack else ())]
    decoding = [one for one in challenge_pack.place(files, found) if one.is_error and one.rule in ("D2", "D3", "D4")]
    assert decoding
    assert all(one.line > 0 for one in decoding)
    assert {one.rule for one in decoding} <= set(vector["rules"])


def test_a_canonical_node_is_the_same_through_the_lens_for_every_node_of_the_corpus():
    for path in PACKS:
        pack, _ = challenge_pack.load({path.name: path.read_bytes()})
        for address, document in pack.nodes():
            text = challenge_pack.dump_node(address.kind, document)
            again, findings = challenge_pack.load_node(NodeKind(address.kind), text)
            assert (again, findings) == (document, []), (path.name, address)
