"""`pack prove`: prove the cases of packs without a database."""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO
from xml.etree.ElementTree import Element, SubElement

from packs.formats import FORMATS, adapter_of
from packs.formats.archives import read_path
from packs.formats.arguments import Misuse, Parser
from packs.formats.checking import Checked, check_files
from packs.formats.choosing import choose
from packs.formats.command import render
from packs.formats.document import PROOF_FILE
from packs.formats.findings import Finding, has_errors
from packs.formats.later import Later
from packs.formats.task import Task
from packs.formats.terminal import FINDINGS, FINE, MACHINERY, USAGE, json_text, plain
from runs.gates.reports import add_suite, junit_text, writable
from runs.proof.author import Notes, read_notes, strangers
from runs.proof.document import CaseProof, CaseState, mean_strength, worst
from runs.proof.keeping import Kept, default_folder, mark_of_files
from runs.sandbox import SANDBOXES
from runs.sandbox.choice import Choice, policy_of

if TYPE_CHECKING:
    from runs.proof import packing
else:
    # The engine, for packs with a case that has to be tried.
    packing = Later("runs.proof.packing")


@dataclass(frozen=True, slots=True)
class Proven:
    """What came of one path: the proofs of its cases, or the findings that stand in their way."""

    path: Path
    format: str
    proofs: Sequence[CaseProof] = ()
    findings: Sequence[Finding] = field(default=())

    @property
    def state(self) -> CaseState:
        return worst(proof.state for proof in self.proofs)

    @property
    def strength(self) -> float | None:
        """The mean of the cases that have one."""
        return mean_strength(proof.strength for proof in self.proofs)

    def as_dict(self) -> dict[str, Any]:
        """The entry of `pack prove --json`."""
        return {
            "path": str(self.path),
            "format": self.format or None,
            "state": self.state.value,
            "strength": self.strength,
            "cases": [proof.as_dict() for proof in self.proofs],
            "findings": [finding.as_dict() for finding in self.findings],
        }


