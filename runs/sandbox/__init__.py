"""Sandboxes: where programs run that the studio did not write."""

from runs.sandbox import local
from runs.sandbox.contract import Sandbox

SANDBOXES: dict[str, Sandbox] = {"local": local}
