"""Advice that needs the whole pack: what nothing uses, and what no case offers (challenge-pack c.3, c.7, e)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from packs.formats.challenge_pack.checks.evidence_advice import advise_on_evidence
from packs.formats.challenge_pack.checks.spec_advice import references
from packs.formats.challenge_pack.evidence import dotted_path, reads_case
from packs.formats.challenge_pack.scope import asset_keys, named_assets, taken_assets
from packs.formats.challenge_pack.stored import is_payload_only
from packs.formats.challenge_pack.templates import context_of, placeholders, unresolved
from packs.formats.challenge_pack.values import evaluation_spec, execution_mode, mapping, text
from packs.formats.challenge_pack.withheld import withheld_by, withheld_in
from packs.formats.document import Case, Pack
from packs.formats.findings import Finding, Rule

CHALLENGE_UNUSED = Rule(
    "challenge_pack.W201", "No case belongs to the challenge {key!r}.", "Add a case for it, or remove it."
)
ASSET_UNUSED = Rule(
    "challenge_pack.W202",
    "Nothing refers to the asset {key!r}.",
    "Refer to it by an artifact_key, a source or a reference, or remove it.",
)
ASSET_WITHHELD = Rule(
    "challenge_pack.N201",
    "Agents do not get the asset {key!r}: only expectations and checks name it. Other runners place it for agents too.",
    "Name it in an input or in `artifact_refs` if agents need it.",
)
ASSET_SHOWN = Rule(
    "challenge_pack.N202",
    "Agents can read the asset {key!r}, which expectations or checks name.",
    "This is fine if agents are meant to find the answer there; otherwise name another asset in the expectation.",
)
INSTRUCTIONS_UNRESOLVED = Rule(
    "challenge_pack.W203",
    "`{{{{{name}}}}}` in the instructions has no value in {count} of {total} cases: there the agent reads it as is.",
    "Add it to the payload or the inputs of every case.",
)
NO_INPUT_SET = Rule(
    "challenge_pack.W311",
    "The pack has no input set: a run has no case, and everything that looks at a case has no value.",
    "Add an input set with at least one case.",
)
CHALLENGE_INPUT_EMPTY = Rule(
    "challenge_pack.W512",
    "`challenge_input` is an empty object for cases that have inputs but no payload (here {count}).",
    "Look at case.inputs.<key> instead, or give the cases a payload.",
)
ONLY_FIRST_CASE = Rule(
    "challenge_pack.N311",
    "Packwright runs all cases of a set; other runners play only the first one in {mode} packs.",
    "Give every case an input set of its own if the pack is to run elsewhere.",
)
SEVERAL_CASES = Rule(
    "challenge_pack.N511",
    "The checks look at single cases, so sets with several cases can only be scored case by case.",
    "Packwright runs every case by itself; elsewhere switch on one run for each case.",
)


@dataclass(slots=True)
class Offers:
    """What the cases of a pack offer and use, by key."""

    challenges: set[str] = field(default_factory=set)
    assets: set[str] = field(default_factory=set)
    shown_assets: set[str] = field(default_factory=set)
    without_payload: int = 0


def advise_on_use(pack: Pack) -> Iterator[Finding]:
    """All advice that needs the whole pack; none while a part of it is in no shape to be read."""
    if _has_unread_nodes(pack):
        return
    if not pack.input_sets:
        yield NO_INPUT_SET.at(("input_sets",))
    offers = _offers(pack)
    yield from _advise_on_challenges(pack, offers)
    yield from _advise_on_assets(pack, offers)
    yield from _advise_on_challenge_input(pack, offers)
    yield from advise_on_evidence(pack)
    yield from _advise_on_several_cases(pack)
    if execution_mode(pack.document) == "prompt_eval":
        yield from _advise_on_instructions(pack)


def _has_unread_nodes(pack: Pack) -> bool:
    """Whether a list of nodes could not be made into nodes: what it uses would seem unused."""
    version = mapping(pack.document, "version")
    lists_left = "challenges" in pack.document or "input_sets" in pack.document or "assets" in version
    return lists_left or any("cases" in input_set.document for input_set in pack.input_sets)


def _offers(pack: Pack) -> Offers:
    offers = Offers()
    for challenge in pack.challenges:
        offers.shown_assets.update(asset_keys(challenge.document, "artifact_refs"))
    for input_set in pack.input_sets:
        for case in input_set.cases:
            _take(case, offers)
    offers.assets |= offers.shown_assets
    return offers


def _take(case: Case, offers: Offers) -> None:
    document = case.document
    offers.challenges.add(case.challenge_key.strip())
    if not document.get("payload") and not is_payload_only(document):
        offers.without_payload += 1
    offers.shown_assets.update(taken_assets(document, "inputs"))
    offers.assets.update(named_assets(document), withheld_by(document))


def _advise_on_challenges(pack: Pack, offers: Offers) -> Iterator[Finding]:
    for position, challenge in enumerate(pack.challenges):
        key = challenge.key.strip()
        if pack.input_sets and key and key not in offers.challenges:
            yield CHALLENGE_UNUSED.at(("challenges", position), key=key)


def _advise_on_assets(pack: Pack, offers: Offers) -> Iterator[Finding]:
    spec = evaluation_spec(pack.document)
    paths = (dotted_path(reference) for _, reference in references(spec))
    named = {found[1][0] for found in paths if found and found[0] == "artifact."}
    withheld = withheld_in(pack)
    for position, asset in enumerate(pack.assets):
        key = asset.key.strip()
        is_file = bool(text(asset.document, "artifact_id")) or asset.has_bytes
        if key and not is_file and key not in offers.assets and key not in named:
            yield ASSET_UNUSED.at(("version", "assets", position), key=key)
        elif is_file and key in withheld:
            rule = ASSET_SHOWN if key in offers.shown_assets else ASSET_WITHHELD
            yield rule.at(("version", "assets", position), key=key)


def _advise_on_challenge_input(pack: Pack, offers: Offers) -> Iterator[Finding]:
    for path, reference in references(evaluation_spec(pack.document)):
        if reference == "challenge_input" and offers.without_payload:
            yield CHALLENGE_INPUT_EMPTY.at(path, count=offers.without_payload)


def _advise_on_several_cases(pack: Pack) -> Iterator[Finding]:
    """One note for the whole pack, at the first set with several cases (challenge-pack d.2, g)."""
    several = (position for position, input_set in enumerate(pack.input_sets) if len(input_set.cases) > 1)
    first, mode = next(several, None), execution_mode(pack.document)
    if first is None:
        return
    if mode in ("prompt_eval", "multi_turn"):
        yield ONLY_FIRST_CASE.at(("input_sets", first, "cases"), mode=mode)
    elif any(reads_case(reference) for _, reference in references(evaluation_spec(pack.document))):
        yield SEVERAL_CASES.at(("input_sets", first, "cases"))


def _advise_on_instructions(pack: Pack) -> Iterator[Finding]:
    """Placeholders in instructions; they are filled in for prompt_eval packs only (challenge-pack c.7)."""
    cases: dict[str, list[Case]] = {}
    for input_set in pack.input_sets:
        for case in input_set.cases:
            cases.setdefault(case.challenge_key.strip(), []).append(case)
    for position, challenge in enumerate(pack.challenges):
        instructions = text(challenge.document, "instructions")
        own = cases.get(challenge.key.strip(), []) if placeholders(instructions) else []
        missing: dict[str, int] = {}
        for case in own:
            for name in unresolved(instructions, context_of(case.document)):
                missing[name] = missing.get(name, 0) + 1
        for name, count in missing.items():
            path = ("challenges", position, "instructions")
            yield INSTRUCTIONS_UNRESOLVED.at(path, name=name, count=count, total=len(own))
