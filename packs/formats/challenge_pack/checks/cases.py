"""Rules about input sets and their cases that no schema says (challenge-pack e, I2 to N10)."""

from collections.abc import Iterator

from packs.formats.adapter import PackIndex
from packs.formats.challenge_pack.values import entries, repeated, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.identity import check_key

SET_KEY_REPEATED = Rule("challenge_pack.E302", "Two input sets have the key {key!r}.", "Rename one of them.", "I2")
SET_EMPTY = Rule("challenge_pack.E304", "The input set has no case.", "Add a case, or remove the input set.", "I4")

CHALLENGE_UNKNOWN = Rule(
    "challenge_pack.E312", "No challenge has the key {key!r}.", "Fix the key, or declare the challenge.", "K2"
)
CHALLENGES_MIXED = Rule(
    "challenge_pack.E313",
    "The case belongs to {key!r}, but this input set is about {expected!r}.",
    "All cases of an input set share one challenge: move this case to another input set.",
    "K3",
)
CASE_KEY_REPEATED = Rule(
    "challenge_pack.E315",
    "Two cases of this input set have the key {key!r}.",
    "Rename one of them; a missing case_key takes the value of item_key.",
    "K6",
)

INPUT_KEY_REPEATED = Rule("challenge_pack.E332", "Two inputs of this case have the key {key!r}.", "Rename one.", "N2")
INPUT_ARTIFACT_UNKNOWN = Rule(
    "challenge_pack.E334",
    "The input takes its content from {key!r}, which is not a version asset.",
    "Declare it under `version.assets`, or correct the key.",
    "N4",
)
EXPECTATION_KEY_REPEATED = Rule(
    "challenge_pack.E342", "Two expectations in this list have the key {key!r}.", "Rename one.", "N6b"
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


def effective_key(case: Document) -> str:
    """What identifies a case: its case_key, else its item_key (challenge-pack b.1)."""
    return text(case, "case_key") or text(case, "item_key")


def check_input_set(input_set: Document, is_repeated: bool, case_count: int) -> Iterator[Finding]:
    """I2 and I4; `is_repeated` says that an input set before this one has the same key."""
    key = text(input_set, "key")
    if is_repeated:
        yield SET_KEY_REPEATED.at(("key",), key=key)
    yield from check_key(key, ("key",))
    if not case_count:
        yield SET_EMPTY.at(("cases",))


def check_case_challenge(index: PackIndex, case: Document, set_challenge_key: str) -> Iterator[Finding]:
    """K2 and K3; `set_challenge_key` is the first challenge key of the input set that is not blank."""
    key = text(case, "challenge_key")
    if key and set_challenge_key and key != set_challenge_key:
        yield CHALLENGES_MIXED.at(("challenge_key",), key=key, expected=set_challenge_key)
    if key and index.challenge(key) is None:
        yield CHALLENGE_UNKNOWN.at(("challenge_key",), key=key)


def check_case_key(case: Document, is_repeated: bool) -> Iterator[Finding]:
    """K6; `is_repeated` says that a case before this one has the same challenge and key."""
    key = effective_key(case)
    if is_repeated:
        yield CASE_KEY_REPEATED.at(("case_key",), key=key)
    yield from check_key(key, ("case_key",))


def check_inputs(index: PackIndex, case: Document) -> Iterator[Finding]:
    """N2 and N4."""
    for position, key in repeated(case, "inputs"):
        yield INPUT_KEY_REPEATED.at(("inputs", position, "key"), key=key)
    for position, item in entries(case, "inputs"):
        if (artifact := text(item, "artifact_key")) and index.asset(artifact) is None:
            yield INPUT_ARTIFACT_UNKNOWN.at(("inputs", position, "artifact_key"), key=artifact)


def check_expectations(
    index: PackIndex, case: Document, holder: Document, field: str, path: Path = ()
) -> Iterator[Finding]:
    """N6b and N8 to N10 for a list of expectations of a case: its own, or those of a turn of its simulated user.

    `holder` is the mapping that has the list under `field`, and `path` leads to it from the case.
    """
    for position, key in repeated(holder, field):
        yield EXPECTATION_KEY_REPEATED.at((*path, field, position, "key"), key=key)
    for position, item in entries(holder, field):
        place = (*path, field, position)
        if (artifact := text(item, "artifact_key")) and index.asset(artifact) is None:
            yield EXPECTATION_ARTIFACT_UNKNOWN.at((*place, "artifact_key"), key=artifact)
        yield from _check_source(index, case, text(item, "source"), (*place, "source"))


def _check_source(index: PackIndex, case: Document, source: str, path: Path) -> Iterator[Finding]:
    key = source.partition(":")[2].strip()
    inputs = {text(item, "key") for _, item in entries(case, "inputs")} - {""}
    if source.startswith("input:") and key not in inputs:
        yield SOURCE_INPUT_UNKNOWN.at(path, key=key)
    if source.startswith("artifact:") and (not key or index.asset(key) is None):
        yield SOURCE_ARTIFACT_UNKNOWN.at(path, key=key)
