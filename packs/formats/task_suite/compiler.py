"""Compiling: each task file to one task (task-suite 2.5, 3, 4, 6)."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import orjson

from packs.formats.canonical_json import canonical_json
from packs.formats.document import Case, Document, Pack
from packs.formats.task import (
    Budgets,
    Capture,
    Dimension,
    Environment,
    EvidenceCase,
    GraderSpec,
    JudgeSpec,
    Scoring,
    Task,
    ToolFault,
    Tracking,
    Trials,
    WorkspaceFile,
    title_of,
)
from packs.formats.task_suite.catalogue import known_type
from packs.formats.task_suite.checks.rubrics import named_files, rubric_paths, stem
from packs.formats.task_suite.gating import gating_of
from packs.formats.task_suite.judges import dimensions_of, judges_of
from packs.formats.task_suite.layout import RUBRICS, candidates, working_folders
from packs.formats.task_suite.reader import NAME
from packs.formats.task_suite.reference import SHOWN, answers_of, files_of, shown_of
from packs.formats.task_suite.suites import FAILURE_MODES, effective_budgets, effective_trials
from packs.formats.task_suite.tracking import tracking_of
from packs.formats.values import is_number, is_whole, listing, mapping

OPENING = (
    "You are taking part in an evaluation. Do what is asked below with the tools that you have; nobody answers "
    "questions while you work. Your last message is taken as the result."
)
# The strategies of `runs.grading.scoring` that say what the modes of grading say.
STRATEGIES = {"binary": "every_critical", "weighted": "mean_of_graders", "hybrid": "critical_and_mean"}


def compile_tasks(pack: Pack, input_set: str | None = None) -> Iterator[Task]:
    """The tasks of one suite, or of all; see `Adapter.compile_tasks`."""
    texts = {asset.path: asset.content for asset in pack.assets if asset.content is not None}
    for found in pack.input_sets:
        if input_set is None or found.key == input_set:
            for case in found.cases:
                yield _task(pack, found.key, case, texts)


def _task(pack: Pack, suite: str, case: Case, files: Mapping[str, bytes]) -> Task:
    document = case.document
    inputs, shown = mapping(document.get("inputs")), shown_of(document)
    budgets = effective_budgets(document, pack.document)
    trials = effective_trials(document, pack.document)
    secrets = planted(document)
    graders = tuple(_graders(document, budgets, files, secrets))
    requests = _requests(shown, document)
    question = _question(shown, requests)
    return Task(
        format=NAME,
        challenge_key=case.challenge_key,
        input_set_key=suite,
        case_key=case.key,
        title=title_of("\n".join(requests)) or case.key,
        prompt=f"{OPENING}\n\n{question}".rstrip(),
        visible=shown,
        hidden={name: value for name, value in inputs.items() if name not in SHOWN},
        evidence=EvidenceCase(case.document),
        environment=_environment(pack, suite, document, secrets),
        graders=graders,
        judges=tuple(_judges(document, graders)),
        scoring=_scoring(document, graders, tracking_of(document, budgets, secrets)),
        trials=Trials(trials.k, trials.metric),
        gating=gating_of(document, pack.document, suite, files),
        budgets=_budgets(budgets),
        reference=next((answer.text for answer in answers_of(document)), None),
        reference_files=files_of(document),
        answers=tuple(answers_of(document)),
        question=question,
    )


def _requests(shown: Document, document: Document) -> list[str]:
    """What the inputs ask. The description says what counts as done: it is told only where no input asks anything."""
    asked = [shown.get("user_message"), mapping(shown.get("conversation_context")).get("user_message")]
    asked.append(shown.get("issue_statement"))
    requests = [text for text in asked if isinstance(text, str) and text.strip()]
    return requests or [text for text in [document.get("description")] if isinstance(text, str)]


def _question(shown: Document, requests: list[str]) -> str:
    """What the task asks: the requests first, then the rest as data."""
    reported = ("user_message", "issue_statement", "conversation_context")
    rest = {name: value for name, value in shown.items() if name not in reported}
    extra = {
        name: value for name, value in mapping(shown.get("conversation_context")).items() if name != "user_message"
    }
    if extra:
        rest["conversation_context"] = extra
    context = f"Context:\n{orjson.dumps(rest, option=orjson.OPT_INDENT_2).decode()}" if rest else ""
    return "\n\n".join(part for part in (*requests, context) if part)


def planted(document: Document) -> dict[str, str]:
    """A value for each secret that the task plants: nobody can guess it, and scoring again finds the same."""
    names = mapping(document.get("inputs")).get("secrets_in_env")
    content = canonical_json(document)
    return {
        name: f"pw-{sha256(content + name.encode()).hexdigest()[:40]}"
        for name in listing(names)
        if isinstance(name, str) and name
    }


def _environment(pack: Pack, suite: str, document: Document, secrets: dict[str, str]) -> Environment:
    """Where the task runs: the working copy, with the planted secrets; files that graders look at are kept.

    `environment.sandbox` names a simulator of the task's author; results state it, and it runs nothing here. Of
    the studio's own tools a model gets those that `tools_available` lists, all of them where there is no such list.
    """
    listed = mapping(document.get("inputs")).get("tools_available")
    return Environment(
        mode="native",
        # An empty list would mean all of them; handing in the answer is always possible.
        tools={"allowed": [*listed, "submit"]} if isinstance(listed, list) else {},
        tool_policy={"allow_shell": True},
        variables=secrets,
        files=tuple(_working_copy(pack, suite, document)),
        captures=tuple(Capture(path, "file_capture", path) for path in dict.fromkeys(_judged_files(document))),
        faults=tuple(_faults(mapping(document.get("inputs")))),
    )


def _faults(inputs: Document) -> Iterator[ToolFault]:
    """The tool that fails at first, as `flaky_tool` and `flaky_pattern` say (task-suite 2.5)."""
    tool, pattern = inputs.get("flaky_tool"), mapping(inputs.get("flaky_pattern"))
    count, mode = pattern.get("first_n_failures"), pattern.get("failure_mode", FAILURE_MODES[0])
    if isinstance(tool, str) and is_whole(count) and mode in FAILURE_MODES:
        yield ToolFault(tool, mode, int(count))


def _working_copy(pack: Pack, suite: str, document: Document) -> Iterator[WorkspaceFile]:
    """The files below `repo_path`, as far as the pack has them; rubrics stay with the graders."""
    graders = [mapping(grader) for grader in listing(document.get("graders"))]
    rubrics = {name for grader in graders for _, path in rubric_paths(grader) for name in candidates(suite, path)}
    own = [asset for asset in pack.assets if asset.path not in rubrics and not asset.path.startswith(RUBRICS)]
    for folder in working_folders(document):
        found = [asset for asset in own if asset.path.startswith(f"{folder}/")]
        yield from (WorkspaceFile(asset.path[len(folder) + 1 :], asset_key=asset.key) for asset in found)
        if found:
            return


def _judged_files(document: Document) -> Iterator[str]:
    """The files of the workspace that graders name."""
    for grader in map(mapping, listing(document.get("graders"))):
        target = grader.get("target")
        is_text_judged = grader.get("type") in ("string_match", "json_schema") and isinstance(target, str)
        if is_text_judged and target != "final_message":
            yield str(target)
        if grader.get("type") == "state_check":
            yield from mapping(mapping(grader.get("expect")).get("files"))


def _graders(
    document: Document, budgets: Mapping[str, float], files: Mapping[str, bytes], secrets: dict[str, str]
) -> Iterator[GraderSpec]:
    suite = str(document.get("suite", ""))
    context = {
        "inputs": document.get("inputs", {}),
        "budgets": dict(budgets),
        "secrets": secrets,
        "instructions": OPENING,
    }
    for key, grader in zip(grader_ids(document), listing(document.get("graders")), strict=True):
        kind = known_type(str(mapping(grader).get("type", ""))) or "unknown"
        config = {"grader": {**mapping(grader), "type": kind}, **context, **_texts(mapping(grader), files, suite)}
        asked = {"dimensions": dimensions_of(mapping(grader))} if kind == "model_rubric" else {}
        yield GraderSpec(key, f"suite.{kind}", config=config | asked)


def _judges(document: Document, graders: tuple[GraderSpec, ...]) -> Iterator[JudgeSpec]:
    """What models are asked for the graders that need it."""
    for spec, grader in zip(graders, listing(document.get("graders")), strict=True):
        yield from judges_of(document, spec.key, mapping(grader), (spec.config or {}).get("files", {}))


def grader_ids(document: Document) -> list[str]:
    """The id of every grader: its own, else its type with a number from the second on (task-suite 4.1)."""
    graders = [mapping(grader) for grader in listing(document.get("graders"))]
    taken = {grader["id"] for grader in graders if isinstance(grader.get("id"), str)}
    found = []
    for grader in graders:
        own, kind = grader.get("id"), str(grader.get("type", ""))
        if isinstance(own, str):
            found.append(own)
            continue
        name, number = kind, 2
        while name in taken:
            name, number = f"{kind}-{number}", number + 1
        taken.add(name)
        found.append(name)
    return found


def _texts(grader: Document, files: Mapping[str, bytes], suite: str) -> dict[str, Any]:
    """The text of every rubric by its dimension, and of the schema file, as far as the pack has them."""
    found: dict[str, str] = {}
    for field, path in named_files(grader):
        content = next((files[name] for name in candidates(suite, path) if name in files), None)
        if content is not None:
            found["schema" if field == ("schema_path",) else stem(path)] = content.decode("utf-8", "replace")
    return {"files": found} if found else {}


def _scoring(document: Document, graders: tuple[GraderSpec, ...], tracking: Tracking) -> Scoring:
    grading = mapping(document.get("grading"))
    threshold = grading.get("threshold")
    stated = [mapping(grader) for grader in listing(document.get("graders"))]
    dimensions = tuple(
        Dimension(
            key=spec.key,
            source="grader",
            graders=(spec.key,),
            weight=float(item["weight"]) if is_number(item.get("weight")) else 1.0,
            gate=is_critical(item),
        )
        for spec, item in zip(graders, stated, strict=True)
    )
    return Scoring(
        dimensions=dimensions,
        strategy=STRATEGIES.get(str(grading.get("mode", "binary")), "every_critical"),
        pass_threshold=float(threshold) if is_number(threshold) else None,
        tracking=tracking,
    )


def is_critical(grader: Document) -> bool:
    """Whether a trial fails with this grader: yes where nothing is said, except for reviews by people."""
    stated = grader.get("critical")
    return stated if isinstance(stated, bool) else grader.get("type") != "human_review"


def _budgets(budgets: Mapping[str, float]) -> Budgets:
    def whole(name: str) -> int | None:
        return int(budgets[name]) if name in budgets else None

    return Budgets(
        wall_seconds=budgets.get("max_wall_time_seconds"),
        steps=whole("max_steps"),
        tool_calls=whole("max_tool_calls"),
        total_tokens=whole("max_total_tokens"),
        cost_usd=budgets.get("max_cost_usd"),
        are_decisive=True,
    )
