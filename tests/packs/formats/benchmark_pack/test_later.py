import pytest

from packs.formats.benchmark_pack import check, load
from packs.formats.benchmark_pack.later import converted
from tests.packs.formats.benchmark_pack.samples import pack_files

ENVIRONMENT = {"image": "i", "workdir": "/w"}
POLICY = {"allow_paths": ["src/"], "patch_preserved_paths": ["src/keep"]}
PATCH = {
    "id": "p",
    "family": "repo_patch",
    "environment": ENVIRONMENT,
    "input": {"repo": "r", "base_commit": "c", "instructions": "i"},
    "eval": {"tests": {"source": "command", "command": ["make"]}, "candidate_policy": POLICY},
}


def checked_by(source):
    checker = {"source": source, "path": "t/check", "timeout_seconds": 5}
    given = {"instructions": "I"}
    return {
        "id": "t",
        "family": "terminal_task",
        "environment": ENVIRONMENT,
        "input": given,
        "eval": {"checker": checker},
    }


def convert(row):
    """The converted row, the codes of what is said of it, and the errors that are left."""
    pack, _ = load(pack_files(rows=[row], beside={"hidden/t/check": "true"}))
    found, done = converted(pack)
    errors = [finding for finding in check(found) if finding.is_error]
    return found.input_sets[0].cases[0].document, [finding.code[-4:] for finding in done], errors


def test_a_policy_beside_the_tests_moves_into_them_and_what_is_lost_is_said():
    row, codes, errors = convert(PATCH)
    assert row["eval"]["tests"]["candidate_policy"] == {"allow_paths": ["src/"]}
    assert row["metadata"] == {"converted_from": {"candidate_policy": POLICY}}
    assert (codes, errors) == (["W601", "W602"], [])


@pytest.mark.parametrize(
    ("source", "command", "field"),
    [
        ("pytest", "python -m pytest securebench/evaluation_inputs/t/check -rA", "test_files"),
        ("script", "bash securebench/evaluation_inputs/t/check", "run_tests"),
    ],
)
def test_a_checker_of_a_source_becomes_a_command_whose_file_is_staged(source, command, field):
    row, codes, errors = convert(checked_by(source))
    assert row["eval"] == {"checker": {"command": command, "timeout_seconds": 5}, field: {"path": "t/check"}}
    assert (codes, errors) == (["W601"], [])


def test_rows_in_the_old_form_are_left_alone():
    pack, _ = load(pack_files())
    assert converted(pack) == (pack, [])
    assert convert(checked_by("magic"))[1] == []
