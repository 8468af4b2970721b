"""Compiling: each case to one task (challenge-pack c, d, g). Every case is a task of its own."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import orjson

from packs.formats.challenge_pack import templates
from packs.formats.challenge_pack.definition import compile_scoring
from packs.formats.challenge_pack.environment import asset_files, budgets_of, environment_of
from packs.formats.challenge_pack.normal import manifest, normal_case
from packs.formats.challenge_pack.reference import answers_of, reference_answer
from packs.formats.challenge_pack.scope import evidence_of
from packs.formats.challenge_pack.stored import as_json
from packs.formats.challenge_pack.values import NAME
from packs.formats.challenge_pack.withheld import given_to_agent, withheld_in
from packs.formats.document import Case, Document, InputSet, Pack
from packs.formats.task import GraderSpec, JudgeSpec, Scoring, Task, WorkspaceFile, shown_tools, title_of
from packs.formats.values import mapping

PROMPT_POLICY = (
    "You are taking part in an evaluation. Answer the task below in a single reply. You have no tools and nobody "
    "answers questions. Your whole reply is taken as the final answer, so give exactly what the task asks for."
)
NATIVE_TASK = (
    "You are taking part in an evaluation. Work on the challenge described in the benchmark context below, with the "
    "tools and files that you have, and submit a final answer. Nobody answers questions while you work."
)
CONVERSATION_TASK = (
    "You are taking part in an evaluation. Talk to the user, who is played by a script, a model or a person. "
    "What you are asked to do stands in the benchmark context below."
)
# Left out of what the agent sees: how it is judged, what other agents get, and the secrets that are planted.
HIDDEN_FIELDS = ("evaluation_spec", "challenges", "input_sets", "security", "sandbox", "tools")
# The part of a payload that holds files.
FILES = "workspace_files"
# The graders that run something where the agent worked.
RUNNING = "code_execution"


@dataclass(frozen=True)
class _Compiled:
    """What all tasks of a pack share."""

    pack: Pack

    @cached_property
    def manifest(self) -> Document:
        without_cases = Pack(
            self.pack.format, self.pack.key, self.pack.document, self.pack.challenges, (), self.pack.assets
        )
        return manifest(without_cases)

    @cached_property
    def mode(self) -> str:
        return str(self.manifest["version"].get("execution_mode") or "native")

    @cached_property
    def scoring(self) -> tuple[tuple[GraderSpec, ...], tuple[JudgeSpec, ...], Scoring]:
        return compile_scoring(mapping(self.manifest["evaluation_spec"]))

    @cached_property
    def challenges(self) -> Mapping[str, Document]:
        return {challenge.get("key", ""): challenge for challenge in reversed(self.manifest["challenges"])}

    @cached_property
    def version_assets(self) -> Mapping[str, Document]:
        return {asset.get("key", ""): asset for asset in reversed(self.manifest["version"]["assets"])}

    @cached_property
    def withheld(self) -> frozenset[str]:
        return withheld_in(self.pack)

    def kept_files(self, challenge: Document, case: Document, withheld: Container[str]) -> Iterator[WorkspaceFile]:
        """The withheld assets whose bytes are there for graders."""
        stored = {asset.key for asset in self.pack.assets if asset.has_bytes}
        for file in asset_files(self.pack, challenge, case, withheld.__contains__):
            if not file.asset_key or file.asset_key in stored:
                yield file

    @cached_property
    def _shown(self) -> Document:
        shown = {name: part for name, part in self.manifest.items() if name not in HIDDEN_FIELDS}
        tools = shown_tools(mapping(self.manifest.get("tools")))
        return {**shown, "tools": tools} if tools else shown

    def shown(self, withheld: Container[str]) -> Document:
        """The part of the manifest that agents see."""
        return {**self._shown, "version": _without(self._shown["version"], withheld)}


def compile_tasks(pack: Pack, input_set: str | None = None) -> Iterator[Task]:
    """The tasks of one input set, named by its key, or of all; see `Adapter.compile_tasks`."""
    compiled = _Compiled(pack)
    for found in pack.input_sets:
        if input_set is None or found.key == input_set:
            for case in found.cases:
                yield _task(compiled, found, case)


def _task(compiled: _Compiled, input_set: InputSet, case: Case) -> Task:
    graders, judges, scoring = compiled.scoring
    normal = normal_case(case.document)
    challenge = compiled.challenges.get(case.challenge_key, {})
    evidence = evidence_of(normal, compiled.version_assets)
    withheld = compiled.withheld - given_to_agent(challenge, normal)
    hidden = tuple(compiled.kept_files(challenge, normal, withheld))
    title, prompt, visible = _described(compiled, challenge, normal, withheld)
    question = _question(compiled.mode, challenge, normal)
    spec = mapping(compiled.manifest["evaluation_spec"])
    return Task(
        format=NAME,
        challenge_key=case.challenge_key,
        input_set_key=input_set.key,
        case_key=case.key,
        title=title,
        prompt=prompt,
        visible=visible,
        hidden=_hidden(evidence.stored, hidden),
        evidence=evidence,
        environment=environment_of(compiled.manifest, compiled.pack, challenge, normal, withheld),
        graders=tuple(_readied(grader, normal, hidden) for grader in graders),
        judges=judges,
        scoring=scoring,
        budgets=budgets_of(spec, normal),
        conversation=_conversation(normal) if compiled.mode == "multi_turn" else None,
        reference=reference_answer(evidence, graders, judges),
        security=compiled.manifest.get("security"),
        answers=tuple(answers_of(case.document)),
        question=question,
    )


def _hidden(stored: Document, files: tuple[WorkspaceFile, ...]) -> Document:
    """What stays with graders: the expectations, and where there are any, the assets that are withheld."""
    assets = {"assets": [file.path for file in files]} if files else {}
    return {"expectations": stored.get("expectations", []), **assets} if "schema_version" in stored else assets


def _without(holder: Document, withheld: Container[str]) -> Document:
    """What lists assets, without those that are withheld."""
    kept = [asset for asset in holder.get("assets", ()) if asset.get("key") not in withheld]
    return {**holder, "assets": kept} if "assets" in holder else holder


def _readied(grader: GraderSpec, normal: Document, hidden: tuple[WorkspaceFile, ...]) -> GraderSpec:
    """A grader with the files that it alone gets; a template as test command has the values of the case (c.7)."""
    if grader.kind != RUNNING:
        return grader
    grader = replace(grader, files=hidden)
    config = mapping(grader.config)
    command = config.get("test_command")
    if not isinstance(command, str) or not templates.placeholders(command):
        return grader
    rendered = templates.render(command, templates.context_of(normal))
    return replace(grader, config={**config, "test_command": rendered})


def _conversation(normal: Document) -> Document | None:
    """The script of the simulated user, its messages filled in from the case (challenge-pack c.7)."""
    script = normal.get("user_simulator")
    if not isinstance(script, dict):
        return None
    context = templates.context_of(normal)
    phases = [_filled_in(phase, context) for phase in script.get("phases") or () if isinstance(phase, dict)]
    return {**script, "phases": phases}


def _filled_in(phase: Document, context: Mapping[str, Any]) -> Document:
    turns = [turn for turn in phase.get("turns") or () if isinstance(turn, dict)]
    reported = [{**turn, "message": templates.render(str(turn.get("message", "")), context)} for turn in turns]
    return {**phase, "turns": reported} if turns else phase


def _described(
    compiled: _Compiled, challenge: Document, normal: Document, withheld: Container[str]
) -> tuple[str, str, Document]:
    """Title, prompt and context: all that the agent learns (challenge-pack g, "What the agent sees")."""
    instructions = challenge.get("instructions", "")
    if compiled.mode == "prompt_eval":
        rendered = templates.render(instructions, templates.context_of(normal))
        return title_of(rendered) or normal["case_key"], f"{PROMPT_POLICY}\n\n{rendered}", {}
    visible = {
        "manifest": compiled.shown(withheld),
        "challenge": _without(challenge, withheld),
        "case": {
            "challenge_key": normal["challenge_key"],
            "case_key": normal["case_key"],
            "payload": as_json(normal["payload"]),
            "inputs": as_json(normal.get("inputs", [])),
        },
    }
    opening = CONVERSATION_TASK if compiled.mode == "multi_turn" else NATIVE_TASK
    reported = f"{opening}\n\n{instructions}".rstrip()
    return str(challenge.get("title", "")), f"{reported}\n\nBenchmark context:\n{_json(visible)}", visible


def _question(mode: str, challenge: Document, normal: Document) -> str:
    """The instructions filled in from the case, and the values of the case that they leave out but the agent gets."""
    instructions, context = challenge.get("instructions", ""), templates.context_of(normal)
    taken = {FILES, *(name.partition(".")[0] for name in templates.placeholders(instructions))}
    left = {} if mode == "prompt_eval" else {name: value for name, value in context.items() if name not in taken}
    values = (f"{name}:\n{templates.shown(value)}" for name, value in left.items())
    return "\n\n".join((templates.render(instructions, context).rstrip(), *values))


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
