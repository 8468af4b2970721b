"""Rules about input sets and their cases (challenge-pack e, I1 to I4, K1 to K6, N1 to N11)."""

from collections.abc import Iterator

from packs.formats.adapter import PackIndex
from packs.formats.challenge_pack.values import entries, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.identity import check_key

SET_KEY_MISSING = Rule(
    "challenge_pack.E301", "The input set has no key.", "Give it a short name, such as default.", "I1"
)
SET_KEY_REPEATED = Rule("challenge_pack.E302", "Two input sets have the key {key!r}.", "Rename one of them.", "I2")
SET_NAME_MISSING = Rule(
    "challenge_pack.E303", "The input set has no name.", "Write the name that people choose by.", "I3"
)
SET_EMPTY = Rule("challenge_pack.E304", "The input set has no case.", "Add a case, or remove the input set.", "I4")

CHALLENGE_KEY_MISSING = Rule(
    "challenge_pack.E311", "The case names no challenge.", "Write the key of the challenge that it belongs to.", "K1"
)
CHALLENGE_UNKNOWN = Rule(
    "challenge_pack.E312", "No challenge has the key {key!r}.", "Fix the key, or declare the challenge.", "K2"
)
CHALLENGES_MIXED = Rule(
    "challenge_pack.E313",
    "The case belongs to {key!r}, but this input set is about {expected!r}.",
    "All cases of an input set share one challenge: move this case to another input set.",
    "K3",
)
CASE_KEY_MISSING = Rule(
    "challenge_pack.E314", "The case has neither a case_key nor an item_key.", "Give it a case_key.", "K5b"
)
CASE_KEY_REPEATED = Rule(
    "challenge_pack.E315",
    "Two cases of this input set have the key {key!r}.",
    "Rename one of them; a missing case_key takes the value of item_key.",
    "K6",
)

INPUT_KEY_MISSING = Rule(
    "challenge_pack.E331", "The input has no key.", "Give it the name by which templates and checks refer to it.", "N1"
)
INPUT_KEY_REPEATED = Rule("challenge_pack.E332", "Two inputs of this case have the key {key!r}.", "Rename one.", "N2")
INPUT_KIND_MISSING = Rule("challenge_pack.E333", "The input has no kind.", "Write a kind, such as text or json.", "N3")
INPUT_ARTIFACT_UNKNOWN = Rule(
    "challenge_pack.E334",
    "The input takes its content from {key!r}, which is not a version asset.",
    "Declare it under `version.assets`, or correct the key.",
    "N4",
)
EXPECTATION_KEY_MISSING = Rule(
    "challenge_pack.E341", "The expectation has no key.", "Give it the name by which checks refer to it.", "N5"
)
EXPECTATION_KEY_REPEATED = Rule(
    "challenge_pack.E342", "Two expectations in this list have the key {key!r}.", "Rename one.", "N6b"
)
EXPECTATION_KIND_MISSING = Rule(
    "challenge_pack.E343", "The expectation has no kind.", "Write a kind, such as text or json.", "N7"
)
EXPECTATION_ARTIFACT_UNKNOWN = Rule(
    "challenge_pack.E344",
    "The expectation takes its content from {key!r}, which is not a version asset.",
    "Declare it under `version.assets`, or correct the key.",
    "N8",
)
SOURCE_INPUT_UNKNOWN = Rule(
    "challenge_pack.E345",
    "The source names the input {key!r}, which this case does not have.",
    "Write `input:` and the key of an input of the same case.",
    "N9",
)
SOURCE_ARTIFACT_UNKNOWN = Rule(
    "challenge_pack.E346",
    "The source names {key!r}, which is not a version asset.",
    "Write `artifact:` and the key of an asset under `version.assets`.",
    "N10",
)
SOURCE_PREFIX_UNKNOWN = Rule(
    "challenge_pack.E347",
    "The source {source!r} has an unknown form.",
    "Write `input:` and an input's key, or `artifact:` and an asset's key.",
    "N11",
)


def effective_key(case: Document) -> str:
    """What identifies a case: its case_key, else its item_key (challenge-pack b.1)."""
    return text(case, "case_key") or text(case, "item_key")


