"""file_exists: a file was captured, or was not."""

from packs.formats.kinds.contract import Expected, Kind, Target, settings
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import yes_no

KIND = Kind(
    "A file exists",
    Purpose.FILE,
    "A captured file is there, or is not.",
    "`report.md` was written",
    settings({"must_exist": yes_no("Must exist", "No means that it must not.", default=True)}),
    target=Target.FILE,
    expected=Expected.IGNORED,
)
