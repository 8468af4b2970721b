"""Advice about evidence that cases do not offer, looked up in every case by itself (challenge-pack d.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from packs.formats.case_values import CaseValues
from packs.formats.challenge_pack.checks.expected import expected_trouble, need_of
from packs.formats.challenge_pack.checks.spec_advice import references
from packs.formats.challenge_pack.evidence import dotted_path
from packs.formats.challenge_pack.normal import normal_asset
from packs.formats.challenge_pack.scope import values_of
from packs.formats.challenge_pack.structure import is_broken, is_sound
from packs.formats.challenge_pack.values import evaluation_spec, text
from packs.formats.document import Document, NodeKind, Pack
from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds import Syntax

EVIDENCE_UNKNOWN = Rule(
    "challenge_pack.W511",
    "No case has a value for {reference}; in the first one, {reason}.",
    "Fix the key, or add it to the cases.",
)
EVIDENCE_MISSING = Rule(
    "challenge_pack.W513",
    "This case has no value for {reference}, which the {user} looks at: {reason}.",
    "Add it to the case, or fix the reference.",
)
EXPECTED_UNUSABLE = Rule(
    "challenge_pack.W514",
    "The {user} cannot compare with {reference} of this case: {reason}.",
    "{advice}",
)
_USERS = {"validators": "validator", "llm_judges": "judge"}
# An artifact is in scope where a case names it.
_PLACES = {"artifact": "artifacts"}


@dataclass(slots=True)
class _Wanted:
    """A reference into cases with the first place that states it, and the places in cases that lack it, with reasons.

    `place` is the part of a case in which it looks, `key` what it names there; empty where it leads further.
    `is_found` when a case offers it, or states it without content, which is a finding of its own. `needs` are what the
    expected text must be, each with the validator that says so; `unusable` the places where it is not, with reasons.
    """

    path: Path
    reference: str
    place: str
    key: str
    is_found: bool = False
    missing: list[tuple[Path, str]] = field(default_factory=list)
    needs: dict[Syntax, Path] = field(default_factory=dict)
    unusable: list[tuple[Path, Syntax, dict[str, str]]] = field(default_factory=list)

    def is_stated_by(self, case: Document) -> bool:
        """Whether a clean case plainly states the value: seen in a microsecond, without following sources."""
        if self.needs:
            return False
        part = case.get(self.place) or ()
        if self.place == "payload":
            # A number there makes the payload look like a stored document.
            is_stated = self.key in part and "schema_version" not in part
        else:
            is_stated = any(item.get("key") == self.key and item.get("value") is not None for item in part)
        self.is_found |= is_stated
        return is_stated

    def look(self, case: CaseValues, path: Path) -> None:
        found = case.find(self.reference)
        if not found.is_available and not found.is_blank:
            self.missing.append(((*path, self.place), found.reason))
            return
        self.is_found = True
        for need in self.needs if isinstance(found.value, str) else ():
            if trouble := expected_trouble(need, found.value):
                self.unusable.append(((*path, self.place), need, trouble))


def advise_on_evidence(pack: Pack) -> Iterator[Finding]:
    """Every case that lacks what a validator or judge looks at; where all lack it, one finding at the reference."""
    spec = evaluation_spec(pack.document)
    wanted: dict[str, _Wanted] = {}
    for path, reference in references(spec):
        if found := dotted_path(reference):
            place, steps = found[0].strip(".").rpartition(".")[2], found[1]
            key = steps[0] if len(steps) == 1 else ""
            each = wanted.setdefault(reference, _Wanted(path, reference, _PLACES.get(place, place), key))
            if path[-1] == "expected_from" and (need := need_of(_owner(path, spec))):
                each.needs.setdefault(need, path)
    if wanted:
        _look_into_cases(pack, list(wanted.values()))
    for each in wanted.values():
        yield from _missing(each, spec)


def _look_into_cases(pack: Pack, wanted: list[_Wanted]) -> None:
    """Look for everything wanted in every case that can be read."""
    assets = {asset.key.strip(): normal_asset(asset.document) for asset in reversed(pack.assets)}
    for parent, input_set in enumerate(pack.input_sets):
        for position, case in enumerate(input_set.cases):
            document, left = case.document, wanted
            if is_sound(NodeKind.CASE, document):
                left = [each for each in wanted if not each.is_stated_by(document)]
            elif is_broken(NodeKind.CASE, document):
                continue
            if left:
                _look_into_case(values_of(document, assets), left, ("input_sets", parent, "cases", position))


def _look_into_case(case: CaseValues, wanted: list[_Wanted], path: Path) -> None:
    for each in wanted:
        each.look(case, path)


def _missing(wanted: _Wanted, spec: Document) -> Iterator[Finding]:
    if wanted.missing and not wanted.is_found:
        yield EVIDENCE_UNKNOWN.at(wanted.path, reference=wanted.reference, reason=wanted.missing[0][1])
        return
    for path, reason in wanted.missing:
        yield EVIDENCE_MISSING.at(path, reference=wanted.reference, user=_user(wanted.path, spec), reason=reason)
    for path, need, trouble in wanted.unusable:
        user = _user(wanted.needs[need], spec)
        yield EXPECTED_UNUSABLE.at(path, reference=wanted.reference, user=user, **trouble)


def _user(path: Path, spec: Document) -> str:
    """Who states a reference: `validator 'port'`."""
    return f"{_USERS[str(path[2])]} {text(_owner(path, spec), 'key')!r}"


def _owner(path: Path, spec: Document) -> Document:
    """The validator or judge in which a reference stands."""
    owner: Document = spec[str(path[2])][int(path[3])]
    return owner
