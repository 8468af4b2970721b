"""regex_match: the expected pattern of the RE2 dialect is found somewhere in the target."""

from packs.formats.kinds.contract import Kind

KIND = Kind("Matches the pattern", evidence="regex_match")
