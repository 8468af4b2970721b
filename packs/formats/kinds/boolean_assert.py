"""boolean_assert: both texts read as the same yes or no."""

from packs.formats.kinds.contract import Gold, Kind

KIND = Kind("Same yes or no", gold=Gold.WHOLE)
