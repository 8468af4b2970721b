"""Sandboxes: where programs run that the studio did not write."""

from collections.abc import Callable, Mapping

from packs.formats.registry import Registry
from runs.sandbox.contract import Sandbox

# The better ones first: this is the order in which one is chosen. A container is only for tasks that name an image.
_KINDS = ("bubblewrap", "container", "landlock", "local")
# Each kind is the module of its name.
SANDBOXES: Mapping[str, Sandbox] = Registry(__name__, {kind: kind for kind in _KINDS})
# What removes that which workers of this host left behind when they died, and gives how much there was.
SWEEPERS: Mapping[str, Callable[[], int]] = Registry(__name__, {"slots": "slots:sweep", "container": "container:sweep"})
