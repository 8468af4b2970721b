"""Canonical files in which everything that was not edited keeps the bytes and names of its source."""

from collections.abc import Mapping


def preserved(files: Mapping[str, bytes], before: Mapping[str, bytes], source: Mapping[str, bytes]) -> dict[str, bytes]:
    """Canonical files with the source's own bytes for those that are the same as `before`, by the source's names."""
    names = source_names(before, source)
    found: dict[str, bytes] = {}
    for name, content in files.items():
        own = names.get(name, "")
        is_same = own in source and before.get(name) == content
        found[own if own and own not in files else name] = source[own] if is_same else content
    return found


def source_names(before: Mapping[str, bytes], source: Mapping[str, bytes]) -> dict[str, str]:
    """What the canonical files are called in the source: the same, or the one name that nothing else accounts for."""
    names = {name: name for name in before if name in source}
    new, gone = sorted(set(before) - set(source)), sorted(set(source) - set(before))
    return names | (dict(zip(new, gone, strict=True)) if len(new) == len(gone) == 1 else {})
