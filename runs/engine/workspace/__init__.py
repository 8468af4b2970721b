"""The workspace of a trial beyond the files that it begins with: repositories, hooks, resets, and what became of it.

Everything runs in the sandbox. What is done is recorded as events; a set-up that fails ends the trial before its agent.
"""

from runs.engine.workspace.material import Material, material_of
from runs.engine.workspace.site import SetupFailed, Site
from runs.engine.workspace.upkeep import Upkeep, has_upkeep

__all__ = ["Material", "SetupFailed", "Site", "Upkeep", "has_upkeep", "material_of"]
