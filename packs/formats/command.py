"""`pack check`, `fmt`, `rename`, `compile`, `stored` and `diff`: the commands that need no database and no Django."""

import argparse
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from packs.formats import FORMATS, adapter_of
from packs.formats.adapter import Files
from packs.formats.archives import read_path
from packs.formats.arguments import Misuse, Parser
from packs.formats.checking import Checked, check_files
from packs.formats.choosing import choose
from packs.formats.findings import Finding
from packs.formats.later import Later
from packs.formats.terminal import FINDINGS, FINE, MACHINERY, USAGE, json_text, plain

if TYPE_CHECKING:
    from packs.formats import comparing, fixing
    from packs.formats.names import command as naming
else:
    comparing, fixing = Later("packs.formats.comparing"), Later("packs.formats.fixing")
    naming = Later("packs.formats.names.command")

_IN_PLACE = "One pack of several cannot be changed in place; give the path of that pack instead of --pack"


@dataclass(frozen=True, slots=True)
class _Streams:
    out: TextIO
    err: TextIO

    def say(self, line: str) -> None:
        self.out.write(plain(line) + "\n")

    def say_json(self, value: Any) -> None:
        self.out.write(json_text(value) + "\n")

    def say_indented(self, value: Any) -> None:
        self.out.writelines(f"  {line}\n" for line in json_text(value).split("\n"))


