"""Targets files (agentv I.3), and the names of targets that suites and tests use."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from packs.formats.agentv.checks.advice import NO_GRADER_FILE
from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import SCRIPTS, inside
from packs.formats.agentv.providers import (
    COMMON,
    KNOWN,
    OLD_SPELLINGS,
    PLACEHOLDERS,
    SETTINGS,
)
from packs.formats.agentv.reading import is_text, read_yaml
from packs.formats.agentv.rules import IGNORED_SETTING
from packs.formats.agentv.schema.targets import TARGETS_FILE
from packs.formats.agentv.schema.workspace import POINTS
from packs.formats.agentv.targets import Targets, entries_of, is_targets_file, targets_of
from packs.formats.document import Asset, Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.structure import Structure
from packs.formats.structure.relaxing import rule_names
from packs.formats.values import is_whole, listing, mapping

UNREADABLE = Rule("agentv.E170", "The targets file cannot be read: {reason}", hint="Fix it as YAML.")
NO_LIST = Rule(
    "agentv.E171", "A targets file is a mapping with a list `targets`.", hint="Begin with `targets:` and a dash."
)
NO_TARGET = Rule("agentv.E172", "A target is a mapping.", hint="Write its name and provider.")
NO_NAME = Rule("agentv.E173", "The target has no name.", hint="Write a text as `name`.")
NO_PROVIDER = Rule(
    "agentv.E174",
    "The target says neither its provider nor which other target it uses.",
    hint="Write `provider`, or the name of another target as `use_target`.",
)
UNKNOWN_PROVIDER = Rule("agentv.W175", "AgentV knows no provider {name}.", hint="Check its spelling.")
BAD_JUDGE = Rule("agentv.E176", "`grader_target` must be text.", hint="Write the name of the target that judges.")
OLD_SPELLING = Rule("agentv.E177", "{name} is an old spelling that is refused.", hint="Write {expected}.")
UNKNOWN_SETTING = Rule(
    "agentv.W178", "The provider {provider} has no setting {name}; it is ignored.", hint="Check its spelling."
)
NO_COMMAND = Rule("agentv.E179", "A target that is a program needs a command.", hint="Write the command as a text.")
BAD_PLACEHOLDER = Rule(
    "agentv.E180",
    "The command of the target has a placeholder that AgentV does not know.",
    hint="Use " + ", ".join(f"{{{{{name}}}}}" for name in PLACEHOLDERS) + ".",
)
BAD_HEALTH = Rule(
    "agentv.E181",
    "The health check cannot be used: {name} is {found}.",
    hint="Give it a `url` or a `command`, a `timeout_seconds` above 0 and a `cwd` that is text, or leave it out.",
)
OLD_TEMPLATE = Rule(
    "agentv.W182", "Targets no longer have a `workspace_template`.", hint="Write `workspace.template` in the suite."
)
NO_SETTING = Rule("agentv.E183", "{name} was removed from this provider.", hint="Leave it out.")
BAD_REPLAY = Rule(
    "agentv.E184",
    "A target that replays answers does not say which.",
    hint="Write `source_target`, and either `fixtures` or `execution_traces`.",
)
# All of these need the bytes of the file.
TARGETS_FILE_RULES = (
    UNREADABLE, NO_LIST, NO_TARGET, NO_NAME, NO_PROVIDER, UNKNOWN_PROVIDER, BAD_JUDGE, OLD_SPELLING, UNKNOWN_SETTING,
    NO_COMMAND, BAD_PLACEHOLDER, BAD_HEALTH, OLD_TEMPLATE, NO_SETTING, BAD_REPLAY,
)  # fmt: skip
NO_JUDGE = Rule(
    "agentv.W511",
    "The targets file of the pack has no target {name}, so this grader scores 0.",
    hint="Add it there, or name one of: {known}.",
)
NOWHERE = Rule(
    "agentv.N513",
    "Hooks of targets run only in a workspace, and the suite states none.",
    hint="Give the suite or each of its tests a `workspace`.",
)
TARGET_RULES = (*TARGETS_FILE_RULES, NO_JUDGE)
_BY_NAME = {
    "no_list": NO_LIST,
    "no_target": NO_TARGET,
    "no_name": NO_NAME,
    "no_provider": NO_PROVIDER,
    "bad_judge": BAD_JUDGE,
    "old_spelling": OLD_SPELLING,
    "no_command": NO_COMMAND,
    "placeholder": BAD_PLACEHOLDER,
    "health": BAD_HEALTH,
    "removed": NO_SETTING,
    "replay": BAD_REPLAY,
}
_REFUSALS = Structure(TARGETS_FILE, _BY_NAME, rule_names(TARGETS_FILE))
_FROM_ENVIRONMENT = re.compile(r"\$\{\{.+\}\}")


def check_targets_file(asset: Asset) -> Iterator[Finding]:
    """The findings about a file of targets; none about any other file. Paths start at the file's root."""
    data = asset.content
    if data is None or not is_targets_file(asset.path, data):
        return
    value, findings = read_yaml(data)
    errors = [found for found in findings if found.is_error]
    if errors:
        yield UNREADABLE.at(("targets",), reason=f"{errors[0].message} (line {errors[0].line})")
    else:
        for finding in _REFUSALS.examine(value):
            yield replace(finding, path=finding.path or ("targets",))
        for index, target in enumerate(map(mapping, listing(mapping(value).get("targets")))):
            provider = target.get("provider")
            if is_text(provider) and not _FROM_ENVIRONMENT.fullmatch(provider.strip()):
                yield from _check_provider(target, provider.strip().lower(), ("targets", index))


