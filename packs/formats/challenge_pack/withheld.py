"""Assets that only graders use: agents never get them (challenge-pack c.2, d.2, g).

An asset belongs to graders where an expectation, or the expected side of a check, names it. An input of the case or a
reference of its challenge gives it to the agent all the same. `artifacts` of a case decides nothing: evidence needs it.
"""

from collections.abc import Iterator

from packs.formats.challenge_pack.evidence import dotted_path
from packs.formats.challenge_pack.scope import asset_keys, taken_assets
from packs.formats.challenge_pack.values import entries, evaluation_spec, mapping, text
from packs.formats.document import Document, Pack

# Stands in the document of every case that names an asset.
SIGN = "artifact"


def withheld_by(case: Document) -> Iterator[str]:
    """The keys of assets that the expectations of a case name; see `abilities.Keeper`."""
    yield from taken_assets(case, "expectations")
    for _, phase in entries(mapping(case, "user_simulator"), "phases"):
        for _, turn in entries(phase, "turns"):
            yield from taken_assets(turn, "expects")


def withheld_in(pack: Pack) -> frozenset[str]:
    """The keys of assets that belong to graders anywhere in a pack, also by cases that are left out of its tree."""
    if not pack.assets:
        return frozenset(_named_by_checks(pack.document))
    cases = (case.document for input_set in pack.input_sets for case in input_set.cases)
    return pack.withheld.union(_named_by_checks(pack.document), *map(withheld_by, cases))


def given_to_agent(challenge: Document, case: Document) -> set[str]:
    """The keys of assets that a case or its challenge gives to the agent."""
    return {*asset_keys(challenge, "artifact_refs"), *taken_assets(case, "inputs")}


def _named_by_checks(pack: Document) -> Iterator[str]:
    """The assets that are the expected side of a validator, or the reference of a judge."""
    spec = evaluation_spec(pack)
    stated = [text(validator, "expected_from") for _, validator in entries(spec, "validators")]
    stated += [text(judge, "reference_from") for _, judge in entries(spec, "llm_judges")]
    for found in map(dotted_path, stated):
        if found and found[0] == "artifact.":
            yield found[1][0]
