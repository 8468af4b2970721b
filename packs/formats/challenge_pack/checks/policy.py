"""Rules about tool policy, sandbox and deployment defaults (challenge-pack e, P1, P2, S1 to S3, L2 to L7)."""

import ipaddress
import json
import re
from collections.abc import Iterator

from packs.formats.challenge_pack.values import mapping, texts
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule

KIND_WITHOUT_TOOLS = Rule(
    "challenge_pack.N423",
    "No built-in tool is of the kind {kind}, so allowing it gives the agent none.",
    "Allow `network` for http_request, write `allow_shell: true` for exec, or add a tool of the pack's own to "
    "`tools.custom`.",
)
# Kinds that the format knows and none of its tools is of.
WITHOUT_TOOLS = ("browser", "terminal")
ALLOWLIST_NO_NETWORK = Rule(
    "challenge_pack.E431",
    "{entry!r} is not a network in CIDR notation.",
    "Write an address and a prefix length, such as 10.0.0.0/8; one address is 203.0.113.7/32.",
    "S1",
)
VARIABLE_NAME_BAD = Rule(
    "challenge_pack.E432",
    "{name!r} cannot be the name of an environment variable.",
    "Use letters, digits and underscores, and no digit in front.",
    "S2",
)
PACKAGES_ONLY_THERE = Rule(
    "challenge_pack.N434",
    "Packages are installed only where the sandbox has an image and network access; elsewhere trials of machines that "
    "lack them are errors.",
    "Add `sandbox_template_id` and `network_access: true`, or see that every machine has the packages.",
)
ALIAS_BLANK = Rule(
    "challenge_pack.E441",
    "The alias {key!r} lacks its name or its selector.",
    "Write both: the alias, and the deployment that it stands for.",
    "L2",
)
LINEUPS_MISSING = Rule(
    "challenge_pack.E442",
    "Deployment defaults need lineups, with one called default.",
    "Add `lineups: {{default: [...]}}`, or remove `deployment_defaults`.",
    "L3",
)
DEFAULT_LINEUP_MISSING = Rule(
    "challenge_pack.E443", "No lineup is called default.", "Add `default` with at least one selector.", "L4"
)
LINEUP_EMPTY = Rule(
    "challenge_pack.E444",
    "The lineup {key!r} has no name or no selector.",
    "Name it and list at least one deployment, or remove it.",
    "L6",
)
SELECTOR_BLANK = Rule(
    "challenge_pack.E445", "The lineup {key!r} has an empty selector.", "Write the deployment, or remove it.", "L7"
)

_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PREFIX_LENGTH = re.compile(r"[0-9]{1,3}")


def is_variable_name(name: str) -> bool:
    """Whether a name can be that of an environment variable (challenge-pack a.5)."""
    return _VARIABLE_NAME.fullmatch(name) is not None


def advise_tool_kinds(pack: Document) -> Iterator[Finding]:
    """Kinds in the tool policy of which there is no tool (challenge-pack c.5)."""
    policy, path = mapping(mapping(pack, "version"), "tool_policy"), ("version", "tool_policy", "allowed_tool_kinds")
    for position, kind in texts(policy, "allowed_tool_kinds"):
        name = kind.strip().lower()
        if name in WITHOUT_TOOLS:
            yield KIND_WITHOUT_TOOLS.at((*path, position), kind=name)


def check_sandbox(pack: Document) -> Iterator[Finding]:
    """S1 and S2."""
    sandbox, path = mapping(mapping(pack, "version"), "sandbox"), ("version", "sandbox")
    for position, entry in texts(sandbox, "network_allowlist"):
        if not _is_network(entry):
            yield ALLOWLIST_NO_NETWORK.at((*path, "network_allowlist", position), entry=entry)
    for name in mapping(sandbox, "env_vars"):
        if not is_variable_name(name):
            field = f"version.sandbox.env_vars[{name}]"
            yield VARIABLE_NAME_BAD.at((*path, "env_vars", name), field=field, name=name)


def advise_packages(pack: Document) -> Iterator[Finding]:
    """Where the packages of a sandbox cannot be added when a trial begins."""
    sandbox = mapping(mapping(pack, "version"), "sandbox")
    can_install = sandbox.get("sandbox_template_id") and sandbox.get("network_access") is True
    if not can_install and any(True for _ in texts(sandbox, "additional_packages")):
        yield PACKAGES_ONLY_THERE.at(("version", "sandbox", "additional_packages"))


def _is_network(entry: str) -> bool:
    address, slash, length = entry.partition("/")
    if not slash or "%" in address or not _PREFIX_LENGTH.fullmatch(length):
        return False
    try:
        ipaddress.ip_network(f"{address}/{int(length)}", strict=False)
    except ValueError:
        return False
    return True


def check_deployment_defaults(pack: Document) -> Iterator[Finding]:
    """L2 to L7; an entirely empty block counts as absent (challenge-pack a.4)."""
    defaults, path = mapping(mapping(pack, "version"), "deployment_defaults"), ("version", "deployment_defaults")
    aliases, lineups = mapping(defaults, "aliases"), mapping(defaults, "lineups")
    for key, selector in aliases.items():
        if not key.strip() or not isinstance(selector, str) or not selector.strip():
            field = _keyed("aliases", key)
            yield ALIAS_BLANK.at((*path, "aliases", key), field=field, key=key.strip())
    if aliases and not lineups:
        yield LINEUPS_MISSING.at((*path, "lineups"))
    if lineups and not any(key.strip() == "default" for key in lineups):
        yield DEFAULT_LINEUP_MISSING.at((*path, "lineups", "default"))
    for key in lineups:
        yield from _check_lineup(lineups, key, (*path, "lineups", key))


def _check_lineup(lineups: Document, key: str, path: Path) -> Iterator[Finding]:
    field = _keyed("lineups", key)
    if not key.strip() or not lineups[key]:
        yield LINEUP_EMPTY.at(path, field=field, key=key.strip())
        return
    for position, selector in texts(lineups, key):
        if not selector.strip():
            yield SELECTOR_BLANK.at((*path, position), field=f"{field}[{position}]", key=key.strip())


def _keyed(block: str, key: str) -> str:
    return f"version.deployment_defaults.{block}[{json.dumps(key.strip(), ensure_ascii=False)}]"
