"""The semantic difference of two documents of one format, and of the values and texts in them. Pure."""

from packs.formats.comparing.alignment import paired
from packs.formats.comparing.following import follow
from packs.formats.comparing.keeping import Head, Kept
from packs.formats.comparing.keeping import write as write_kept
from packs.formats.comparing.merged import Merged, NodeConflict, merge_packs
from packs.formats.comparing.merging import ABSENT, Conflict
from packs.formats.comparing.telling import (
    as_dict,
    as_lines,
    conflict_dict,
    counts,
    heads_of,
    node_dict,
    notes,
    summary,
)
from packs.formats.comparing.trees import (
    Difference,
    NodeChange,
    OtherFormatError,
    Position,
    apply_to_pack,
    compare_packs,
    inverted,
)
from packs.formats.comparing.values import Act, Delta, FieldChange, Inside, Part, Put, compare, same
from packs.formats.comparing.words import Hunk, Run, hunks, runs

__all__ = [
    "ABSENT",
    "Act",
    "Conflict",
    "Delta",
    "Difference",
    "FieldChange",
    "Head",
    "Hunk",
    "Inside",
    "Kept",
    "Merged",
    "NodeChange",
    "NodeConflict",
    "OtherFormatError",
    "Part",
    "Position",
    "Put",
    "Run",
    "apply_to_pack",
    "as_dict",
    "as_lines",
    "compare",
    "compare_packs",
    "conflict_dict",
    "counts",
    "follow",
    "heads_of",
    "hunks",
    "inverted",
    "merge_packs",
    "node_dict",
    "notes",
    "paired",
    "runs",
    "same",
    "summary",
    "write_kept",
]
