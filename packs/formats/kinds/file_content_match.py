"""file_content_match: the content of a captured file matches the expected text in one of five ways."""

from packs.formats.kinds.contract import Kind, Target, settings
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import choice, yes_no

MODES = {
    "contains": "Contains the text",
    "exact": "Equals the text",
    "regex": "Matches the pattern",
    "not_contains": "Does not contain the text",
    "json_equal": "Equals as JSON",
}

KIND = Kind(
    "Content of a file",
    Purpose.FILE,
    "A captured file has the expected content.",
    "`report.md` contains `Total: 12`",
    settings(
        {
            "match_mode": choice("Match", MODES, default="contains"),
            "ignore_whitespace": yes_no("Ignore blanks", "Make every run of blanks one.", default=False),
        }
    ),
    target=Target.FILE,
)
