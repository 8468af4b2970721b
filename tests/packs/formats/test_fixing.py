"""Fixes: what a slip becomes again, what is left alone, and what fixing does to files."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.archives import read_path, write_zip
from packs.formats.checking import check_files
from packs.formats.command import main
from packs.formats.fixing import fix_files

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = sorted((ROOT / "packs" / "samples").iterdir())
KEY = re.compile(r"\s*(?:- )*([a-z_]{4,}):")
SUITE = """\
# Cities
name: cities   # stays
tests:
  - id: {id}
    input: "Where is it?"  # asked
    {criteria}: Says Lisbon
    assertions:
      - {{type: {type}, value: Lisbon}}
  - {{id: b, input: q, criteria: {answer}}}
"""
RIGHT = {"id": "a", "criteria": "criteria", "type": "contains", "answer": "fine"}


def suite(**slips):
    return SUITE.format(**RIGHT | slips)


def fixed(text, name="cities.eval.yaml"):
    found = fix_files({name: text.encode()})
    return found.files.get(name, text.encode()).decode(), [fix.label for _, fix in found.fixes]


def test_values_that_only_forms_know_have_fixes():
    pack = (ROOT / "packs" / "samples" / "unit-conversion.yaml").read_text()
    tool = 'tools: {custom: [{name: read, implementation: {primitive: reed_file, args: {path: "a"}}}]}\n'
    found = fix_files({"pack.yaml": f"{pack}{tool}".encode()})
    assert [fix.label for _, fix in found.fixes] == ['Change primitive to "read_file"']
    mock = "tools: {custom: [{name: read, implementation: {type: mock, strategy: statik}}]}\n"
    found = fix_files({"pack.yaml": f"{pack}{mock}".encode()})
    assert [fix.label for _, fix in found.fixes] == ['Change strategy to "static"']


@pytest.mark.parametrize(
    ("slip", "label"),
    [
        ({"criteria": "criterria"}, "Rename criterria to criteria"),
        ({"criteria": "expected_outcome"}, "Rename expected_outcome to criteria"),
        ({"type": "contians"}, 'Change type to "contains"'),
        ({"type": "Contains"}, 'Change type to "contains"'),
    ],
)
def test_a_slip_becomes_what_was_meant_and_the_rest_of_the_text_stays(slip, label):
    assert fixed(suite(**slip)) == (suite(), [label])


def test_a_value_of_another_type_is_converted_where_that_loses_nothing():
    assert fixed(suite(id="7")) == (suite(id='"7"'), ['Change id to "7"'])
    assert fixed(suite(answer="{x: 1}")) == (suite(answer="{x: 1}"), [])


def test_the_second_of_two_equal_keys_gets_the_next_number():
    assert fixed(suite(id="b")) == (suite(id="b").replace("{id: b,", "{id: b-2,"), ['Change id to "b-2"'])


def test_several_slips_of_one_case_are_fixed_one_after_the_other():
    text, labels = fixed(suite(criteria="criterria", type="contians"))
    assert text == suite()
    assert len(labels) == 2


def test_a_name_that_is_like_nothing_known_is_kept_and_left_alone():
    text = suite(criteria="zebra")
    assert fixed(text) == (text, [])


def lines_of_samples():
    """Every line of the YAML samples of ours that states a key: the pack's files, the file, the line and the key."""
    for path in SAMPLES:
        files, _ = read_path(path)
        for name in sorted(files):
            lines = files[name].decode().splitlines(keepends=True) if name.endswith((".yaml", ".yml")) else []
            yield from ((files, name, at, found[1]) for at, line in enumerate(lines) if (found := KEY.match(line)))


@given(st.sampled_from(list(lines_of_samples())), st.data())
def test_a_misspelled_key_of_a_sample_is_restored_to_the_letter_or_left_alone(sample, data):
    files, name, at, key = sample
    cut = data.draw(st.integers(1, len(key) - 2))
    lines = files[name].decode().splitlines(keepends=True)
    lines[at] = lines[at].replace(key, key[:cut] + key[cut + 1 :], 1)
    slipped = {**files, name: "".join(lines).encode()}
    found = fix_files(slipped)
    now = {**slipped, **found.files}
    assert now == files if found.fixes else now == slipped


def test_what_is_fixed_is_written_and_what_is_left_is_reported(tmp_path):
    place, out = tmp_path / "cities.eval.yaml", StringIO()
    place.write_text(suite(criteria="criterria", answer="{x: 1}"))
    assert main(["check", "--fix", str(place)], out) == 1
    assert place.read_text() == suite(answer="{x: 1}")
    assert "cities.eval.yaml:6: fixed agentv.W115 Rename criterria to criteria" in out.getvalue()
    assert "error agentv.E117" in out.getvalue()


