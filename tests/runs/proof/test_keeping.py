"""Proofs that were made are found again while nothing that they depend on changed."""

from dataclasses import replace

import pytest

from runs.proof.author import CaseNotes
from runs.proof.cheap import Neighbour
from runs.proof.document import CaseProof, CaseState, Reason
from runs.proof.keeping import Kept, digest_of, mark_of_files, material_of
from runs.proof.probes import Code, Work
from tests.runs.proof.makers import TIDY, challenge, compiled, task_of

PROOF = CaseProof("default", "locate", "one", CaseState.PROVEN)


@pytest.fixture
def pack(tmp_path):
    return tmp_path / "pack.yaml"


def test_a_proof_is_kept_for_the_next_command(tmp_path, pack):
    first = Kept(tmp_path / "proofs", pack)
    first.add("a", PROOF)
    first.save("mark", "agentv", ["a"])
    assert Kept(tmp_path / "proofs", pack).get("a") == PROOF
    assert Kept(tmp_path / "proofs", tmp_path / "other.yaml").get("a") is None


def test_a_pack_of_which_no_file_changed_is_known_without_reading_it(tmp_path, pack):
    files = {"pack.yaml": b"pack: {}"}
    mark = mark_of_files(files, "agentv", None)
    kept = Kept(tmp_path, pack)
    kept.add("a", PROOF)
    kept.save(mark, "agentv", ["a"])
    assert Kept(tmp_path, pack).unchanged(mark) == ("agentv", [PROOF])
    others = [mark_of_files({**files, "x": b""}, "agentv", None), mark_of_files(files, "agentv", 5)]
    assert [Kept(tmp_path, pack).unchanged(other) for other in others] == [None, None]
    # A case that was not kept has to be tried again.
    kept.save(mark, "agentv", ["a", "b"])
    assert Kept(tmp_path, pack).unchanged(mark) is None


def test_what_was_not_used_is_forgotten(tmp_path, pack):
    first = Kept(tmp_path, pack)
    first.add("a", PROOF)
    first.add("b", PROOF)
    first.save("mark", "agentv", ["a"])
    second = Kept(tmp_path, pack)
    second.get("a")
    second.save("mark", "agentv", ["a"])
    assert set(Kept(tmp_path, pack).known) == {"a"}


def test_what_another_machine_would_find_is_not_kept(tmp_path, pack):
    kept = Kept(tmp_path, pack)
    kept.add("a", replace(PROOF, reasons=(Reason(Code.NEEDS_SANDBOX, "There is none."),)))
    kept.save("mark", "agentv", ["a"])
    assert Kept(tmp_path, pack).get("a") is None


@pytest.mark.parametrize("content", [b"", b"[1]", b'{"whole": {}, "proofs": {"a": {"state": "fine"}}}', b"\xff"])
def test_a_broken_file_is_as_good_as_none(tmp_path, pack, content):
    kept = Kept(tmp_path, pack)
    kept.file.write_bytes(content)
    assert Kept(tmp_path, pack).known == {}


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path, pack):
    (tmp_path / "file").write_text("")
    kept = Kept(tmp_path / "file", pack)
    kept.add("a", PROOF)
    kept.save("mark", "agentv", ["a"])
    assert Kept(tmp_path / "file", pack).known == {}


def test_the_digest_changes_with_all_that_a_proof_depends_on():
    task = task_of("one")
    digests = {
        digest_of(task, [], CaseNotes(), ""),
        digest_of(task_of("one", expected="depot"), [], CaseNotes(), ""),
        digest_of(task, [Neighbour("two", "York", "x")], CaseNotes(), ""),
        digest_of(task, [], CaseNotes(reference=Work("Leeds")), ""),
        digest_of(task, [], CaseNotes(), "other files"),
    }
    assert len(digests) == 5
    assert digest_of(task_of("one"), [], CaseNotes(), "") in digests


def test_files_of_a_pack_count_by_path_and_content():
    files = challenge({"v": TIDY}, ["Leeds"])
    added = [{}, {"a.txt": b"1"}, {"a.txt": b"2"}, {"b.txt": b"1"}]
    assert len({material_of(compiled({**files, **more})[0]) for more in added}) == 4
