"""The assets that evidence of a case may refer to (challenge-pack d.2)."""

from collections.abc import Iterator, Mapping

from packs.formats.case_values import CaseValues, EvidenceCase
from packs.formats.challenge_pack.normal import normal_case
from packs.formats.challenge_pack.stored import stored_form
from packs.formats.document import Document
from packs.formats.values import listing, mapping


def evidence_of(normal: Document, version_assets: Mapping[str, Document]) -> EvidenceCase:
    """A case in normal form as scoring sees it: its own assets and the version assets that it names; those win."""
    own = {asset["key"]: asset for asset in normal.get("assets") or () if "key" in asset}
    named = {key: version_assets[key] for key in named_assets(normal) if key in version_assets}
    return EvidenceCase(stored_form(normal), own | named)


def values_of(case: Document, version_assets: Mapping[str, Document]) -> CaseValues:
    """What evidence references to a case lead to."""
    return CaseValues(evidence_of(normal_case(case), version_assets))


def named_assets(document: Document) -> Iterator[str]:
    """The keys of version assets that a document names in `artifacts`, `inputs`, `expectations` or `expects`."""
    yield from asset_keys(document, "artifacts")
    for name in ("inputs", "expectations", "expects"):
        yield from taken_assets(document, name)


def asset_keys(document: Document, name: str) -> Iterator[str]:
    """The keys of the assets, or references to them, in a list."""
    return (_text(part, "key") for part in listing(document.get(name)))


def taken_assets(document: Document, name: str) -> Iterator[str]:
    """The keys of assets from which the entries of a list take their content."""
    for part in listing(document.get(name)):
        kind, _, key = _text(part, "source").partition(":")
        named = (_text(part, "artifact_key"), key.strip() if kind == "artifact" else "")
        yield from filter(None, named)


def _text(part: object, name: str) -> str:
    value = mapping(part).get(name)
    return value.strip() if isinstance(value, str) else ""
