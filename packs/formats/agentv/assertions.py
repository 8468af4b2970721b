"""Assertions as the loader takes them: includes and texts resolved, unusable ones dropped with a word (agentv F)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from packs.formats.agentv.context import Around
from packs.formats.agentv.converters import refusal
from packs.formats.agentv.kinds import (
    KINDS,
    Fatal,
    aggregator_of,
    arguments_of,
    common_of,
    counted,
    kind_of,
    members_of,
    missing_of,
    name_of,
)
from packs.formats.agentv.layout import SCHEME, candidates, inside, seen_from
from packs.formats.agentv.notes import DROPPED, FATAL, NO_PROGRAM
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.rubrics import CHECKLIST, Checklist, criteria_of, items_of
from packs.formats.document import Document
from packs.formats.findings import Finding, Path
from packs.formats.values import listing, mapping

MAX_INCLUDES = 3
_NEEDED = re.compile(r"\{\{\s*(?:output|expected_output)(?:_text)?\s*\}\}")
_OWN = ("type", "name", "weight", "required", "min_score", "negate")


class NoProgram(Fatal):
    """The file of a program that writes a prompt is not there."""


@dataclass(slots=True)
class Settled:
    """What became of a list of assertions. Where `is_fatal`, the whole test is left out."""

    assertions: list[Document] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    is_fatal: bool = False

    def lose(self, trouble: Fatal, path: Path, *, is_strict: bool) -> None:
        """Say what keeps an assertion from being used; where that `is_strict`, it costs the whole test."""
        self.is_fatal |= is_strict
        if isinstance(trouble, NoProgram):
            self.findings.append(NO_PROGRAM.at(path, name=repr(str(trouble))[:160]))
        else:
            self.findings.append((FATAL if is_strict else DROPPED).at(path, reason=str(trouble)))


def settle(
    around: Around, stated: Any, path: Path, checklist: Checklist = CHECKLIST, *, is_strict: bool = True
) -> Settled:
    """The assertions of a test's, a turn's or a suite's list; paths of findings begin with `path`.

    Settings for which a test is left out only lose the assertion where that `is_strict` is not: those of turns.
    """
    found = Settled()
    if stated is None:
        return found
    if not isinstance(stated, list):
        found.findings.append(DROPPED.at(path, reason="the assertions are no list"))
        return found
    try:
        items = list(_expanded(around, stated, path, around.folder, ()))
    except Fatal as trouble:
        found.lose(trouble, path, is_strict=is_strict)
        return found
    texts = [item.strip() for item, _ in items if is_text(item)]
    place = next((index for index, (item, _) in enumerate(items) if isinstance(item, str)), -1)
    for index, (item, at) in enumerate(items):
        if index == place and texts:
            found.assertions.append(criteria_of(texts, checklist))
        if not is_text(item):
            _settle_one(around, item, at, found, is_strict=is_strict)
    return found


def _settle_one(around: Around, item: Any, path: Path, found: Settled, *, is_strict: bool) -> None:
    try:
        assertion, reason = _one(around, item, path, found)
    except Fatal as trouble:
        found.lose(trouble, path, is_strict=is_strict)
        return
    if assertion is not None:
        found.assertions.append(assertion)
    else:
        found.findings.append(DROPPED.at(path, reason=reason))


def _expanded(
    around: Around, items: list[Any], path: Path, folder: str, above: tuple[str, ...]
) -> Iterator[tuple[Any, Path]]:
    """The items of a list with includes replaced by what they name. Raises Fatal."""
    for index, item in enumerate(items):
        place = (*path, index) if not above else path
        if not is_include(item):
            yield item, place
            continue
        if len(above) >= MAX_INCLUDES:
            raise Fatal(f"templates include each other more than {MAX_INCLUDES} levels deep")
        name = _template(around, item["include"], folder)
        if name in above:
            raise Fatal("templates include each other in a circle")
        if name in around.texts:
            value, is_read = around.yaml(name)
            inner = mapping(value).get("assertions")
            if not is_read or not isinstance(inner, list):
                raise Fatal(f"the template {name} has no list of assertions")
            yield from _expanded(around, inner, place, name.rpartition("/")[0], (*above, name))


def is_include(item: Any) -> bool:
    """Whether an item of a list names a template, and nothing else (agentv F.2)."""
    return isinstance(item, dict) and list(item) == ["include"] and isinstance(item["include"], str)


def _template(around: Around, stated: str, folder: str) -> str:
    """The file that an include names, as a path or by the name of a template. Raises Fatal."""
    is_path = stated.startswith(".") or "/" in stated or "\\" in stated
    names = [stated] if is_path else [f".agentv/templates/{stated}.{ending}" for ending in ("yaml", "yml")]
    for name in names:
        beside = inside(folder, name.lstrip("/"))
        found = beside if beside and around.exists(beside) else around.find(name)
        if found is not None:
            return found
    raise Fatal(f"there is no template {stated}")


def is_own_type(around: Around, kind: str) -> bool:
    """Whether the pack brings a script for a type of assertion (agentv F.1)."""
    endings = ("ts", "js", "mts", "mjs", "cts", "cjs")
    places = (f".agentv/{folder}/{kind}.{ending}" for folder in ("assertions", "graders") for ending in endings)
    return any(around.exists(name) for place in places for name in candidates(around.folder, place))


def _one(around: Around, item: Any, path: Path, found: Settled) -> tuple[Document | None, str]:
    """An assertion as the loader takes it, or None with the reason why it is dropped. Raises Fatal."""
    if isinstance(item, str):
        return None, "it is blank"
    if not isinstance(item, dict):
        return None, "it is neither a text nor a mapping"
    if not isinstance(item.get("type"), str):
        return None, "it has no type"
    kind = kind_of(item)
    if reason := refusal(around, item):
        raise Fatal(f"a preprocessor cannot be used: {reason}")
    reason = missing_of(kind, item)
    if reason:
        return None, reason
    settled, reason = _settings(around, kind, counted(kind, item), path, found)
    return (None, reason) if reason else ({"name": name_of(kind, item), **settled} | common_of(item), "")


def _settings(around: Around, kind: str, item: Document, path: Path, found: Settled) -> tuple[Document, str]:
    """The type of an assertion with its own settings, and why it is dropped all the same. Raises Fatal."""
    settled = {"type": kind, **{key: value for key, value in item.items() if key not in _OWN}}
    match kind:
        case "rubrics":
            settled = _checklist(item)
            return settled, "" if settled["rubrics"] else "none of its criteria says anything"
        case "llm-grader":
            settled |= _judged(around, item)
        case "composite":
            settled["assertions"] = list(_members(around, item, path, found))
            settled["aggregator"] = _aggregator(around, item)
            return settled, "" if settled["assertions"] else "none of its members can be used"
    return settled, ""


def _checklist(item: Document) -> Document:
    """What an assertion of the type rubrics becomes: a judge with a checklist; no other keys of it count."""
    found = {"type": "llm-grader", "rubrics": items_of(item["criteria"], takes_texts=True)}
    return found | {key: item[key] for key in ("target", "preprocessors") if key in item}


def _judged(around: Around, item: Document) -> Document:
    """What an LLM grader's rubrics and prompt become. Raises Fatal for a prompt that cannot be had."""
    found: Document = {}
    prompt = item.get("prompt")
    if isinstance(prompt, dict):
        found["prompt"] = _printed(around, prompt)
    elif isinstance(prompt, str) and prompt.startswith(SCHEME):
        text = around.text(_prompt_file(around, prompt))
        if text is not None and not _NEEDED.search(text):
            raise Fatal("its prompt file uses neither {{output}} nor {{expected_output}}")
        if text is not None:
            found["prompt_text"] = text
    if "rubrics" in item:
        found["rubrics"] = items_of(item["rubrics"], takes_texts=False)
    return found


