"""Asks a schema what it refuses in a document, and says it by the rules of a format."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field
from typing import Any, cast

from packs.formats.advice import did_you_mean
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule, apart_from, render_path
from packs.formats.schema import SchemaCheck, Violation, compile_schema
from packs.formats.schema.pieces import UNKNOWN, Schema
from packs.formats.structure.model import types_of
from packs.formats.structure.published import closed, published
from packs.formats.structure.relaxing import rule_name
from packs.formats.structure.slips import names_in, sealed, slips
from packs.formats.structure.words import SHOWN, described, types_described

# The words that a value as a whole must be, in a part of a schema whose inside nobody needs to hear of.
EXPECTED = "x-expected"
_UNIONS = ("oneOf", "anyOf")
_KEYS = ("required", "additionalProperties")
# After these words of a schema comes a step into the document: named by the next step, or the word's own.
_NAMING = ("properties", "patternProperties")
_STEPPING = ("items", "prefixItems", "additionalProperties")
_RANKS = {"type": 2, "not": 1}
# What a limit asks for, by the word of the schema.
_LIMITS: Mapping[str, Callable[[Any], str]] = {
    "minimum": lambda limit: f"at least {limit}",
    "maximum": lambda limit: f"at most {limit}",
    "exclusiveMinimum": lambda limit: f"above {limit}",
    "exclusiveMaximum": lambda limit: f"below {limit}",
    "pattern": lambda pattern: "text that is not blank" if pattern == r"\S" else f"text that matches {pattern}",
    "minLength": lambda limit: "not empty" if limit == 1 else f"at least {limit} characters long",
    "maxLength": lambda limit: f"at most {limit} characters long",
    "minItems": lambda limit: "not empty" if limit == 1 else f"a list of at least {limit} entries",
    "maxItems": lambda limit: f"a list of at most {limit} entries",
    "minProperties": lambda limit: "not empty" if limit == 1 else f"a mapping of at least {limit} keys",
    "maxProperties": lambda limit: f"a mapping of at most {limit} keys",
}
# The rule that stands for a word which has none of its own.
_GROUPS: Mapping[str, str] = {**dict.fromkeys(_LIMITS.keys() - {"pattern"}, "limit"), "const": "enum"}


@dataclass(frozen=True, slots=True)
class Structure:
    """The check of structure of one kind of node.

    `rules` says by which rule a broken word of the schema is reported: by the word itself, or by `limit` for any limit
    of a number or a length, `enum` for `const` too, and `any` for all words. Where a part of the schema states
    `x-rules`, such as `{"required": "no_type"}`, or "bad_input" for all its words, that names the rule; of
    `required` it may say by which rule each key is, and `any` stands for the other words, `value` for those about
    neither types nor keys. Where a part or `rules` name one for `missing`, it reports that the value is absent or
    null. A word without a rule is passed over: a rule that no schema can say reports it. Keys that nobody reads are
    reported by the rule that `x-unknown` names, with the advice of `elsewhere` for a rule where no known key is like
    them; those that begin with x- by `own_key` where it is given, not at all where it is None. A part with `x-expected`
    is reported as a whole, in these words. Where a rule `slip` is given, a key that is almost a known one is reported
    by it in mappings that say nothing of unknown keys. What stands for an absent field is fine where the schema says so
    (`packs.formats.schema.pieces`). Where `refused` names rules, nothing else is asked.

    Rules may use `{name}`, `{where}`, `{value}`, `{expected}`, `{found}`, `{known}` for values and keys that may stand
    there, and `{advice}` on an unknown key. One with `{keys}` speaks of all unknown keys together. Raises TypeError
    for an unusable schema.
    """

    schema: Schema
    rules: Mapping[str, Rule | None]
    refused: InitVar[Collection[str] | None] = None
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    check: SchemaCheck = field(init=False)
    _sealed: tuple[SchemaCheck, frozenset[str]] | None = field(init=False, default=None)

    def __post_init__(self, refused: Collection[str] | None) -> None:
        schema = published(self.schema if refused is not None else closed(self.schema), refused)
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "check", compiled(schema))

    def examine(self, document: Document, reported: Iterable[Path] = ()) -> Iterator[Finding]:
        """What the schema refuses, one finding for each value; paths start at the document.

        Places of `reported` are passed over: other rules, which know more, have said already what is wrong there.
        """
        known = set(reported)
        if not self.check.is_valid(document):
            for finding in self._broken(document):
                if finding.path not in known:
                    yield finding
                known.add(finding.path)
        yield from self._slips(document, known)

    def _slips(self, document: Document, reported: Collection[Path]) -> Iterator[Finding]:
        """Keys that nobody reads and that are almost known ones, where the mapping has no rule about unknown keys."""
        rule = self.rules.get("slip")
        if rule is None:
            return
        check, names = self._seal()
        if check.is_valid(document):
            return
        for path, meant in slips(self.schema, document, names):
            if path not in reported:
                yield rule.at(path, name=path[-1], where=render_path(path), advice=f"Did you mean {meant}?")

    def _seal(self) -> tuple[SchemaCheck, frozenset[str]]:
        """By what a document without slips is known at once, and the names that the schema knows; made when needed."""
        made = self._sealed or (compiled(sealed(self.schema)), frozenset(names_in(self.schema)))
        object.__setattr__(self, "_sealed", made)
        return made

    def _broken(self, document: Document) -> Iterator[Finding]:
        """What the schema refuses, the most telling finding of each place."""
        found: dict[Path, tuple[tuple[int, bool], Finding]] = {}
        for violation in self.check.violations(document, None):
            for part in self._flattened(violation):
                for finding in self._findings(part, document):
                    # Of several things wrong with a value its type says most, then that it may never be; of two that
                    # say the same, the one with a rule of its own.
                    is_named = rule_name(self._speaker(part)[0], part.keyword) is not None
                    rank = _RANKS.get(part.keyword, 0), is_named
                    if rank > found.get(finding.path, ((-1, False), finding))[0]:
                        found[finding.path] = rank, finding
        yield from (finding for _, finding in found.values())

    def with_rules(self, document: Document, findings: Iterable[Finding]) -> Iterator[Finding]:
        """What the schema refuses with an error, the findings of other rules at other places, and its warnings.

        A warning of the schema gives way to what other rules say of the place.
        """
        structure = list(self.examine(document))
        errors = [finding for finding in structure if finding.is_error]
        reported = {finding.path for finding in errors}
        yield from errors
        others = list(apart_from(reported, findings))
        yield from others
        reported |= {finding.path for finding in others}
        yield from (finding for finding in structure if finding.path not in reported)

    def _findings(self, violation: Violation, document: Document) -> Iterator[Finding]:
        part, depth = self._speaker(violation)
        path, value = violation.path[:depth], cast("Any", document)
        for step in path:
            value = value[step]
        is_missing = value is None and violation.keyword == "type"
        if violation.keyword in _KEYS and EXPECTED not in part:
            yield from self._about_keys(path, violation, part)
        elif is_missing and (missing := list(self._about_missing(part, path))):
            yield from missing
        elif rule := self._rule(part, violation.keyword):
            wanted = {"expected": part[EXPECTED], "known": ""} if EXPECTED in part else _wanted(violation, part)
            shown = value[:SHOWN] if isinstance(value, str) else value
            names = {"name": _called(path), "where": render_path(path), "value": shown, "found": described(value)}
            yield rule.at(path, **names, **wanted)

    def _about_missing(self, part: Schema, path: Path) -> Iterator[Finding]:
        """What a rule of its own says of a value that is absent or null; of a mapping without one, what it lacks."""
        named = rule_name(part, "missing")
        if named is None and path and isinstance(path[-1], int) and rule_name(part, "type") is None:
            named = "missing"
        if rule := self.rules.get(named or ""):
            more = {"value": "", "found": "nothing", "expected": "given", "known": _known(_options(part)), "advice": ""}
            yield rule.at(path, name=_called(path), where=render_path(path), **more)
        elif named is None and "required" not in self.rules:
            for key in part.get("required", ()):
                yield from self._about_missing(part.get("properties", {}).get(key, {}), (*path, key))

    def _speaker(self, violation: Violation) -> tuple[Schema, int]:
        """The part of the schema that speaks of a violation, and how many steps of the document lead to it."""
        part: Any = self.schema
        depth, is_naming = 0, False
        for step in violation.place[:-1]:
            if not is_naming and isinstance(part, dict) and EXPECTED in part:
                break
            part = part[step]
            depth += is_naming or step in _STEPPING
            is_naming = not is_naming and step in _NAMING
        return part, depth

    def _rule(self, part: Schema, word: str, key: str = "") -> Rule | None:
        named = rule_name(part, word, key)
        if named is not None:
            return self.rules.get(named) or self.rules.get(_GROUPS.get(named, ""))
        return self.rules.get(word) or self.rules.get(_GROUPS.get(word, "")) or self.rules.get("any")

    def _about_keys(self, path: Path, violation: Violation, part: Schema) -> Iterator[Finding]:
        """Of keys that are missing or unknown one finding each, or one at what holds them for a rule of `keys`."""
        keys = [violation.expected] if isinstance(violation.expected, str) else sorted(violation.expected)
        fields = part.get("properties", {})
        known = ", ".join(fields)
        for key in keys:
            where = (*path, key)
            missing = list(self._about_missing(fields.get(key, {}), where)) if violation.keyword == "required" else []
            yield from missing
            rule = self._rule(part, violation.keyword, key)
            if key.startswith("x-") and UNKNOWN in part:
                rule = self.rules.get("own_key", rule)
            if missing or rule is None:
                continue
            advice = did_you_mean(key, fields, self.elsewhere.get(rule.code, f"Known here: {known}."))
            more = {"value": "", "found": "nothing", "expected": "given", "known": known, "advice": advice}
            if "{keys}" in rule.message:
                yield rule.at(path, where=render_path(path), keys=", ".join(keys), **more)
                return
            yield rule.at(where, name=key, where=render_path(where), **more)

    def _flattened(self, violation: Violation) -> Iterator[Violation]:
        """The violation itself; of a union what is wrong by the branch that was meant, or the types of all branches."""
        if violation.keyword not in _UNIONS or self._is_whole(violation):
            yield violation
            return
        branches = [[part for each in branch for part in self._flattened(each)] for branch in violation.branches]
        meant = [branch for branch in branches if not any(_is_of_type(part, violation.path) for part in branch)]
        if meant:
            yield from min(meant, key=len)
            return
        types = [part.expected for branch in branches for part in branch if _is_of_type(part, violation.path)]
        flat = [name for each in types for name in ([each] if isinstance(each, str) else each)]
        yield Violation(violation.path, "type", flat, violation.message, place=violation.place)

    def _is_whole(self, violation: Violation) -> bool:
        """Whether a union is reported as such, and not by its branches."""
        part, _ = self._speaker(violation)
        rules = part.get("x-rules", {})
        return EXPECTED in part or (not isinstance(rules, str) and violation.keyword in rules)


def compiled(schema: Schema) -> SchemaCheck:
    """A schema of ours, ready for use. Raises TypeError for an unusable one."""
    check = compile_schema(schema, is_own=True)
    if not isinstance(check, SchemaCheck):
        raise TypeError(check.message)
    return check


def _wanted(violation: Violation, part: Schema) -> dict[str, str]:
    """What a rule may say of what was expected."""
    expected, keyword = violation.expected, violation.keyword
    if keyword == "type":
        item = types_of(part.get("items", {})) if expected == "array" else ()
        types = [expected] if isinstance(expected, str) else expected
        return {"expected": "a list of texts" if item == ("string",) else types_described(types), "known": ""}
    if keyword in _UNIONS:
        needed = [key for branch in violation.branches for each in branch for key in _missing(each)]
        return {"expected": "", "known": " or ".join(dict.fromkeys(needed))}
    if keyword in ("enum", "const"):
        known = _known(expected if keyword == "enum" else [expected])
        return {"expected": f"one of: {known}" if keyword == "enum" else known, "known": known}
    return {"expected": _LIMITS[keyword](expected) if keyword in _LIMITS else "", "known": ""}


def _known(options: Iterable[Any]) -> str:
    return ", ".join(str(value) for value in options if value not in (None, ""))


def _options(part: Schema) -> Iterable[Any]:
    """The values of a closed list; blanks and letters that do not count put it into the first branch."""
    return next((each["enum"] for each in (part, *part.get("anyOf", ())) if "enum" in each), ())


def _missing(violation: Violation) -> list[str]:
    return [violation.expected] if violation.keyword == "required" else []


def _is_of_type(violation: Violation, path: Path) -> bool:
    """Whether it says that the value at a path has another type."""
    return violation.keyword == "type" and violation.path == path


def _called(path: Path) -> str:
    """What a message calls the value at a path: an entry of a list is called by its list."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "this")[:SHOWN] or '""'
    return f"an entry of {name}" if path and isinstance(path[-1], int) else name
