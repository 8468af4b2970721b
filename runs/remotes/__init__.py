"""Folders of Git repositories: read, and written as commits. Only git itself touches them, in a sandbox."""

from runs.remotes.repository import Login, Repository

__all__ = ["Login", "Repository"]
