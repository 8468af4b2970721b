"""Sandboxes: where programs run that the studio did not write."""

from runs.sandbox import bubblewrap, container, landlock, local
from runs.sandbox.contract import Sandbox

# The better ones first: this is the order in which one is chosen. A container is only for tasks that name an image.
SANDBOXES: dict[str, Sandbox] = {
    "bubblewrap": bubblewrap,
    "container": container,
    "landlock": landlock,
    "local": local,
}
