"""directory_structure: a listing has all required entries and none of the forbidden ones."""

from packs.formats.kinds.contract import Expected, Kind, Target, settings
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import texts

KIND = Kind(
    "Files of a folder",
    Purpose.FILE,
    "A captured folder has the files that it should, and no others that it should not.",
    "`src/` has `main.py` and no `debug.log`",
    settings(
        {
            "required_files": texts("Required files"),
            "forbidden_files": texts("Forbidden files"),
            "required_directories": texts("Required folders"),
        }
    ),
    target=Target.FILE,
    expected=Expected.IGNORED,
    evidence="custom",
)
