"""The rows of authoring: teams, drafts that mirror the tree, and immutable versions.

Key and path columns serve look-ups and are cut to their length; documents hold the whole value.
"""

from packs.models.audit import AuditEvent
from packs.models.discussion import Comment
from packs.models.drafts import SPACING, Asset, Case, Challenge, Edit, InputSet, NodeRow, Pack, PackFile, PackStatus
from packs.models.grids import GridChoice
from packs.models.history import Checkpoint, Travel
from packs.models.jobs import OPEN_JOBS, Job, JobStatus
from packs.models.proposals import Assessment, Proposal
from packs.models.repositories import GitFolder
from packs.models.searched import SearchEntry
from packs.models.teams import Artifact, Blob, Invitation, Membership, ServiceAccount, Team, Token, Upload
from packs.models.versions import Frozen, PackVersion, VersionCase, VersionInputSet, VersionStatus

__all__ = [
    "OPEN_JOBS",
    "SPACING",
    "Artifact",
    "Asset",
    "AuditEvent",
    "Blob",
    "Case",
    "Challenge",
    "Checkpoint",
    "Comment",
    "Edit",
    "Frozen",
    "GitFolder",
    "GridChoice",
    "InputSet",
    "Invitation",
    "Job",
    "JobStatus",
    "Membership",
    "NodeRow",
    "Assessment",
    "Pack",
    "PackFile",
    "PackStatus",
    "PackVersion",
    "Proposal",
    "SearchEntry",
    "ServiceAccount",
    "Team",
    "Token",
    "Travel",
    "Upload",
    "VersionCase",
    "VersionInputSet",
    "VersionStatus",
]
