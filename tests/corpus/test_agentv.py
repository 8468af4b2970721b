"""The corpus of AgentV evals: what the vectors say of findings and loading; real suites are read and written."""

import pytest

from packs.formats import agentv, yamlio
from packs.formats.agentv.arranging import ARRANGEMENTS, arranged
from packs.formats.agentv.checks.workspaces import WORKSPACE_RULES, check_classic, check_pinned
from packs.formats.agentv.layout import is_suite_name
from packs.formats.agentv.schema.workspace import CLASSIC, PINNED
from packs.formats.agentv.settings import settings_of, suite_name, target_names
from packs.formats.agentv.variants import VARIANTS, write_variant
from packs.formats.findings import has_errors
from packs.formats.structure import Structure
from tests.corpora import corpus_folder
from tests.original.ours import findings_in, loaded_of, place_of

FOLDER = corpus_folder("agentv")


def read_corpus(name):
    return yamlio.read((FOLDER / name).read_bytes(), dialect=yamlio.CORE_12)[0]


VECTORS, EXPECTED = read_corpus("vectors.yaml"), read_corpus("expected.yaml")
PACKS = sorted({FOLDER / entry["suite"].split("/")[0] for entry in EXPECTED})
# What AgentV's loader notes about keys and files that its checks have told already is one finding here.
SAID_BEFORE = {"L13": {"S05", "S14"}, "L12": {"S56"}, "L01": {"S01", "S02"}, "L03": {"S08"}}
SAID_BEFORE |= {"L04": {"S11", "S10", "S01"}, "L09": {"S45"}}
# The environment that the vectors were run in.
ENVIRONMENT = b"AGENTV_VEC_TEXT=hello\n"


def files_of(vector):
    files = {name: text.encode() for name, text in vector["files"].items()}
    return files | ({".env": ENVIRONMENT} if "AGENTV_VEC" in str(vector["files"]) else {})


def named_place(finding):
    """Where a finding is, in the words of the vectors."""
    return place_of(finding) or "(file)"


def named(vectors):
    return [pytest.param(vector, id=vector["name"]) for vector in vectors]


@pytest.mark.parametrize("vector", named(VECTORS))
def test_a_vector_has_just_its_errors_and_at_least_its_warnings(vector):
    _, findings = findings_in(files_of(vector))
    errors = {(found.rule, named_place(found)) for found in findings if found.is_error}
    others = {(found.rule, named_place(found)) for found in findings if not found.is_error}
    assert errors == {(stated["rule"], stated["location"]) for stated in vector["errors"]}
    assert others >= {(stated["rule"], stated["location"]) for stated in vector.get("warnings", [])}
    assert has_errors(findings) is not vector["valid"]


@pytest.mark.parametrize("vector", named(VECTORS))
def test_a_vector_tells_what_the_loader_says_without_telling_the_author(vector):
    _, findings = findings_in(files_of(vector))
    rules = {found.rule for found in findings}
    notes = [note["rule"] for note in vector.get("load_notes", [])]
    if vector.get("load") == "refused" and "entry" in vector and not is_list(vector):
        notes.append(vector["load_reason"]["rule"])
    assert [rule for rule in notes if rule not in rules and not rules & SAID_BEFORE.get(rule, set())] == []


def is_list(vector):
    """A bare list of tests, which AgentV checks but does not run; here it is a suite."""
    return vector["files"][vector["entry"]].startswith("- ")


@pytest.mark.parametrize("vector", named(vector for vector in VECTORS if "tests" in vector))
def test_a_vector_loads_just_its_tests(vector):
    pack, _ = agentv.load(files_of(vector))
    tests = loaded_of(pack, vector["entry"])
    assert len(tests) == vector["tests"]
    assert [test.id for test in tests] == vector.get("ids", [test.id for test in tests])
    types = [[assertion["type"] for assertion in test.assertions] for test in tests]
    assert types == vector.get("assertion_types", types)
    for test, facts in zip(tests, vector.get("loaded", []), strict=False):
        told = {
            "input": test.input,
            "expected_output": test.expected,
            "reference_answer": test.reference,
            "criteria": test.criteria,
            "metadata": test.metadata,
            "workspace": test.workspace,
            "assertions": test.assertions,
        }
        # Rows that AgentV runs directly lose their metadata there; here they become a suite, which keeps them.
        is_kept = vector["entry"].endswith(".jsonl")
        assert {name: told[name] for name in facts if name != "metadata" or not is_kept} == (
            facts if not is_kept else {}
        )


@pytest.mark.parametrize("vector", named(vector for vector in VECTORS if "other_dialect" in vector))
def test_the_other_generation_says_of_a_repository_what_the_vector_states(vector):
    schema, check = (PINNED, check_pinned) if vector["dialect"] == "classic" else (CLASSIC, check_classic)
    pack, _ = agentv.load(files_of(vector))
    repositories = pack.input_sets[0].document["workspace"]["repos"]
    refused = Structure(schema, WORKSPACE_RULES, WORKSPACE_RULES).examine({"repos": repositories})
    others = [rule for each in repositories for rule, _ in check(each)]
    told = [found.rule for found in (*refused, *others) if found.severity == "error"]
    assert sorted(told) == sorted(error["rule"] for error in vector["other_dialect"]["errors"])


