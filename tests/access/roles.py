"""What each role and each scope of a key may do, by hand: the walks expect this, whatever the code says."""

from collections.abc import Mapping

MAY: Mapping[str, frozenset[str]] = {
    "viewer": frozenset({"read"}),
    "author": frozenset({"read", "edit", "run", "answer", "review"}),
    "reviewer": frozenset({"read", "answer", "review"}),
    "curator": frozenset({"read", "edit", "run", "answer", "review", "curate"}),
    "administrator": frozenset({"read", "edit", "run", "answer", "review", "curate", "administer"}),
}
SCOPE_MAY: Mapping[str, frozenset[str]] = {
    "read": frozenset({"read"}),
    "edit": frozenset({"edit", "curate"}),
    "run": frozenset({"run"}),
    "review": frozenset({"answer", "review"}),
    "administer": frozenset({"administer"}),
}
