"""exact_match: the texts are the same, byte for byte."""

from packs.formats.kinds.contract import Gold, Kind

KIND = Kind("Equals the text", gold=Gold.WHOLE)
