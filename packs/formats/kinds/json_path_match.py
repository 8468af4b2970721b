"""json_path_match: a path of the JSON in the target holds what is expected."""

from packs.formats.kinds.contract import Kind, Syntax
from packs.formats.schema.kinds import Purpose

KIND = Kind(
    "A value in the JSON",
    Purpose.JSON,
    "The JSON has a value at a path.",
    "`$.parcel.status` is `delivered`",
    syntax=Syntax.PATH,
    evidence="json_path_match",
)