def _prompt_file(around: Around, prompt: str) -> str:
    name = around.find(prompt.removeprefix(SCHEME))
    if name is None or around.is_folder(name):
        raise Fatal("its prompt file does not exist")
    return name


def _printed(around: Around, prompt: Document) -> Document:
    """A prompt that a program prints: the last part of its command is a file, found as all files are (agentv F.8)."""
    stated = prompt["command"] if prompt.get("command") is not None else prompt.get("script")
    *front, last = arguments_of(stated, "the command of its prompt")
    name = around.find(last)
    if name is None:
        raise NoProgram(last)
    return {**prompt, "command": [*front, seen_from(around.folder, name)]}


def _members(around: Around, item: Document, path: Path, found: Settled) -> Iterator[Document]:
    """The members of a composite that can be used. Raises Fatal."""
    for member, place in _expanded(around, listing(members_of(item)), (*path, "assertions"), around.folder, ()):
        if not isinstance(member, dict) or not is_named(member) or member.get("type") not in KINDS:
            found.findings.append(DROPPED.at(place, reason="a member needs a name and a known type"))
            continue
        settled, reason = _one(around, member, place, found)
        if settled is not None:
            yield settled
        else:
            found.findings.append(DROPPED.at(place, reason=reason))


def is_named(member: Document) -> bool:
    """Whether a member of a composite has a name."""
    return isinstance(member.get("name"), str) and member["name"] != ""


def _aggregator(around: Around, item: Document) -> Document:
    """What puts the members together. Raises Fatal for a prompt file that is not there."""
    aggregator = aggregator_of(item)
    prompt = aggregator.get("prompt")
    if aggregator["type"] == "llm-grader" and isinstance(prompt, str) and prompt.startswith(SCHEME):
        text = around.text(_prompt_file(around, prompt))
        return aggregator if text is None else {**aggregator, "prompt": text}
    return aggregator
