"""Whole packs: cases are proven beside others of their set, and what is known is not tried again."""

from runs.proof.document import CaseState
from runs.proof.packing import MANY, NEAR, prove_pack
from runs.proof.probes import Work
from tests.runs.proof.makers import TIDY, Nothing, challenge, compiled, program, prover_of, rows


class Memory(Nothing):
    def __init__(self):
        self.known = {}
        self.asked = 0

    def get(self, digest):
        self.asked += 1
        return self.known.get(digest)

    def add(self, digest, proof):
        self.known[digest] = proof


def test_many_cases_are_proven_in_their_order_by_several_processes():
    answers = [f"place {number}" for number in range(MANY + 5)]
    pack, tasks = compiled(challenge({"v": TIDY}, answers, asked="Answer exactly with the name."))
    proofs = [proof for _, proof in prove_pack(prover_of(pack), tasks, tasks, Nothing())]
    assert [proof.case_key for proof in proofs] == [task.case_key for task in tasks]
    assert {proof.state for proof in proofs} == {CaseState.PROVEN}


def test_only_cases_that_changed_are_tried_again():
    memory = Memory()
    pack, tasks = compiled(challenge({"v": TIDY}, [f"place {number}" for number in range(NEAR + 8)]))
    list(prove_pack(prover_of(pack), tasks, tasks, memory))
    known = dict(memory.known)
    changed = [f"place {number}" for number in range(NEAR + 7)] + ["elsewhere"]
    pack, tasks = compiled(challenge({"v": TIDY}, changed))
    list(prove_pack(prover_of(pack), tasks, tasks, memory))
    # The changed one, and those that are tried beside it.
    assert len(memory.known) - len(known) == NEAR + 1


def test_cases_before_and_behind_are_neighbours():
    pack, tasks = compiled(challenge({"v": ("contains", "case.expectations.answer")}, ["Leeds", "Leeds hub"]))
    (_, first), (_, second) = prove_pack(prover_of(pack), tasks, tasks, Nothing())
    assert "accepts_other_case" in [reason.code for reason in first.reasons]
    assert "accepts_other_case" not in [reason.code for reason in second.reasons]


def test_files_are_left_beside_those_that_were_given_unless_they_are_deleted():
    line = ("terminal_task", {"instructions": "Do it."}, {"checker": {"command": "true"}})
    pack, tasks = compiled(rows(line))
    prover = prover_of(pack)
    given = prover.left(tasks[0], Work(files={"a": "b"}))
    assert given.pop("a") == b"b"
    assert given.keys() == {file.path for file in tasks[0].environment.files}
    assert prover.left(tasks[0], Work(files={"a": "b"}, deletes=True)) == {"a": b"b"}


def test_few_cases_with_programs_come_out_the_same_by_several_processes():
    made = [program(f"assert f(3) == {3 * by}", f"def f(x):\n    return x * {by}\n") for by in (2, 5)]
    pack, tasks = compiled(rows(*made))
    together, alone = (
        [proof for _, proof in prove_pack(prover_of(pack), tasks, tasks, Nothing(), alone=alone)]
        for alone in (False, True)
    )
    assert together == alone
    assert [proof.case_key for proof in together] == ["case-1", "case-2"]
