"""The rule about `{{placeholders}}` in test commands: each has a value in every case (challenge-pack e, W1; c.7)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.templates import context_of, placeholders, unresolved
from packs.formats.challenge_pack.values import SPEC, entries, evaluation_spec, mapping, text
from packs.formats.document import Document, Pack
from packs.formats.findings import Finding, Path, Rule, render_path
from packs.formats.kinds.settings import problems
from packs.formats.values import exact_text

COMMAND_UNRESOLVED = Rule(
    "challenge_pack.E599",
    "`{{{{{name}}}}}` in the test command has no value in case {case!r} of input set {input_set!r}.",
    "Add it to the payload or the inputs of the case, or take it out of the command.",
    "W1",
)


def check_commands(pack: Pack) -> Iterator[Finding]:
    """W1, asked of the whole pack: every command with placeholders against every case of every input set."""
    commands = list(_templated_commands(pack.document))
    if not commands:
        return
    for position, input_set in enumerate(pack.input_sets):
        for place, case in enumerate(input_set.cases):
            context = context_of(case.document)
            for path, command in commands:
                # The format names the case behind the field, in brackets.
                field = f"{render_path(path)} (input_sets[{position}].cases[{place}])"
                for name in unresolved(command, context):
                    yield COMMAND_UNRESOLVED.at(path, field=field, name=name, case=case.key, input_set=input_set.key)


def _templated_commands(pack: Document) -> Iterator[tuple[Path, str]]:
    for position, validator in entries(evaluation_spec(pack), "validators"):
        if exact_text(validator, "type") != "code_execution":
            continue
        path, command = (*SPEC, "validators", position, "config"), text(mapping(validator, "config"), "test_command")
        # A config of the wrong shape is not read at all, so its command is not either.
        has_shape = all(finding.path != path for finding in problems("code_execution", validator.get("config"), path))
        if has_shape and placeholders(command):
            yield (*path, "test_command"), command