def _check_provider(target: Document, provider: str, place: Path) -> Iterator[Finding]:
    if provider not in KNOWN:
        yield UNKNOWN_PROVIDER.at((*place, "provider"), name=repr(provider)[:80])
    if "workspace_template" in target:
        yield OLD_TEMPLATE.at((*place, "workspace_template"))
    yield from _check_names(target, provider, place)


def _check_names(target: Document, provider: str, place: Path) -> Iterator[Finding]:
    known = SETTINGS.get(provider)
    if known is not None:
        other = known | COMMON | OLD_SPELLINGS.keys() | {"workspace_template"}
        for name in (name for name in target if name not in other):
            yield UNKNOWN_SETTING.at((*place, name), provider=provider, name=repr(name)[:80])


def check_hooks_of_targets(around: Around) -> Iterator[Finding]:
    """Hooks of targets that a suite without a workspace never runs, and files of theirs that are not there."""
    stated = listing(mapping(around.suite.get("execution")).get("targets"))
    has_hooks = any(mapping(target.get("hooks")) for target in entries_of(around.suite))
    if has_hooks and around.suite.get("workspace") is None:
        yield NOWHERE.at(("execution", "targets"))
    for index, target in enumerate(map(mapping, stated)):
        hooks = mapping(target.get("hooks"))
        for point in POINTS:
            place = ("execution", "targets", index, "hooks", point, "command")
            yield from _check_scripts(around, mapping(hooks.get(point)), place)


def _check_scripts(around: Around, hook: Document, place: Path) -> Iterator[Finding]:
    stated = hook.get("cwd")
    folder = inside(around.folder, stated) if isinstance(stated, str) else around.folder
    for index, part in enumerate(listing(hook.get("command"))):
        if isinstance(part, str) and (part.startswith(("./", "../")) or part.endswith(SCRIPTS)):
            name = None if folder is None else inside(folder, part)
            if name is None or not around.exists(name):
                yield NO_GRADER_FILE.at((*place, index), name=repr(part)[:160])


def check_judges(around: Around, document: Document) -> Iterator[Finding]:
    """What a suite's or a test's assertions say of those who judge; paths start at the document."""
    targets = targets_of(around)
    yield from _check_judges(targets, document.get("assertions"), ("assertions",))
    for index, turn in enumerate(map(mapping, listing(document.get("turns")))):
        yield from _check_judges(targets, turn.get("assertions"), ("turns", index, "assertions"))


def _check_judges(targets: Targets, assertions: Any, path: Path) -> Iterator[Finding]:
    for index, item in enumerate(map(mapping, listing(assertions))):
        place = (*path, index)
        if item.get("type") == "code-grader":
            yield from _check_access(item.get("target"), (*place, "target"))
        else:
            yield from _check_name(targets, item.get("target"), (*place, "target"))
        aggregator = mapping(item.get("aggregator"))
        yield from _check_name(targets, aggregator.get("target"), (*place, "aggregator", "target"))
        yield from _check_judges(targets, item.get("assertions"), (*place, "assertions"))


def _check_name(targets: Targets, name: Any, place: Path) -> Iterator[Finding]:
    if is_text(name) and targets.is_listed and name not in targets.known:
        yield NO_JUDGE.at(place, name=repr(name)[:120], known=", ".join(targets.known)[:300] or "none")


def _check_access(stated: Any, place: Path) -> Iterator[Finding]:
    if stated is not None and not isinstance(stated, bool | dict):
        yield IGNORED_SETTING.at(place, name="target", expected="true, or a mapping with max_calls")
    most = mapping(stated).get("max_calls")
    if most is not None and not is_whole(most):
        yield IGNORED_SETTING.at((*place, "max_calls"), name="max_calls", expected="a whole number above 0")
