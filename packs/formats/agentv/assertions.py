"""Assertions as the loader takes them: includes and texts resolved, unusable ones dropped with a word (agentv F)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from packs.formats.agentv.context import Around
from packs.formats.agentv.kinds import KINDS, Fatal, common_of, kind_of, missing_of, name_of
from packs.formats.agentv.layout import candidates, inside
from packs.formats.agentv.notes import DROPPED, FATAL
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.rubrics import CHECKLIST, Checklist, criteria_of, items_of
from packs.formats.document import Document
from packs.formats.findings import Finding, Path
from packs.formats.values import listing, mapping

MAX_INCLUDES = 3
_NEEDED = re.compile(r"\{\{\s*(?:output|expected_output)(?:_text)?\s*\}\}")
_OWN = ("type", "name", "weight", "required", "min_score", "negate")


@dataclass(slots=True)
class Settled:
    """What became of a list of assertions. Where `is_fatal`, the whole test is left out."""

    assertions: list[Document] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    is_fatal: bool = False


def settle(around: Around, stated: Any, path: Path, checklist: Checklist = CHECKLIST) -> Settled:
    """The assertions of a test's, a turn's or a suite's list; paths of findings begin with `path`."""
    found = Settled()
    if stated is None:
        return found
    if not isinstance(stated, list):
        found.findings.append(DROPPED.at(path, reason="the assertions are no list"))
        return found
    try:
        items = list(_expanded(around, stated, path, around.folder, ()))
    except Fatal as trouble:
        found.findings.append(FATAL.at(path, reason=str(trouble)))
        found.is_fatal = True
        return found
    _settle_items(around, items, found, checklist)
    return found


def _settle_items(around: Around, items: list[tuple[Any, Path]], found: Settled, checklist: Checklist) -> None:
    texts = [item for item, _ in items if is_text(item)]
    is_placed = False
    for item, path in items:
        if is_text(item):
            if not is_placed:
                found.assertions.append(criteria_of(texts, checklist))
            is_placed = True
            continue
        try:
            assertion, reason = _one(around, item, path, found)
        except Fatal as trouble:
            found.findings.append(FATAL.at(path, reason=str(trouble)))
            found.is_fatal = True
            continue
        if assertion is not None:
            found.assertions.append(assertion)
        elif reason:
            found.findings.append(DROPPED.at(path, reason=reason))


def _expanded(
    around: Around, items: list[Any], path: Path, folder: str, above: tuple[str, ...]
) -> Iterator[tuple[Any, Path]]:
    """The items of a list with includes replaced by what they name. Raises Fatal."""
    for index, item in enumerate(items):
        place = (*path, index) if not above else path
        if not isinstance(item, dict) or "include" not in item or "type" in item:
            yield item, place
            continue
        name = _template(around, item["include"], folder)
        if name in above:
            raise Fatal("templates include each other in a circle")
        if len(above) >= MAX_INCLUDES:
            raise Fatal(f"templates include each other more than {MAX_INCLUDES} levels deep")
        if name in around.texts:
            value, is_read = around.yaml(name)
            inner = mapping(value).get("assertions")
            if not is_read or not isinstance(inner, list):
                raise Fatal(f"the template {name} has no list of assertions")
            yield from _expanded(around, inner, place, name.rpartition("/")[0], (*above, name))


def _template(around: Around, stated: Any, folder: str) -> str:
    if not is_text(stated):
        raise Fatal("an include names no template")
    if "/" in stated or stated.endswith((".yaml", ".yml")):
        name = inside(folder, stated)
        if name is not None and around.exists(name):
            return name
    else:
        for ending in ("yaml", "yml"):
            for name in candidates(around.folder, f".agentv/templates/{stated}.{ending}"):
                if around.exists(name):
                    return name
    raise Fatal(f"there is no template {stated}")


def _one(around: Around, item: Any, path: Path, found: Settled) -> tuple[Document | None, str]:
    """An assertion as the loader takes it, or None with the reason why it is dropped. Raises Fatal."""
    if isinstance(item, str):
        return None, "it is blank"
    if not isinstance(item, dict):
        return None, "it is neither a text nor a mapping"
    kind = kind_of(item)
    if not kind:
        return None, "it has no type"
    common = common_of(item)
    reason = missing_of(kind, item)
    if reason:
        return None, reason
    rest = {key: value for key, value in item.items() if key not in _OWN}
    settled = {"name": name_of(kind, item), "type": kind, **rest}
    match kind:
        case "rubrics":
            settled = {"name": settled["name"], **_checklist(item)}
            reason = "" if settled["rubrics"] else "none of its criteria says anything"
        case "llm-grader":
            settled |= _judged(around, item)
        case "composite":
            settled["assertions"] = list(_members(around, item, path, found))
    return (None, reason) if reason else (settled | common, "")


def _checklist(item: Document) -> Document:
    """What an assertion of the type rubrics becomes: a judge with a checklist; no other keys of it count."""
    found = {"type": "llm-grader", "rubrics": items_of(item["criteria"], takes_texts=True)}
    return found | {key: item[key] for key in ("target", "preprocessors") if key in item}


def _judged(around: Around, item: Document) -> Document:
    """What an LLM grader's rubrics and prompt file become. Raises Fatal for a prompt file that cannot be used."""
    found: Document = {}
    if "rubrics" in item:
        found["rubrics"] = items_of(item["rubrics"], takes_texts=False)
    prompt = item.get("prompt")
    if isinstance(prompt, str) and prompt.startswith("file://"):
        name = around.find(prompt.removeprefix("file://"))
        if name is None:
            raise Fatal("its prompt file does not exist")
        text = around.text(name)
        if text is not None and not _NEEDED.search(text):
            raise Fatal("its prompt file uses neither {{output}} nor {{expected_output}}")
        if text is not None:
            found["prompt_text"] = text
    return found


def _members(around: Around, item: Document, path: Path, found: Settled) -> Iterator[Document]:
    for index, member in enumerate(listing(item.get("assertions"))):
        place = (*path, "assertions", index)
        if not isinstance(member, dict) or not is_text(member.get("name")) or member.get("type") not in KINDS:
            found.findings.append(DROPPED.at(place, reason="a member needs a name and a known type"))
            continue
        settled, reason = _one(around, member, place, found)
        if settled is not None:
            yield settled
        else:
            found.findings.append(DROPPED.at(place, reason=reason))