def main(argv: Sequence[str], out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Run `["prove", PATH, "--json"]`.

    The exit code is 0 where every case is proven, 1 where one is not or a pack has errors, 2 for wrong usage, 3 when
    our own machinery failed; with `--json`, `out` gets one JSON document and nothing else.
    """
    out, err = out or sys.stdout, err or sys.stderr
    try:
        arguments = _parser().parse_args(list(argv))
        return _prove(arguments, out)
    except Misuse as misuse:
        err.writelines(f"{plain(line)}\n" for line in str(misuse).splitlines())
        return USAGE
    except SystemExit:
        # Only --help ends this way.
        return FINE
    except BrokenPipeError:
        return FINE
    except Exception as error:  # noqa: BLE001 - the last barrier: whatever fails here is ours, and says so
        err.write(plain(f"Packwright failed: {type(error).__name__}: {error}") + "\n")
        return MACHINERY


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="manage.py pack", description="Prove cases without a database.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("prove", help="try the graders of every case on right and wrong answers")
    command.add_argument("path", nargs="+", type=Path, help="a file, a folder, a ZIP or a TAR")
    command.add_argument("--format", choices=sorted(FORMATS), help="the format (default: recognised)")
    command.add_argument("--pack", default="", metavar="NAME", help="which pack, of several there")
    command.add_argument("--set", dest="input_set", metavar="KEY", help="only the cases of this input set")
    command.add_argument("--cases", type=_count, metavar="N", help="only the first N cases")
    command.add_argument("--json", action="store_true", help="print one JSON document")
    command.add_argument("--junit", type=Path, metavar="FILE", help="write a JUnit report as well")
    command.add_argument("--anew", action="store_true", help="try every case again, also those that did not change")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number above 0")
    return int(text)


def _prove(arguments: argparse.Namespace, out: TextIO) -> int:
    sandbox = Choice(SANDBOXES, policy_of(os.environ))
    results = [_prove_path(path, arguments, sandbox) for path in arguments.path]
    if arguments.junit:
        _write(arguments.junit, as_junit(results))
    if arguments.json:
        out.write(json_text({"results": [result.as_dict() for result in results]}) + "\n")
    else:
        for result in results:
            out.writelines(plain(line) + "\n" for line in _lines(result))
    is_proven = all(result.state is CaseState.PROVEN and not has_errors(result.findings) for result in results)
    return FINE if is_proven else FINDINGS


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error


def _prove_path(path: Path, arguments: argparse.Namespace, sandbox: Choice) -> Proven:
    read, before = _files_of(path)
    beside = _beside(path)
    memory = Kept(default_folder(), path)
    if arguments.anew:
        memory.known = {}
    stated = {f"beside:{beside.name}": beside.read_bytes()} if beside else {}
    mark = mark_of_files({**read, **stated}, arguments.format, arguments.pack, arguments.input_set, arguments.cases)
    as_before = None if before else memory.unchanged(mark)
    if as_before is not None:
        return Proven(path, *as_before)
    checked, notes, findings = _checked(read, before, beside, arguments)
    errors = [finding for finding in findings if finding.is_error]
    if checked.pack is None or errors:
        return Proven(path, checked.format, findings=errors)
    tasks = list(adapter_of(checked.format).compile_tasks(checked.pack))
    strange = strangers(notes, tasks)
    if strange:
        return Proven(path, checked.format, findings=strange)
    chosen = _chosen(tasks, arguments)
    made = list(packing.prove_pack(packing.Prover(checked.pack, notes, sandbox), tasks, chosen, memory))
    memory.save(mark, checked.format, [digest for digest, _ in made])
    return Proven(path, checked.format, [proof for _, proof in made])


def _chosen(tasks: Sequence[Task], arguments: argparse.Namespace) -> list[Task]:
    known = {task.input_set_key for task in tasks}
    if arguments.input_set is not None and arguments.input_set not in known:
        raise Misuse(f"There is no input set {arguments.input_set!r}; there are {', '.join(sorted(known)) or 'none'}.")
    of_set = [task for task in tasks if arguments.input_set in (None, task.input_set_key)]
    return of_set[: arguments.cases]


def _files_of(path: Path) -> tuple[dict[str, bytes], list[Finding]]:
    try:
        read, before = read_path(path)
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error
    return dict(read), list(before)


def _checked(
    read: Mapping[str, bytes], before: Sequence[Finding], beside: Path | None, arguments: argparse.Namespace
) -> tuple[Checked, Notes, list[Finding]]:
    """The pack of these files, what its author states beside it, and the findings about both."""
    files, missing = choose(dict(read), arguments.pack)
    stated = {name: content for name, content in files.items() if name.rpartition("/")[2] == PROOF_FILE}
    rest = {name: content for name, content in files.items() if name not in stated}
    checked = check_files(rest, arguments.format, before=[*before, *missing])
    notes, found = _notes(beside, stated)
    return checked, notes, [*checked.findings, *found]


def _beside(path: Path) -> Path | None:
    """The `proof.yaml` beside a pack that is one file, under the file's own name or alone."""
    beside = [path.with_name(f"{path.name.partition('.')[0]}.{PROOF_FILE}"), path.with_name(PROOF_FILE)]
    return next((file for file in beside if file.is_file()), None) if path.is_file() else None


def _notes(beside: Path | None, stated: Mapping[str, bytes]) -> tuple[Notes, list[Finding]]:
    """What stands in the pack's `proof.yaml`: beside its file, else in its folder."""
    if beside is not None:
        return read_notes(beside.read_bytes(), beside.name)
    name = min(stated, key=len, default=None)
    return read_notes(stated[name], name) if name is not None else (Notes(), [])


def _lines(result: Proven) -> list[str]:
    found = [line for finding in result.findings for line in render(finding, str(result.path))]
    for proof in result.proofs:
        name = "/".join(part for part in (proof.input_set, proof.challenge_key, proof.case_key) if part)
        found.append(f"{proof.state:9} {'-' if proof.strength is None else f'{proof.strength:4.0%}':>4}  {name}")
        found += [f"    {reason.code}  {reason.message}" for reason in proof.reasons]
        found += [f"    {reason.code}  accepted: {reason.accepted}" for reason in proof.accepted]
    counts = Counter(proof.state for proof in result.proofs)
    said = ", ".join(f"{counts[state]} {state}" for state in CaseState if counts[state]) or "no case was tried"
    return [*found, f"{result.path}: {result.state} ({said})"]


def as_junit(results: Sequence[Proven]) -> str:
    """The proofs as JUnit XML: a suite for each pack; refuted cases are failures, cases without a proof are skipped."""
    root = Element("testsuites", name="pack prove")
    for result in results:
        cases = [_junit_case(proof) for proof in result.proofs]
        cases += [_junit_error(finding) for finding in result.findings]
        add_suite(root, str(result.path), cases, 0.0)
    return junit_text(root)


def _junit_case(proof: CaseProof) -> Element:
    where = ".".join(part for part in (proof.input_set, proof.challenge_key) if part)
    case = Element("testcase", classname=writable(where), name=writable(proof.case_key), time="0")
    said = writable("\n".join(f"{reason.code}: {reason.message}" for reason in proof.reasons))
    first = str(proof.reasons[0].code) if proof.reasons else ""
    if proof.state is CaseState.REFUTED:
        SubElement(case, "failure", type=first, message=first).text = said
    elif proof.state is not CaseState.PROVEN:
        SubElement(case, "skipped", message=said)
    return case


def _junit_error(finding: Finding) -> Element:
    case = Element("testcase", classname="pack", name=writable(f"{finding.code} {finding.field_path}"), time="0")
    SubElement(case, "error", type=finding.code, message=writable(finding.message))
    return case
