"""Rules about the head of a pack: identity, version, mode and voice (challenge-pack e, B1 to B13)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.schema.pack import EXECUTION_MODES, TRANSPORTS
from packs.formats.challenge_pack.values import (
    execution_mode,
    given,
    mapping,
    number,
    one_of,
    text,
    texts,
)
from packs.formats.document import Document, Pack
from packs.formats.findings import Finding, Rule

SLUG_MISSING = Rule(
    "challenge_pack.E101", "The pack has no slug.", "Give it a short stable name, such as parcel-desk.", "B1"
)
NAME_MISSING = Rule("challenge_pack.E102", "The pack has no name.", "Write the name that people will see.", "B2")
FAMILY_MISSING = Rule(
    "challenge_pack.E103", "The pack has no family.", "Write what kind of pack it is, such as support.", "B3"
)
NUMBER_TOO_LOW = Rule(
    "challenge_pack.E104", "The version number must be 1 or more.", "Start with 1 and count up with each version.", "B4"
)
MODALITY_MISSING = Rule(
    "challenge_pack.E105",
    "`{block}` is only read in a voice pack, but no modality is stated.",
    "Set `modality: voice`, or remove `{block}`.",
    "B5",
)
MODALITY_UNKNOWN = Rule(
    "challenge_pack.E106",
    "The modality {modality!r} does not exist.",
    "Write `voice` in lower case, or remove the field.",
    "B6",
)
INTERFACE_MISSING = Rule(
    "challenge_pack.E107",
    "A voice pack needs an `interface_spec`.",
    "Add it with transports and channel_profile.",
    "B7",
)
NO_TRANSPORT = Rule(
    "challenge_pack.E108", "The voice interface has no transport.", "List at least one of: {allowed}.", "B7"
)
TRANSPORT_UNKNOWN = Rule(
    "challenge_pack.E109", "The transport {transport!r} does not exist.", "Use one of: {allowed}.", "B7"
)
TRANSPORT_REPEATED = Rule(
    "challenge_pack.E110", "The transport {transport!r} is listed twice.", "Keep one of the two.", "B7"
)
CHANNEL_PROFILE_MISSING = Rule(
    "challenge_pack.E111", "The voice interface has no channel profile.", "Name the profile, such as phone.", "B7"
)
SCENARIO_MISSING = Rule(
    "challenge_pack.E112",
    "A voice pack needs a `scenario`.",
    "Add it with persona, language, max_turns and max_duration_ms.",
    "B8",
)
SCENARIO_TEXT_MISSING = Rule(
    "challenge_pack.E113", "The voice scenario has no {what}.", "Write the {what} of the caller.", "B8"
)
SCENARIO_LIMIT_TOO_LOW = Rule(
    "challenge_pack.E114", "`{limit}` of the voice scenario must be above 0.", "Write a whole number above 0.", "B8"
)
MODE_UNKNOWN = Rule(
    "challenge_pack.E115",
    "The execution mode {mode!r} does not exist.",
    "Use one of: {allowed} (in lower case); without a mode the pack runs as native.",
    "B9",
)
BLOCK_NOT_ALLOWED = Rule(
    "challenge_pack.E116",
    "A prompt_eval pack is one model call and takes no `{block}`.",
    "Remove `{block}`, or choose the native mode.",
    "B10",
)
TOOLS_NOT_ALLOWED = Rule(
    "challenge_pack.E117",
    "A responses pack uses the tools of its provider and takes no tools of its own.",
    "Remove `tools`, or choose the native mode.",
    "B11",
)
NO_CHALLENGE = Rule("challenge_pack.E118", "The pack has no challenge.", "Add at least one challenge.", "B12")
SECURITY_MISSING = Rule(
    "challenge_pack.E119",
    "A pack of the family security needs a `security` block.",
    "Add `security` with what must not leak, or choose another family.",
    "B13",
)


def check_identity(pack: Document) -> Iterator[Finding]:
    """B1 to B4: slug, name, family and number of the version."""
    identity = mapping(pack, "pack")
    for key, rule in (("slug", SLUG_MISSING), ("name", NAME_MISSING), ("family", FAMILY_MISSING)):
        if not text(identity, key):
            yield rule.at(("pack", key))
    # A fraction is cut off before it is compared (challenge-pack a.1).
    if int(number(mapping(pack, "version"), "number") or 0) <= 0:
        yield NUMBER_TOO_LOW.at(("version", "number"))


def check_mode(pack: Document) -> Iterator[Finding]:
    """B9 to B11: the execution mode, and the blocks that it rules out."""
    version, mode = mapping(pack, "version"), execution_mode(pack)
    if mode not in EXECUTION_MODES:
        yield MODE_UNKNOWN.at(("version", "execution_mode"), mode=mode, allowed=one_of(EXECUTION_MODES))
    if mode == "responses" and mapping(pack, "tools"):
        yield TOOLS_NOT_ALLOWED.at(("tools",))
    if mode != "prompt_eval":
        return
    if mapping(pack, "tools"):
        yield BLOCK_NOT_ALLOWED.at(("tools",), block="tools")
    if given(version, "sandbox"):
        yield BLOCK_NOT_ALLOWED.at(("version", "sandbox"), block="sandbox")
    if mapping(version, "tool_policy"):
        yield BLOCK_NOT_ALLOWED.at(("version", "tool_policy"), block="tool_policy")


def check_family(pack: Document) -> Iterator[Finding]:
    """B13: packs of the security family state what they protect."""
    if text(mapping(pack, "pack"), "family").lower() == "security" and not given(pack, "security"):
        yield SECURITY_MISSING.at(("security",))


def check_modality(pack: Document) -> Iterator[Finding]:
    """B5 to B8: the voice blocks belong to the modality voice and to no other."""
    modality = text(pack, "modality")
    if modality == "voice":
        yield from _check_interface(pack)
        yield from _check_scenario(pack)
    elif modality:
        yield MODALITY_UNKNOWN.at(("modality",), modality=modality)
    else:
        for block in ("interface_spec", "scenario"):
            if given(pack, block):
                yield MODALITY_MISSING.at(("modality",), block=block)


def _check_interface(pack: Document) -> Iterator[Finding]:
    if not given(pack, "interface_spec"):
        yield INTERFACE_MISSING.at(("interface_spec",))
        return
    interface = mapping(pack, "interface_spec")
    seen: set[str] = set()
    for position, written in texts(interface, "transports"):
        transport, path = written.strip(), ("interface_spec", "transports", position)
        if transport in seen:
            yield TRANSPORT_REPEATED.at(path, transport=transport)
        elif transport not in TRANSPORTS:
            yield TRANSPORT_UNKNOWN.at(path, transport=transport, allowed=one_of(TRANSPORTS))
        if transport:
            seen.add(transport)
    if not interface.get("transports"):
        yield NO_TRANSPORT.at(("interface_spec", "transports"), allowed=one_of(TRANSPORTS))
    if not text(interface, "channel_profile"):
        yield CHANNEL_PROFILE_MISSING.at(("interface_spec", "channel_profile"))


def _check_scenario(pack: Document) -> Iterator[Finding]:
    if not given(pack, "scenario"):
        yield SCENARIO_MISSING.at(("scenario",))
        return
    scenario = mapping(pack, "scenario")
    for key in ("persona", "language"):
        if not text(scenario, key):
            yield SCENARIO_TEXT_MISSING.at(("scenario", key), what=key)
    for key in ("max_turns", "max_duration_ms"):
        if (number(scenario, key) or 0) <= 0:
            yield SCENARIO_LIMIT_TOO_LOW.at(("scenario", key), limit=key)


def check_challenge_count(pack: Pack) -> Iterator[Finding]:
    """B12, asked of the whole pack: at least one challenge."""
    if not pack.challenges:
        yield NO_CHALLENGE.at(("challenges",))
