"""Run folders of AgentV: read as trials that took place elsewhere, and written from trials of ours (agentv H)."""

from runs.replay.trajectories.agentv.folders import FolderTrial, is_run_folder, read_folder
from runs.replay.trajectories.agentv.results import Result
from runs.replay.trajectories.agentv.writing import GENERATIONS, write_folder

__all__ = ["GENERATIONS", "Result", "FolderTrial", "is_run_folder", "read_folder", "write_folder"]
