"""Writing a pack for a generation of AgentV, with all that it cannot say (agentv D.3, M)."""

from dataclasses import replace
from typing import Any

from packs.formats import yamlio
from packs.formats.abilities import Loss
from packs.formats.agentv.generations import repositories_of, to_classic, to_pinned
from packs.formats.agentv.layout import inside
from packs.formats.agentv.reading import DIALECT, read_yaml
from packs.formats.agentv.successor import next_test, to_next
from packs.formats.agentv.writer import dump, own_part
from packs.formats.document import Asset, Case, Document, InputSet, Pack

CLASSIC, PINNED, NEXT = "classic", "pinned", "next"
VARIANTS = {
    CLASSIC: "AgentV 4.33 to 4.38 (classic)",
    PINNED: "AgentV 4.39 and later 4.x (pinned)",
    NEXT: "AgentV 5 (next, in development)",
}


def write_variant(pack: Pack, variant: str) -> tuple[dict[str, bytes], list[Loss]]:
    """The files for a generation and what it cannot say; see `packs.formats.abilities.Writer`."""
    if variant not in VARIANTS:
        raise KeyError(variant)
    if variant == NEXT:
        return _write_next(pack)
    losses: list[Loss] = []
    named: dict[str, bytes] = {}
    sets = tuple(_in_form(pack, suite, variant, losses, named) for suite in pack.input_sets)
    assets = tuple(_renewed(asset, named) for asset in pack.assets)
    return dump(replace(pack, input_sets=sets, assets=assets)), losses


def _renewed(asset: Asset, named: dict[str, bytes]) -> Asset:
    return replace(asset, content=named[asset.path]) if asset.path in named else asset


def _in_form(pack: Pack, suite: InputSet, variant: str, losses: list[Loss], named: dict[str, bytes]) -> InputSet:
    folder = suite.key.rpartition("/")[0]

    def convert(document: Document, place: str) -> Document:
        stated = document.get("workspace")
        if isinstance(stated, str):
            name = inside(folder, stated)
            asset = next((each for each in pack.assets if each.path == name), None)
            value = read_yaml(asset.content)[0] if asset and asset.content is not None else None
            if asset is not None and isinstance(value, dict) and repositories_of(value):
                changed = _repositories(value, variant, asset.path, "", losses if asset.path not in named else [])
                named[asset.path] = yamlio.write(changed, dialect=DIALECT).encode()
            return document
        if not repositories_of(stated):
            return document
        return {**document, "workspace": _repositories(stated, variant, suite.key, f"{place}workspace.", losses)}

    cases = tuple(
        Case(case.key, case.challenge_key, convert(case.document, f"tests[{case.key}].")) for case in suite.cases
    )
    return InputSet(suite.key, convert(suite.document, ""), cases)


def _repositories(workspace: Any, variant: str, file: str, place: str, losses: list[Loss]) -> Document:
    found = []
    for index, stated in enumerate(workspace["repos"]):
        if not isinstance(stated, dict):
            found.append(stated)
            continue
        written, lost = (to_pinned if variant == PINNED else to_classic)(stated)
        found.append(written)
        losses += [Loss(file, f"{place}repos[{index}].{field}", "it cannot be said and is left out") for field in lost]
    return {**workspace, "repos": found}


def _write_next(pack: Pack) -> tuple[dict[str, bytes], list[Loss]]:
    files = dump(pack)
    losses: list[Loss] = []
    for suite in pack.input_sets:
        is_external = isinstance(suite.document.get("tests"), str)
        tests = None if is_external else [case.document.get("$entry", case.document) for case in suite.cases]
        document, reported = to_next(own_part(suite.document), tests)
        if is_external:
            document["tests"] = [_next_case(case.document, reported) for case in suite.cases]
            reported.append(("tests", "the tests are written into the suite; their old files stay"))
        files[suite.key] = yamlio.write(document, dialect=DIALECT).encode()
        losses += [Loss(suite.key, field, outcome) for field, outcome in reported]
    return files, list(dict.fromkeys(losses))


def _next_case(document: Document, reported: list[tuple[str, str]]) -> Any:
    return next_test({key: value for key, value in document.items() if key != "$folder"}, reported)