def main(argv: Sequence[str], out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Run one command: `["check", "pack.yaml", "--json"]`.

    The exit code is 0 when all is fine, 1 for findings that are errors, 2 for wrong usage, 3 when our own machinery
    failed; with `--json`, `out` gets one JSON document and nothing else.
    """
    streams = _Streams(out or sys.stdout, err or sys.stderr)
    try:
        arguments = _parser().parse_args(list(argv))
        code: int = arguments.act(arguments, streams)
        return code
    except Misuse as misuse:
        if "--json" in argv:
            streams.say_json({"error": {"code": "usage", "message": str(misuse), "choices": []}})
        else:
            streams.err.writelines(f"{plain(line)}\n" for line in str(misuse).splitlines())
        return USAGE
    except SystemExit:
        # Only --help ends this way.
        return FINE
    except BrokenPipeError:
        return FINE
    except Exception as error:  # noqa: BLE001 - the last barrier: whatever fails here is ours, and says so
        streams.err.write(plain(f"Packwright failed: {type(error).__name__}: {error}") + "\n")
        return MACHINERY


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="manage.py pack", description="Check, write and look into packs without a database.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (act, about, add_arguments) in _COMMANDS.items():
        command = commands.add_parser(name, help=about, description=about.capitalize() + ".")
        command.learn = add_arguments
        command.set_defaults(act=act)
    return parser


def _add_shared(command: argparse.ArgumentParser, *, several: bool = False, one_of_several: bool = True) -> None:
    """What a command takes that reads files; with `one_of_several` also the name of one pack, where there are more."""
    command.add_argument("path", nargs="+" if several else 1, type=Path, help="a file, a folder, a ZIP or a TAR")
    command.add_argument("--format", choices=sorted(FORMATS), help="the format (default: recognised)")
    command.add_argument("--json", action="store_true", help="print one JSON document")
    if one_of_several:
        command.add_argument("--pack", default="", metavar="NAME", help="which pack, of several there")


def _add_check(command: argparse.ArgumentParser) -> None:
    _add_shared(command, several=True)
    command.add_argument("--fix", action="store_true", help="apply every fix that is known, and report what is left")


def _add_fmt(command: argparse.ArgumentParser) -> None:
    _add_shared(command)
    command.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder to write to (default: in place)")
    command.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file would change")


def _add_rename(command: argparse.ArgumentParser) -> None:
    _add_shared(command, one_of_several=False)
    command.add_argument("what", help="challenge, case, asset, input, expectation, validator, metric, judge, ...")
    command.add_argument("old", help="its name; of an asset, or a folder of them, its path")
    command.add_argument("new", help="the new name")
    command.add_argument("--input-set", metavar="KEY", default="", help="whose case is meant")
    command.add_argument("--check", action="store_true", help="write nothing; say at how many places it is named")


def _add_compile(command: argparse.ArgumentParser) -> None:
    _add_shared(command)
    command.add_argument("--input-set", metavar="KEY", help="only the tasks of this input set")


def _add_diff(command: argparse.ArgumentParser) -> None:
    _add_shared(command, one_of_several=False)
    command.add_argument("other", type=Path, help="the pack that the first one is compared with")


def _read(path: Path, pack: str = "") -> tuple[Files, list[Finding]]:
    try:
        files, findings = read_path(path)
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error
    chosen, missing = choose(files, pack)
    return chosen, [*findings, *missing]


def _checked(path: Path, format_name: str | None, pack: str = "") -> tuple[Files, Checked]:
    files, findings = _read(path, pack)
    return files, check_files(files, format_name, before=findings)


def render(finding: Finding, place: str) -> Iterator[str]:
    """The lines of a finding: where, how bad, which rule, what, and what to do about it."""
    where = ":".join(str(part) for part in (finding.file or place, finding.line, finding.column) if part)
    path = f" ({finding.field_path})" if finding.field_path else ""
    yield f"{where}: {finding.severity} {finding.code} {finding.message}{path}"
    if finding.hint:
        yield f"    {finding.hint}"


def _tell(streams: _Streams, path: Path, checked: Checked) -> None:
    for finding in checked.findings:
        for line in render(finding, str(path)):
            streams.say(line)
    errors = sum(finding.is_error for finding in checked.findings)
    others = len(checked.findings) - errors
    verdict = _counted(errors, "error") if errors else "fine" if checked.is_fine else "valid, but cannot be published"
    reported = f", {_counted(others, 'other finding')}" if others else ""
    streams.say(f"{path}: {verdict} ({checked.format or 'no known format'}{reported})")


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _result(path: Path, checked: Checked) -> dict[str, Any]:
    return {
        "path": str(path),
        "format": checked.format or None,
        "valid": checked.is_valid,
        "fine": checked.is_fine,
        "findings": [finding.as_dict() for finding in checked.findings],
    }


def _check(arguments: argparse.Namespace, streams: _Streams) -> int:
    results = []
    is_fine = True
    if arguments.fix and arguments.pack:
        raise Misuse(_IN_PLACE)
    for path in arguments.path:
        if arguments.fix:
            fixes, checked = _fix(path, arguments.format)
        else:
            fixes, checked = [], _checked(path, arguments.format, arguments.pack)[1]
        is_fine = is_fine and checked.is_fine
        if arguments.json:
            results.append(_result(path, checked) | ({"fixes": _fixes_as_dicts(fixes)} if arguments.fix else {}))
        else:
            for finding, fix in fixes:
                streams.say(f"{finding.file or path}:{finding.line}: fixed {finding.code} {fix.label}")
            _tell(streams, path, checked)
    if arguments.json:
        streams.say_json({"results": results})
    return FINE if is_fine else FINDINGS


def _fix(path: Path, format_name: str | None) -> "tuple[list[tuple[Finding, fixing.Fix]], Checked]":
    """Write every fix that is known into the files at a path; the fixes, and the check of what is there then."""
    files, findings = _read(path)
    fixed = fixing.fix_files(files, format_name, before=findings)
    if fixed.files:
        _write(_place_of(path, files, dict(files)), dict(fixed.files))
    return fixed.fixes, fixed.checked


def _fixes_as_dicts(fixes: "list[tuple[Finding, fixing.Fix]]") -> list[dict[str, Any]]:
    return [{**finding.as_dict(), "fix": fix.label} for finding, fix in fixes]


def _refuse(kind: str, arguments: argparse.Namespace, checked: Checked, streams: _Streams) -> int:
    """Say why nothing can be made of a pack; `kind` is the key under which JSON would hold the outcome."""
    if arguments.json:
        nothing: Any = {} if kind == "files" else []
        streams.say_json({kind: nothing, "findings": [finding.as_dict() for finding in checked.findings]})
    else:
        _tell(streams, arguments.path[0], checked)
    return FINDINGS


def _fmt(arguments: argparse.Namespace, streams: _Streams) -> int:
    path = arguments.path[0]
    if arguments.pack and arguments.output is None and not arguments.check and not arguments.json:
        raise Misuse(_IN_PLACE)
    files, checked = _checked(path, arguments.format, arguments.pack)
    if checked.pack is None or _is_partial(checked):
        return _refuse("files", arguments, checked, streams)
    canonical = _under_old_name(adapter_of(checked.format).dump(checked.pack), files)
    changed = [name for name, content in canonical.items() if files.get(name) != content]
    if arguments.output is not None:
        _write(arguments.output, canonical)
    elif not arguments.check and not arguments.json:
        _write(_place_of(path, files, canonical), {name: canonical[name] for name in changed})
    if arguments.json:
        streams.say_json({"files": {name: as_text(content) for name, content in canonical.items()}})
    else:
        for name in changed:
            streams.say(f"{name}: {'would change' if arguments.check else 'written'}")
    return FINDINGS if arguments.check and changed else FINE


def _is_partial(checked: Checked) -> bool:
    """Whether something that the files say is missing from the tree, so that writing would lose it."""
    return any(finding.is_error and finding.code.startswith(("yaml.", "files.")) for finding in checked.findings)


def _under_old_name(canonical: dict[str, bytes], files: Files) -> dict[str, bytes]:
    """The canonical files, the pack's own one under the name that its author chose, unless that is one of JSON."""
    gone = [name for name in files if name not in canonical]
    new = [name for name in canonical if name not in files]
    if len(gone) != 1 or len(new) != 1 or _is_json(gone[0]):
        return canonical
    return {gone[0] if name == new[0] else name: content for name, content in canonical.items()}


def _is_json(name: str) -> bool:
    return name.lower().endswith(".json")


def _place_of(path: Path, files: Files, canonical: dict[str, bytes]) -> Path:
    """The folder in which a pack is written anew."""
    if not path.is_dir() and path.suffix.lower() not in (".yaml", ".yml", ".json", ".jsonl"):
        raise Misuse(f"{path}: an archive cannot be changed in place; unpack it, or name a folder with -o")
    replaced = next((name for name in files if name not in canonical and _is_json(name)), None)
    if replaced is not None and canonical.keys() - files.keys():
        raise Misuse(f"{replaced}: the canonical form is YAML, not JSON; name a folder for it with -o")
    return path if path.is_dir() else path.parent


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # Written beside and moved into place: an interrupted command leaves the old file whole.
        beside = target.with_name(target.name + ".new")
        beside.write_bytes(content)
        beside.replace(target)


def _rename(arguments: argparse.Namespace, streams: _Streams) -> int:
    path = arguments.path[0]
    files, checked = _checked(path, arguments.format)
    if checked.pack is None or _is_partial(checked):
        return _refuse("files", arguments, checked, streams)
    try:
        found = naming.renamed(files, checked.pack, arguments.what, arguments.old, arguments.new, arguments.input_set)
    except naming.RenameRefused as refused:
        raise Misuse(str(refused)) from refused
    if not arguments.check:
        folder = _place_of(path, files, dict(found.files))
        _write(folder, dict(found.files))
        for name in found.gone:
            (folder / name).unlink(missing_ok=True)
    if arguments.json:
        streams.say_json(naming.as_dict(found))
    else:
        for line in naming.as_lines(found, written=not arguments.check):
            streams.say(line)
    return FINE


def _diff(arguments: argparse.Namespace, streams: _Streams) -> int:
    packs = []
    for path in (arguments.path[0], arguments.other):
        checked = _checked(path, arguments.format)[1]
        if checked.pack is None:
            return _refuse("nodes", argparse.Namespace(path=[path], json=arguments.json), checked, streams)
        packs.append(checked.pack)
    try:
        found = comparing.compare_packs(adapter_of(packs[0].format), *packs)
    except comparing.OtherFormatError as other:
        raise Misuse(str(other)) from other
    if arguments.json:
        streams.say_json(comparing.as_dict(found.nodes))
    else:
        for line in comparing.as_lines(found):
            streams.say(line)
    return FINDINGS if found.nodes else FINE


def as_text(content: bytes) -> str:
    """The text of a file; what is not UTF-8 as a data URL."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return "data:application/octet-stream;base64," + b64encode(content).decode()


def _compile(arguments: argparse.Namespace, streams: _Streams) -> int:
    checked = _checked(arguments.path[0], arguments.format, arguments.pack)[1]
    if checked.pack is None or not checked.is_valid:
        return _refuse("tasks", arguments, checked, streams)
    wanted = arguments.input_set
    known = [input_set.key for input_set in checked.pack.input_sets]
    if wanted is not None and wanted not in known:
        raise Misuse(f"there is no input set {wanted!r}; choose one of: {', '.join(known)}")
    tasks = [task.as_dict() for task in adapter_of(checked.format).compile_tasks(checked.pack, wanted)]
    if arguments.json:
        streams.say_json({"tasks": tasks})
        return FINE
    for task in tasks:
        streams.say(f"## {task['input_set']} / {task['challenge_key']} / {task['case_key']}")
        streams.say("The agent sees:")
        streams.say_indented(task["agent"])
        streams.say("Only graders see:")
        streams.say_indented(task["graders"])
    return FINE


def _stored(arguments: argparse.Namespace, streams: _Streams) -> int:
    checked = _checked(arguments.path[0], arguments.format, arguments.pack)[1]
    if checked.pack is None or not checked.is_valid:
        return _refuse("cases", arguments, checked, streams)
    stored_document = adapter_of(checked.format).stored_document
    cases = [
        {"input_set": input_set.key, "case_key": case.key, "document": stored_document(case)}
        for input_set in checked.pack.input_sets
        for case in input_set.cases
    ]
    if arguments.json:
        streams.say_json({"cases": cases})
        return FINE
    for case in cases:
        streams.say(f"## {case['input_set']} / {case['case_key']}")
        streams.say_indented(case["document"])
    return FINE


# Each with what does it, what it is for, and what adds its arguments.
_COMMANDS: Mapping[str, tuple[Callable[..., int], str, Callable[[argparse.ArgumentParser], None]]] = {
    "check": (_check, "report every finding of packs", _add_check),
    "fmt": (_fmt, "write a pack in its canonical form", _add_fmt),
    "rename": (_rename, "give something another name, wherever the pack names it", _add_rename),
    "compile": (_compile, "show the tasks and what each side may see", _add_compile),
    "stored": (_stored, "show the stored document of every case", _add_shared),
    "diff": (_diff, "show what is different between two packs", _add_diff),
}
