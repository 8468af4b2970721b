"""Sandboxes: where programs run that the studio did not write."""

from runs.sandbox import bubblewrap, landlock, local
from runs.sandbox.contract import Sandbox

# The better ones first: this is the order in which one is chosen.
SANDBOXES: dict[str, Sandbox] = {"bubblewrap": bubblewrap, "landlock": landlock, "local": local}
