"""Schemas of the validators' configurations, one a validator type (challenge-pack d.3)."""

from typing import Any

from packs.formats.schema.pieces import (
    Schema,
    anything,
    choice,
    free_map,
    integer,
    items,
    number,
    share,
    strict,
    text,
    texts,
    yes_no,
)

STEPS = {
    "trim": "Remove outer blanks",
    "lowercase": "Ignore case",
    "collapse_whitespace": "Make every run of blanks one",
    "strip_punctuation": "Remove punctuation and symbols",
    "strip_currency": "Remove currency signs",
    "strip_formatting": "Remove commas, brackets and parentheses",
    "normalize_unicode": "Unify characters (NFKC)",
    "remove_articles": "Remove the words a, an, the",
    "sort_words": "Sort words",
    "sort_lines": "Sort lines",
}
IGNORE_CASE = yes_no("Ignore case", default=False)
TIDY_BLANKS = yes_no("Tidy blanks", "Remove outer blanks and make inner runs one.", default=False)


def threshold(default: float) -> Schema:
    return share("Threshold", "Least score that passes.", default=default)


def pipeline(title: str) -> Schema:
    step = {"type": "string", "enum": list(STEPS), "x-labels": STEPS}
    return items(title, step, "Steps in order; without them: trim, lowercase, collapse_whitespace.")


def config(properties: dict[str, Schema], **more: Any) -> Schema:
    return strict("Configuration", properties, **more)


NUMERIC = config(
    {
        "absolute_tolerance": number("Absolute tolerance", minimum=0),
        "relative_tolerance": number("Relative tolerance", "Share of the expected number.", minimum=0),
        "significant_digits": integer("Significant digits", "Round both numbers first.", minimum=1),
        "extract_number": yes_no("Find the number", "Take the first number in the text.", default=False),
        "tolerance_mode": choice("Tolerance mode (old)", {"absolute": "Absolute", "relative": "Relative"}),
        "tolerance": number("Tolerance (old)", "Only with the old mode.", minimum=0, default=0.001),
    }
)

MATH = config(
    {
        "extract_answer": yes_no("Find the answer", "Compare what follows the last delimiter.", default=False),
        "answer_delimiter": text("Delimiter", default="####"),
        "comparison_mode": choice("Comparison", {"symbolic": "As formulas", "numeric": "As numbers"}),
        "numeric_fallback": yes_no("Then as numbers", "Compare values when the formulas differ.", default=True),
        "tolerance": number("Tolerance", minimum=0, default=1e-6),
    }
)

BLEU = config(
    {
        "threshold": threshold(0.3),
        "max_ngram": integer("Longest word group", minimum=1, default=4),
        "smoothing": choice("Smoothing", {"none": "None", "method1": "Method 1"}, default="none"),
        "case_insensitive": IGNORE_CASE,
        "normalize": TIDY_BLANKS,
    }
)

ROUGE = config(
    {
        "threshold": threshold(0.3),
        "variant": choice(
            "Variant",
            {"rouge-1": "Single words", "rouge-2": "Word pairs", "rouge-l": "Longest common subsequence"},
            default="rouge-l",
        ),
        "beta": number("Beta", "Weight of recall against precision.", exclusiveMinimum=0, default=1),
        "case_insensitive": IGNORE_CASE,
        "normalize": TIDY_BLANKS,
    }
)

CHRF = config(
    {
        "threshold": threshold(0.3),
        "char_order": integer("Longest character group", minimum=1, default=6),
        "beta": number("Beta", "Weight of recall against precision.", exclusiveMinimum=0, default=2),
        "case_insensitive": IGNORE_CASE,
        "normalize": TIDY_BLANKS,
    }
)

FILE_CONTENT = config(
    {
        "match_mode": choice(
            "Match",
            {
                "contains": "Contains the text",
                "exact": "Equals the text",
                "regex": "Matches the pattern",
                "not_contains": "Does not contain the text",
                "json_equal": "Equals as JSON",
            },
            default="contains",
        ),
        "ignore_whitespace": yes_no("Ignore blanks", "Make every run of blanks one.", default=False),
    }
)

CONDITIONS = {
    "exists": "The file exists",
    "not_exists": "The file does not exist",
    "contains": "Contains the text",
    "not_contains": "Does not contain the text",
    "regex_match": "Matches the pattern",
    "equals": "Equals the value",
    "json_path_match": "A JSON value equals the value",
}

CODE = config(
    {
        "test_command": text(
            "Test command",
            "Run by the shell after the agent ended; `{{name}}` takes a value of the case.",
            minLength=1,
            widget="textarea",
        ),
        "timeout_ms": integer("Time limit (ms)", exclusiveMinimum=0, default=30000, widget="milliseconds"),
        "scoring": choice(
            "Scoring",
            {"fraction_passed": "Share of passed tests", "all_or_nothing": "All tests must pass"},
            default="fraction_passed",
        ),
        "pass_threshold": share("Pass threshold", default=1),
    },
    required=["test_command"],
)

TOOL_CALLS = config(
    {
        "tool_name": text("Tool", "Count only calls of this tool."),
        "must_call": yes_no("Must be called", "No means that it must not be called."),
        "count": integer("Exact number", minimum=0),
        "min_count": integer("Least number", minimum=0),
        "max_count": integer("Greatest number", minimum=0),
        "arguments_contain": free_map("Arguments contain", "A fragment that the arguments must hold."),
        "ordered_tools": texts("Tools in order"),
        "order_mode": choice("Order", {"subsequence": "Others may come between", "exact": "Exactly these"}),
    }
)

CONFIGS: dict[str, Schema] = {
    "fuzzy_match": config(
        {"threshold": threshold(0.8), "case_insensitive": IGNORE_CASE, "normalize": TIDY_BLANKS},
    ),
    "numeric_match": NUMERIC,
    "normalized_match": config({"pipeline": pipeline("Pipeline"), "normalizations": pipeline("Pipeline (other name)")}),
    "token_f1": config(
        {
            "threshold": threshold(0.5),
            "normalize": yes_no("Normalise", "Apply the default pipeline first.", default=False),
            "remove_articles": yes_no("Remove articles", default=False),
            "remove_punctuation": yes_no("Remove punctuation", default=False),
        }
    ),
    "math_equivalence": MATH,
    "bleu_score": BLEU,
    "rouge_score": ROUGE,
    "chrf_score": CHRF,
    "file_content_match": FILE_CONTENT,
    "file_exists": config({"must_exist": yes_no("Must exist", "No means that it must not.", default=True)}),
    "file_json_schema": config({"schema": free_map("JSON Schema", "What the file must fulfil.")}, required=["schema"]),
    "directory_structure": config(
        {
            "required_files": texts("Required files"),
            "forbidden_files": texts("Forbidden files"),
            "required_directories": texts("Required folders"),
        }
    ),
    "postcondition": config(
        {
            "condition": choice("Condition", CONDITIONS),
            "value": anything("Value", "What the file is compared with.", widget="json"),
            "json_path": text("JSON path", examples=["$.status"]),
        },
        required=["condition"],
    ),
    "code_execution": CODE,
    "tool_call_assertion": TOOL_CALLS,
}
