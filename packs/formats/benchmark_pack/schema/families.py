"""What a row of each family holds in `input` and `eval` (benchmark-pack 6.3 to 6.8).

Fields stand in canonical order. `x-rules` names the rules of `checks.shape`; what they pass over other rules report.
"""

from collections.abc import Mapping

from packs.formats.answers import MAX_CHOICES
from packs.formats.environment import DANGEROUS_COMMANDS
from packs.formats.rubrics import RUBRIC
from packs.formats.schema.pieces import (
    AGENT,
    Schema,
    anything,
    audiences,
    command,
    free_map,
    items,
    number,
    strict,
    text,
    yes_no,
)

SAYS_SOMETHING = r"\S"


def words(title: str, description: str = "", *, long: bool = False, **more: object) -> Schema:
    """A text that is not blank."""
    widget = {"widget": "textarea"} if long else {}
    return text(title, description, pattern=SAYS_SOMETHING, expected="text that is not blank", **widget, **more)


def _string(title: str, description: str) -> Schema:
    return text(title, description, widget="textarea")


def _number_or_words(title: str) -> Schema:
    return {"title": title, "oneOf": [text("Text", pattern=SAYS_SOMETHING), number("Number")]}


def _context() -> Schema:
    shapes = [text("Text", pattern=SAYS_SOMETHING, widget="textarea"), free_map("Object")]
    return {
        "title": "Context",
        "description": "What the agent may need to know.",
        "oneOf": shapes,
        "x-expected": "text that is not blank, or an object",
    }


def _patch(title: str, description: str) -> Schema:
    inline = strict(
        "Patch object",
        {"source": {**text("Source"), "const": "inline"}, "patch": words("Patch", long=True)},
        required=["source", "patch"],
    )
    shapes = [text("Patch", pattern=SAYS_SOMETHING, widget="textarea"), inline]
    return {"title": title, "description": description, "oneOf": shapes}


def file_reference(title: str, description: str) -> Schema:
    """A file or folder of the hidden root that is staged for the verifier (benchmark-pack 4.3)."""
    fields = {
        "path": text(
            "Path",
            "File or folder below the hidden root.",
            minLength=1,
            picks="hidden_files",
            widget="suggestions",
            rules="plan",
        ),
        "mount": text("Mount", "Where the verifier finds it; below `securebench/evaluation_inputs`.", rules="plan"),
        "read_only": yes_no("Read only", "Whether the checker may change it.", default=True, null=True, rules="plan"),
    }
    return {"type": "object", "title": title, "description": description, "properties": fields}


_TEXTS = "a list of texts, none of them blank"
_PATHS = items("Paths", text("Path", pattern=SAYS_SOMETHING), expected=_TEXTS)
POLICY: Schema = strict(
    "Candidate policy",
    {
        "allow_paths": {**_PATHS, "title": "Allowed paths", "description": "With any, a patch may touch these only."},
        "allow_sensitive_paths": {
            **_PATHS,
            "title": "Allowed sensitive paths",
            "description": "Tests, build files and scripts that a patch may touch although they are sensitive.",
        },
    },
    "Which files a patch may change.",
)
REPOSITORY_TESTS: Schema = strict(
    "Tests",
    {
        "source": {**text("Source"), "const": "command"},
        "command": command("Command", "What is run in the repository; it passes with exit code 0."),
        "workdir": words(
            "Folder", "Folder of the repository, where agents work; replaces that of the environment.", audience=AGENT
        ),
        # Of 0 a rule of environments speaks.
        "timeout_seconds": number(
            "Time limit (seconds)",
            "300 when absent.",
            minimum=0,
            exclusiveMinimum=0,
            widget="seconds",
            rules={"exclusiveMinimum": "environment"},
        ),
        "setup_patch": _patch("Setup patch", "Applied before the agent's patch."),
        "test_patch": _patch("Test patch", "Applied after the agent's patch."),
        "candidate_policy": POLICY,
    },
    "How a patch is judged.",
    required=["source", "command"],
)
CHECKER: Schema = strict(
    "Checker",
    {
        "command": command("Command", "What is run in the workspace; it passes with exit code 0."),
        "workdir": words("Folder", "Working folder; the workspace when absent."),
        "timeout_seconds": number("Time limit (seconds)", exclusiveMinimum=0, widget="seconds"),
    },
    "How the workspace that the agent leaves is judged.",
    required=["command"],
)
INPUT: Mapping[str, Schema] = {
    "multiple_choice": strict(
        "Input",
        audiences(
            {
                "question": words("Question", long=True),
                "choices": items(
                    "Choices",
                    text("Choice", pattern=SAYS_SOMETHING),
                    "Labelled A, B, C by position.",
                    minItems=1,
                    maxItems=MAX_CHOICES,
                    expected=_TEXTS,
                    rules={"maxItems": "too_many_choices"},
                ),
            },
            agent=("question", "choices"),
        ),
        required=["question", "choices"],
    ),
    "short_answer": strict(
        "Input",
        audiences(
            {
                "question": words("Question", long=True),
                "answer_format": words("Answer format", "A hint for the agent, for instance `one word`."),
                "context": _context(),
            },
            agent=("question", "answer_format", "context"),
        ),
        required=["question"],
    ),
    "free_response": strict(
        "Input",
        audiences({"prompt": words("Prompt", long=True), "context": _context()}, agent=("prompt", "context")),
        required=["prompt"],
    ),
    "code_completion": strict(
        "Input",
        audiences(
            {
                "prompt": words("Prompt", long=True),
                "language": words("Language", "Only `python` can be verified.", examples=["python"]),
                "starter_code": _string("Starter code", "Shown to the agent; never put before its answer."),
            },
            agent=("prompt", "language", "starter_code"),
        ),
        required=["prompt"],
    ),
    "repo_patch": strict(
        "Input",
        audiences(
            {
                "repo": words("Repository", "A name, an address or a path.", examples=["example/project"]),
                "base_commit": words("Base commit"),
                "instructions": words("Instructions", long=True),
                "hints": words("Hints", long=True),
            },
            agent=("repo", "base_commit", "instructions", "hints"),
        ),
        required=["repo", "base_commit", "instructions"],
    ),
    "terminal_task": strict(
        "Input",
        audiences(
            {"instructions": words("Instructions", long=True), "context": _context()}, agent=("instructions", "context")
        ),
        required=["instructions"],
    ),
}