def test_fixes_are_part_of_the_json_document(tmp_path):
    place, out = tmp_path / "cities.eval.yaml", StringIO()
    place.write_text(suite(type="contians"))
    assert main(["check", "--fix", "--json", str(place)], out) == 0
    [result] = json.loads(out.getvalue())["results"]
    assert [(fix["code"], fix["fix"]) for fix in result["fixes"]] == [("agentv.W132", 'Change type to "contains"')]
    assert result["fine"]


def test_an_archive_is_not_changed_in_place(tmp_path):
    place, err = tmp_path / "cities.zip", StringIO()
    place.write_bytes(write_zip({"cities.eval.yaml": suite(type="contians").encode()}))
    before = place.read_bytes()
    assert main(["check", "--fix", str(place)], StringIO(), err) == 2
    assert "unpack it" in err.getvalue()
    assert place.read_bytes() == before


def test_what_has_no_place_in_the_text_is_written_in_the_canonical_form():
    rows = b'{"id": "a", "input": {"question": "Q"}, "eval": {"accepted_answers": ["Hull"]}, "metdata": {"x": 1}}\n'
    manifest = (ROOT / "packs/samples/parcel-quiz/manifest.yaml").read_bytes()
    found = fix_files({"manifest.yaml": manifest, "tasks.jsonl": rows})
    assert [fix.label for _, fix in found.fixes] == ["Rename metdata to metadata"]
    assert list(found.files) == ["tasks.jsonl"]
    assert json.loads(found.files["tasks.jsonl"])["metadata"] == {"x": 1}


def test_a_misspelled_reference_becomes_the_name_that_the_pack_declares():
    text = (ROOT / "packs/samples/unit-conversion.yaml").read_text()
    before, reference, after = text.rpartition("challenge_key: ")
    key = after.split()[0]
    slipped = before + reference + after.replace(key, key[:-2] + key[-1], 1)
    assert fixed(slipped, "unit-conversion.yaml") == (text, [f'Change challenge_key to "{key}"'])


PARCELS = """\
name: parcels
tests:
- id: where
  criteria: Names the hub.
  input:
  - role: user
    content:
    - {{type: file, value: {file}}}
  assertions:
  - {{type: llm-grader, prompt: "file://{prompt}"}}
  - {{type: code-grader, command: [python, ./{program}]}}
"""
FILES = {"evals/map.md": b"x", "evals/prompt.md": b"{{output}}", "evals/check.py": b"1"}
THERE = {"file": "map.md", "prompt": "prompt.md", "program": "check.py"}


@pytest.mark.parametrize("slip", [{"file": "mapp.md"}, {"prompt": "promt.md"}, {"program": "chek.py"}])
def test_a_slip_in_the_name_of_a_file_becomes_the_file_that_is_there(slip):
    name = "evals/parcels.eval.yaml"
    found = fix_files({**FILES, name: PARCELS.format(**THERE | slip).encode()})
    assert len(found.fixes) == 1
    assert THERE[next(iter(slip))] in found.fixes[0][1].label


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("input_files: [mapp.md]\n", ("input_sets", 0, "input_files", 0)),
        ("", ("input_sets", 0, "cases", 0, "input_files", 1)),
    ],
)
def test_a_slip_in_the_files_before_an_input_is_said_and_fixed_where_it_is_stated(entry, path):
    """AgentV makes blocks of them; no such block stands in the document."""
    files = "" if entry else "  input_files: [map.md, mapp.md]\n"
    suite = f"name: parcels\n{entry}tests:\n- id: where\n  criteria: Names the hub.\n  input: Where?\n{files}"
    found = fix_files({"evals/map.md": b"x", "evals/parcels.eval.yaml": suite.encode()})
    [(finding, fix)] = found.fixes
    assert (finding.path, fix.value) == (path, "map.md")
    assert found.files["evals/parcels.eval.yaml"] == suite.replace("mapp.md", "map.md").encode()
    assert found.checked.findings == []


def test_a_shared_file_that_a_test_names_by_its_own_values_is_said_at_the_test():
    test = b"tests:\n- {id: where, criteria: Hub., input: Where?, vars: {n: 5, m: lost.md}}\n"
    suite = b"name: parcels\ninput_files: ['{{n}}', map.md, '{{m}}']\n" + test
    checked = check_files({"evals/map.md": b"x", "evals/parcels.eval.yaml": suite}, "agentv")
    assert [(found.code, found.path) for found in checked.findings] == [
        ("agentv.W212", ("input_sets", 0, "cases", 0, "input"))
    ]


def test_a_file_that_is_like_no_other_has_no_fix():
    name = "evals/parcels.eval.yaml"
    assert fix_files({**FILES, name: PARCELS.format(**THERE | {"file": "invoice.pdf"}).encode()}).fixes == []
