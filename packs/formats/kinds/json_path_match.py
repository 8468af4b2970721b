"""json_path_match: a path of the JSON in the target holds what is expected."""

from packs.formats.kinds.contract import Kind, Syntax

KIND = Kind("A value in the JSON", syntax=Syntax.PATH, evidence="json_path_match")
