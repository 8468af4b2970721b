"""Files of a pack with every fix that is known: written into the texts, so that comments and layout stay.

A fix that cannot be written so has its file written in the canonical form.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from packs.formats import adapter_of
from packs.formats.adapter import Adapter, Files
from packs.formats.checking import Checked, check_files
from packs.formats.document import Address
from packs.formats.findings import Finding
from packs.formats.fixing.fix import Act, Fix
from packs.formats.fixing.fixer import fixer_of
from packs.formats.fixing.trees import node_at, with_document
from packs.formats.index import TreeIndex
from packs.formats.preserving import preserved

Placed = tuple[Address, Finding, Fix]
# A node gets one fix in each pass: another may stand below what the first renames.
MAX_PASSES = 50
_SCALAR = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s"'\[\]{}|>&*!#,][^\n,\]}#]*?(?=\s*(?:[,\]}#\n]|$))""")
_PLAIN = re.compile(
    r"(?!(?:true|false|yes|no|on|off|null|y|n)$)(?:\.{1,2}/)*[A-Za-z_][\w./-]*", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixing files gave: those that changed, the findings with their fixes, and the check of the whole after."""

    files: Mapping[str, bytes]
    fixes: list[tuple[Finding, Fix]]
    checked: Checked


def fix_files(files: Files, format_name: str | None = None, *, before: Iterable[Finding] = ()) -> Fixed:
    """Apply every fix that is known. Files that no fix touches keep their bytes."""
    found: list[tuple[Finding, Fix]] = []
    unread, present = list(before), files
    checked = check_files(present, format_name, before=unread)
    for _ in range(MAX_PASSES):
        fixes = _fixes_of(checked)
        ways = ((files, check_files(files, checked.format, before=unread)) for files in _ways(present, checked, fixes))
        written = next(((files, after) for files, after in ways if _is_better(checked, after, fixes)), None)
        if written is None:
            break
        placed = adapter_of(checked.format).place(present, [finding for _, finding, _ in fixes])
        found += zip(placed, (fix for _, _, fix in fixes), strict=True)
        present, checked = written
    changed = {name: data for name, data in present.items() if files.get(name) != data}
    return Fixed(changed, found, checked)


def _fixes_of(checked: Checked) -> list[Placed]:
    """The first fix of every node, with the finding as it stands in the files."""
    if checked.pack is None:
        return []
    adapter, index = adapter_of(checked.format), TreeIndex(checked.pack)
    fixer = fixer_of(adapter, index, checked.pack)
    found: dict[Address, tuple[Finding, Fix]] = {}
    for finding in checked.content:
        address, path = adapter.locate(finding)
        if address in found:
            continue
        fix = fixer.fix_of(node_at(checked.pack, address), replace(finding, path=path, field=""))
        if fix is not None:
            found[address] = (finding, fix)
    return [(address, finding, fix) for address, (finding, fix) in found.items()]


def _ways(files: Files, checked: Checked, fixes: list[Placed]) -> Iterator[Files]:
    """Ways to write the fixes: into the texts, or in the canonical form."""
    if checked.pack is None or not fixes:
        return
    adapter, fixed = adapter_of(checked.format), checked.pack
    yield spliced(adapter, files, fixes)
    for address, _, fix in fixes:
        fixed = with_document(fixed, adapter, address, fix.document)
    mixed = preserved(adapter.dump(fixed), adapter.dump(checked.pack), files)
    # The canonical form is YAML or JSONL: under the name of a JSON file it would surprise other tools.
    if all(files.get(name) == data for name, data in mixed.items() if name.endswith(".json")):
        yield {**files, **mixed}


def _is_better(old: Checked, new: Checked, fixes: list[Placed]) -> bool:
    """Whether files that were written lack the fixed findings, and have no more errors than before."""
    if new.pack is None:
        return False
    left = {(finding.code, finding.path) for finding in new.content}
    return _errors(new) <= _errors(old) and not any((finding.code, finding.path) in left for _, finding, _ in fixes)


def _errors(checked: Checked) -> int:
    return sum(finding.is_error for finding in checked.findings)


def spliced(adapter: Adapter, files: Files, fixes: list[Placed]) -> Files:
    """The files with as many fixes written into them as their texts have a place for."""
    places = [replace(finding, path=adapter.path_of(address) + fix.path, field="") for address, finding, fix in fixes]
    placed = [*zip(adapter.place(files, places), (fix for _, _, fix in fixes), strict=True)]
    found = dict(files)
    for name in {finding.file for finding, _ in placed} & files.keys():
        try:
            text = files[name].decode()
        except UnicodeDecodeError:
            continue
        here = [(finding, fix) for finding, fix in placed if finding.file == name and finding.column]
        found[name] = splice(text, here).encode()
    return found


def splice(text: str, fixes: Iterable[tuple[Finding, Fix]]) -> str:
    """A YAML or JSON text with fixes written into it, from its end to its start.

    The findings say at which line and column the old values stand. What has no place that can be recognised is left
    as it is: read the text again to see what was written.
    """
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    placed = [(starts[finding.line - 1] + finding.column - 1, fix) for finding, fix in fixes]
    for start, fix in sorted(placed, key=lambda each: -each[0]):
        if fix.act is Act.SET and text[start : start + 1] == "|":
            text = _with_block(text, start, fix.value)
            continue
        found = _scalar_at(text, start) if fix.act is Act.SET else _key_before(text, start, fix)
        if found is not None:
            text = text[: found.start()] + _spelled(fix.value, found[0]) + text[found.end() :]
    return text


def _with_block(text: str, start: int, value: Any) -> str:
    """A text with other lines in the block that starts there, of which there are as many as before."""
    lines = value.rstrip("\n").split("\n") if isinstance(value, str) else []
    head, _, rest = text[start:].partition("\n")
    present = rest.split("\n")
    if not lines or len(present) < len(lines):
        return text
    indent = min((len(line) - len(line.lstrip(" ")) for line in present[: len(lines)] if line.strip()), default=0)
    block = [" " * indent + line if line else old for line, old in zip(lines, present, strict=False)]
    return text[:start] + "\n".join([head, *block, *present[len(lines) :]])


def _scalar_at(text: str, start: int) -> re.Match[str] | None:
    return _SCALAR.match(text, start)


def _key_before(text: str, start: int, fix: Fix) -> re.Match[str] | None:
    """The last place before a value at which the key stands that a fix renames."""
    if fix.act is not Act.RENAME:
        return None
    key = re.escape(str(fix.path[-1]))
    spelled = re.compile(rf"(?<![\w.-])(?:\"{key}\"|'{key}'|{key})(?=\s*:)")
    return next(iter(deque(spelled.finditer(text, 0, start), maxlen=1)), None)


def _spelled(value: Any, old: str) -> str:
    """A value in the manner in which the old one was written."""
    is_quoted = old[:1] in ("'", '"')
    return value if isinstance(value, str) and not is_quoted and _PLAIN.fullmatch(value) else json.dumps(value)