@pytest.mark.parametrize("vector", named(VECTORS))
def test_a_vector_survives_reading_and_writing(vector):
    pack, _ = agentv.load(files_of(vector))
    if pack is None:
        return
    written = agentv.dump(pack)
    again, _ = agentv.load(written)
    assert again == pack
    assert agentv.dump(again) == written


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def pack_of(entry):
    folder = FOLDER / entry["suite"].split("/")[0]
    return files_below(folder), entry["suite"].partition("/")[2]


SUITES = [pytest.param(entry, id=entry["suite"]) for entry in EXPECTED]


@pytest.mark.parametrize("entry", SUITES)
def test_a_real_suite_has_the_verdict_and_the_warnings_of_the_reference(entry):
    files, name = pack_of(entry)
    _, findings = findings_in(files)
    mine = [found for found in findings if found.file == name or not found.file.endswith((".yaml", ".yml"))]
    assert has_errors(mine) is not entry["valid"]
    assert {named_place(found) for found in mine if not found.is_error} >= set(entry.get("warnings", []))


@pytest.mark.parametrize("entry", SUITES)
def test_a_real_suite_has_the_name_and_settings_of_the_reference(entry):
    files, name = pack_of(entry)
    pack, _ = agentv.load(files)
    suite = next(found.document for found in pack.input_sets if found.key == name)
    assert suite_name(suite) == entry["suite_name"]
    is_named = is_suite_name(name) or suite.get("$schema") == "agentv-eval-v2"
    assert is_named is entry["recognised_by_name"]
    settings = settings_of(suite)
    targets = [{"name": target} if isinstance(target, str) else target for target in settings.pop("targets", [])]
    stated = dict(entry.get("execution", {}))
    assert targets == stated.pop("target_refs", targets)
    assert {key: settings.get(key) for key in stated} == stated


@pytest.mark.parametrize("entry", SUITES)
def test_a_real_suite_loads_as_the_reference_loads_it(entry):
    files, name = pack_of(entry)
    pack, _ = agentv.load(files)
    tests = loaded_of(pack, name)
    assert [facts_of(test, fact) for test, fact in zip(tests, entry["tests"], strict=True)] == entry["tests"]


def facts_of(test, wanted):
    """The facts of a loaded test in the words of the expectation."""
    blocks = [block for message in test.input if isinstance(message["content"], list) for block in message["content"]]
    document, workspace = test.document, test.workspace or {}
    told = {
        "id": test.id,
        "input_roles": [message["role"] for message in test.input],
        "expected_roles": [message["role"] for message in test.expected],
        "input_files": [block["value"] for block in blocks if block["type"] == "file"],
        "assertions": [{"name": found["name"], "type": found["type"]} for found in test.assertions],
        "workspace": sorted(workspace),
        "template": workspace.get("template"),
        "metadata_keys": list(test.metadata or {}),
        "conversation_id": document.get("conversation_id"),
        "depends_on": document.get("depends_on"),
        "on_dependency_failure": document.get("on_dependency_failure"),
        "threshold": settings_of(document).get("threshold"),
        "targets": target_names({}, document),
        "mode": document.get("mode"),
        "turns": len(document.get("turns", [])),
    }
    return {name: told[name] for name in wanted}


@pytest.mark.parametrize("folder", PACKS, ids=lambda path: path.name)
def test_a_real_pack_is_written_without_loss_and_stays_the_same(folder):
    pack, _ = agentv.load(files_below(folder))
    written = agentv.dump(pack)
    again, _ = agentv.load(written)
    assert again == pack
    assert agentv.dump(again) == written


@pytest.mark.parametrize("folder", PACKS, ids=lambda path: path.name)
def test_a_real_pack_is_recognised_and_compiled(folder):
    files = files_below(folder)
    assert agentv.recognises(files)
    pack, _ = agentv.load(files)
    tasks = list(agentv.compile_tasks(pack))
    assert len(tasks) == sum(len(found.cases) for found in pack.input_sets)
    kept = [task for task in tasks if not task.environment.obstacle]
    assert len(kept) == sum(len(loaded_of(pack, found.key)) for found in pack.input_sets)
    assert all(task.prompt and task.graders for task in kept)


@pytest.mark.parametrize("folder", PACKS, ids=lambda path: path.name)
def test_a_real_pack_keeps_its_facts_wherever_its_tests_stand(folder):
    pack, _ = agentv.load(files_below(folder))
    for position, suite in enumerate(pack.input_sets):
        for how in ARRANGEMENTS:
            moved = arranged(pack, position, how)
            again, findings = agentv.load(agentv.dump(moved))
            assert again == moved
            assert not has_errors(findings)
            assert told(again, suite.key) == told(pack, suite.key)


def told(pack, key):
    facts = [
        (test.id, test.input, test.expected, test.metadata, test.workspace, test.assertions)
        for test in loaded_of(pack, key)
    ]
    return sorted(facts, key=lambda fact: fact[0])


@pytest.mark.parametrize("folder", PACKS, ids=lambda path: path.name)
def test_a_real_pack_is_written_for_every_generation(folder):
    pack, _ = agentv.load(files_below(folder))
    for variant in VARIANTS:
        files, _ = write_variant(pack, variant)
        again, findings = agentv.load(files)
        assert not has_errors(findings)
        count = [len(suite.cases) for suite in again.input_sets]
        assert count == [len(suite.cases) for suite in pack.input_sets]
