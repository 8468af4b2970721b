"""Compiling: each row to one task (benchmark-pack 7 and 8)."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from packs.formats.benchmark_pack.checks.environment import is_safe_folder
from packs.formats.benchmark_pack.compiled import Compiled, compile_row
from packs.formats.benchmark_pack.families import ACTIVE, EVALUATION, HIDDEN, PUBLIC, TEXT_FAMILIES, label_of
from packs.formats.benchmark_pack.header import Header, header_of
from packs.formats.benchmark_pack.plan import JSON, Item, plan
from packs.formats.benchmark_pack.policy import AGENT, TASK_FILE, TEST_SANDBOX
from packs.formats.benchmark_pack.prompts import prompt_of, question_of
from packs.formats.benchmark_pack.reader import NAME, is_raw
from packs.formats.benchmark_pack.reference import answers_of, reference_answer, reference_files
from packs.formats.benchmark_pack.rows import ordered, tidy
from packs.formats.benchmark_pack.stored import stored_document
from packs.formats.document import Case, Document, InputSet, Pack
from packs.formats.index import TreeIndex
from packs.formats.task import (
    Budgets,
    Capture,
    Dimension,
    Environment,
    EvidenceCase,
    GraderSpec,
    Scoring,
    Task,
    WorkspaceFile,
)
from packs.formats.values import is_finite, is_text

VERIFIER = "verifier"
WORKSPACE = "/workspace"
# Families whose agents work on files with programs; the others are asked once.
_WORKING = frozenset({"repo_patch", "terminal_task"})
# Where the workspace itself is handed in, a run has it among its results (benchmark-pack 12).
_CANDIDATE = (Capture("workspace", "workspace_capture", "."),)
_SCORING = Scoring(
    dimensions=(Dimension("correctness", "validators", graders=(VERIFIER,), pass_threshold=1.0),), strategy="binary"
)


def compile_tasks(pack: Pack, input_set: str | None = None) -> Iterator[Task]:
    """The tasks of one rows file, named by its key, or of all; see `Adapter.compile_tasks`."""
    compiler = _Compiler(pack)
    for found in pack.input_sets:
        if input_set is None or found.key == input_set:
            for case in found.cases:
                if not is_raw(case.document):
                    yield compiler.task(found, case)


class _Compiler:
    """What all tasks of a pack share."""

    def __init__(self, pack: Pack) -> None:
        self.header: Header = header_of(pack.document)
        self.index = TreeIndex(pack)
        self.files = sorted(asset.key for asset in pack.assets)

    def task(self, input_set: InputSet, case: Case) -> Task:
        family, environment = self.header.family_of(case.document), self.header.environment_of(case.document)
        # In canonical order, so that a pack compiles alike before and after it was written.
        row = ordered(tidy(case.document), family)
        compiled = compile_row(self.header, row)
        seconds = environment.get("timeout_seconds")
        return Task(
            format=NAME,
            challenge_key=family,
            input_set_key=input_set.key,
            case_key=case.key,
            title=label_of(family),
            prompt=prompt_of(family, compiled.payload(AGENT)),
            question=question_of(compiled.payload(AGENT)),
            visible=compiled.payload(AGENT),
            hidden=compiled.in_lane(HIDDEN),
            evidence=EvidenceCase(stored_document(case)),
            environment=self.environment(compiled, environment),
            graders=self.graders(compiled, environment),
            scoring=_SCORING if family in ACTIVE else Scoring(),
            budgets=Budgets(wall_seconds=float(seconds) if is_finite(seconds) and seconds > 0 else None),
            reference=reference_answer(family, row),
            reference_files=reference_files(family, row),
            staged=compiled.in_lane(EVALUATION),
            answers=tuple(answers_of(family, row)),
        )

    def environment(self, compiled: Compiled, stated: Document) -> Environment:
        """Where the agent works: its files are the public values, the task file and the assets (benchmark-pack 8.1)."""
        items = plan(self.header, compiled, AGENT, self.index.has_assets_at).items
        task_file = WorkspaceFile(TASK_FILE, _json(compiled.payload(AGENT)))
        image, workdir = stated.get("image"), _folder_of(compiled, stated)
        is_repository = compiled.task_type == "repo_patch"
        starts_from_image = is_repository or stated.get("materialize_workdir_from_image") is True
        folder = workdir.strip() if is_text(workdir) and compiled.task_type in _WORKING else ""
        return Environment(
            mode="native" if compiled.task_type in _WORKING else "prompt_eval",
            working_directory=folder if is_safe_folder(folder) else WORKSPACE,
            files=(task_file, *self.placed(items)),
            image=image.strip() if is_text(image) and compiled.task_type not in TEXT_FAMILIES else "",
            image_is_optional=not starts_from_image,
            materialize_from_image=starts_from_image,
            captures=_CANDIDATE if compiled.task_type == "terminal_task" else (),
        )

    def placed(self, items: tuple[Item, ...]) -> Iterator[WorkspaceFile]:
        """The files of a plan; folders are copied file by file."""
        for item in items:
            if item.serialization == JSON:
                yield WorkspaceFile(item.path, _json(item.value))
                continue
            for key in self.files:
                if key == item.source or key.startswith(f"{item.source}/"):
                    path = item.path + key.removeprefix(item.source)
                    yield WorkspaceFile(path, asset_key=key, read_only=item.read_only)

    def graders(self, compiled: Compiled, environment: Document) -> tuple[GraderSpec, ...]:
        """The verifier of the family; none for families without one."""
        family = compiled.task_type
        if family not in ACTIVE:
            return ()
        values = {resource.name: resource.value for resource in compiled.resources}
        config = {name: values[name] for name in _CONFIGURED[family] if name in values}
        files: tuple[WorkspaceFile, ...] = ()
        if family not in TEXT_FAMILIES:
            config["environment"] = {name: environment[name] for name in _ENVIRONMENT if name in environment}
        if family == "terminal_task":
            items = plan(self.header, compiled, TEST_SANDBOX, self.index.has_assets_at).items
            files = tuple(self.placed(tuple(item for item in items if _is_staged(item))))
        return (GraderSpec(VERIFIER, family, target="final_output", config=config, files=files),)


_ENVIRONMENT = ("image", "workdir", "timeout_seconds")
# What a verifier reads of a task.
_CONFIGURED: Mapping[str, tuple[str, ...]] = {
    "multiple_choice": ("choices", "answer"),
    "short_answer": ("accepted_answers", "tolerance"),
    "free_response": ("rubric",),
    "code_completion": ("language", "tests"),
    "repo_patch": ("base_commit", "tests"),
    "terminal_task": ("checker", "needed_commands"),
}


def _folder_of(compiled: Compiled, environment: Document) -> Any:
    """Where the agent's workspace stands: for a repository what its tests say counts first (benchmark-pack 5)."""
    tests = next((found.value for found in compiled.resources if found.name == "tests"), None)
    if compiled.task_type == "repo_patch" and isinstance(tests, dict) and is_text(tests.get("workdir")):
        return tests["workdir"]
    return environment.get("workdir")


def _is_staged(item: Item) -> bool:
    """Whether a file appears only when verification starts, or is written again then, over what an agent planted."""
    return item.lane != PUBLIC or item.serialization == JSON


def _json(value: Any) -> str:
    """A value as a file of the framework (benchmark-pack 8.1): sorted keys, two spaces, ASCII, a line feed."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE).decode()
    return text if text.isascii() else "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if character.isascii():
        return character
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
