"""contains: the expected text occurs in the target."""

from packs.formats.kinds.contract import Kind

KIND = Kind("Contains the text")
