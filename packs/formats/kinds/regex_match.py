"""regex_match: the expected pattern of the RE2 dialect is found somewhere in the target."""

from packs.formats.kinds.contract import Kind, Syntax

KIND = Kind("Matches the pattern", syntax=Syntax.PATTERN, evidence="regex_match")