def check_input_set(input_set: Document, repeated: bool, case_count: int) -> Iterator[Finding]:
    """I1 to I4; `repeated` says that an input set before this one has the same key."""
    key = text(input_set, "key")
    if not key:
        yield SET_KEY_MISSING.at(("key",))
    elif repeated:
        yield SET_KEY_REPEATED.at(("key",), key=key)
    yield from check_key(key, ("key",))
    if not text(input_set, "name"):
        yield SET_NAME_MISSING.at(("name",))
    if not case_count:
        yield SET_EMPTY.at(("cases",))


def check_case_challenge(index: PackIndex, case: Document, set_challenge_key: str) -> Iterator[Finding]:
    """K1 to K3; `set_challenge_key` is the first challenge key of the input set that is not blank."""
    key = text(case, "challenge_key")
    if not key:
        yield CHALLENGE_KEY_MISSING.at(("challenge_key",))
        return
    if set_challenge_key and key != set_challenge_key:
        yield CHALLENGES_MIXED.at(("challenge_key",), key=key, expected=set_challenge_key)
    if index.challenge(key) is None:
        yield CHALLENGE_UNKNOWN.at(("challenge_key",), key=key)


def check_case_key(case: Document, repeated: bool) -> Iterator[Finding]:
    """K5b and K6; `repeated` says that a case before this one has the same challenge and key."""
    key = effective_key(case)
    if not key:
        yield CASE_KEY_MISSING.at(("case_key",))
    elif repeated:
        yield CASE_KEY_REPEATED.at(("case_key",), key=key)
    yield from check_key(key, ("case_key",))


def check_inputs(index: PackIndex, case: Document) -> Iterator[Finding]:
    """N1 to N4."""
    seen: set[str] = set()
    for position, item in entries(case, "inputs"):
        path, key, artifact = ("inputs", position), text(item, "key"), text(item, "artifact_key")
        if not key:
            yield INPUT_KEY_MISSING.at((*path, "key"))
        elif key in seen:
            yield INPUT_KEY_REPEATED.at((*path, "key"), key=key)
        if not text(item, "kind"):
            yield INPUT_KIND_MISSING.at((*path, "kind"))
        if artifact and index.asset(artifact) is None:
            yield INPUT_ARTIFACT_UNKNOWN.at((*path, "artifact_key"), key=artifact)
        seen.add(key)


def check_expectations(
    index: PackIndex, case: Document, holder: Document, field: str, path: Path = ()
) -> Iterator[Finding]:
    """N5 to N11 for a list of expectations of a case: its own, or those of a turn of its simulated user.

    `holder` is the mapping that has the list under `field`, and `path` leads to it from the case.
    """
    seen: set[str] = set()
    for position, item in entries(holder, field):
        place, key, artifact = (*path, field, position), text(item, "key"), text(item, "artifact_key")
        if not key:
            yield EXPECTATION_KEY_MISSING.at((*place, "key"))
        elif key in seen:
            yield EXPECTATION_KEY_REPEATED.at((*place, "key"), key=key)
        if not text(item, "kind"):
            yield EXPECTATION_KIND_MISSING.at((*place, "kind"))
        if artifact and index.asset(artifact) is None:
            yield EXPECTATION_ARTIFACT_UNKNOWN.at((*place, "artifact_key"), key=artifact)
        if source := text(item, "source"):
            yield from _check_source(index, case, source, (*place, "source"))
        seen.add(key)


def _check_source(index: PackIndex, case: Document, source: str, path: Path) -> Iterator[Finding]:
    key = source.partition(":")[2].strip()
    if source.startswith("input:"):
        if not key or not any(text(item, "key") == key for _, item in entries(case, "inputs")):
            yield SOURCE_INPUT_UNKNOWN.at(path, key=key)
    elif source.startswith("artifact:"):
        if not key or index.asset(key) is None:
            yield SOURCE_ARTIFACT_UNKNOWN.at(path, key=key)
    else:
        yield SOURCE_PREFIX_UNKNOWN.at(path, source=source)