_ENTRY = _number_or_words("Answer")
_ANSWER: Schema = {
    "title": "Answer",
    "description": "A letter, the text of a choice, a position from 0 as a number, or a list: any of them is right.",
    "oneOf": [*_ENTRY["oneOf"], items("Any of", _ENTRY, minItems=1)],
    "x-expected": "text, a number, or a list of these that is not empty",
}
_RUBRIC_OR_WORDS: Schema = {
    "title": "Rubric",
    "description": "Only a rubric with accepted answers can be verified.",
    "oneOf": [RUBRIC, text("Text", pattern=SAYS_SOMETHING, widget="textarea")],
}
_INLINE_TESTS: Schema = {
    "type": "object",
    "title": "Tests",
    "description": "Run after the answer was imported; it passes when they come to their end.",
    "properties": {
        "source": text("Source", const="inline", rules="inline"),
        "code": words("Code", long=True, rules="inline"),
    },
    "required": ["source", "code"],
    "x-rules": {"required": "inline"},
}

EVAL: Mapping[str, Schema] = {
    "multiple_choice": strict("Evaluation", {"answer": _ANSWER}, required=["answer"]),
    "short_answer": strict(
        "Evaluation",
        {
            "accepted_answers": items(
                "Accepted answers", _ENTRY, minItems=1, expected="a list of texts or numbers that is not empty"
            ),
            "tolerance": number(
                "Tolerance",
                "Compare as numbers that may differ by this much.",
                minimum=0,
                keep=True,
                expected="a number from 0 up",
            ),
        },
        required=["accepted_answers"],
    ),
    "free_response": strict(
        "Evaluation",
        {
            "rubric": _RUBRIC_OR_WORDS,
            "reference_answer": words("Reference answer", "For people; not used by the verifier.", long=True),
        },
        required=["rubric"],
    ),
    "code_completion": strict(
        "Evaluation",
        {
            "tests": _INLINE_TESTS,
            "reference_solution": _string("Reference solution", "A whole program that passes the tests."),
            "canonical_solution": _string("Canonical solution", "May be a function body only."),
        },
        required=["tests"],
    ),
    "repo_patch": strict(
        "Evaluation",
        {
            "tests": REPOSITORY_TESTS,
            "gold_patch": _string("Gold patch", "A patch that is known to pass; not used by the verifier."),
        },
        required=["tests"],
    ),
    "terminal_task": strict(
        "Evaluation",
        {
            "checker": CHECKER,
            "run_tests": file_reference("Test runner", "A file that the checker runs."),
            "test_files": file_reference("Test files", "A folder that the checker needs."),
            "expected_state": anything("Expected state", "For people; no verifier reads it.", widget="json"),
            "needed_commands": items(
                "Needed commands",
                {"type": "string", "enum": list(DANGEROUS_COMMANDS), "x-trimmed": True},
                "Commands of the checker that need more rights than a sandbox gives.",
                null=True,
            ),
        },
        required=["checker"],
    ),
}
