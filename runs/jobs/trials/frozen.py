"""Published versions as tasks are compiled from them; they never change, so a process keeps the last few."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from packs.formats import adapter_of
from packs.formats.adapter import Adapter
from packs.formats.document import Case, InputSet, Pack
from packs.formats.task import Task, WorkspaceFile
from packs.mirror import read_version
from packs.models import PackVersion, VersionInputSet

CACHED_VERSIONS = 8
CACHED_SETS = 32


@dataclass(frozen=True)
class Frozen:
    """A version without its cases. Versions never change, so a process keeps the last few."""

    adapter: Adapter
    pack: Pack

    @cached_property
    def assets(self) -> dict[str, bytes | None]:
        """The bytes of the pack's assets by their keys; of several with one key the first."""
        return {asset.key: asset.content for asset in reversed(self.pack.assets)}

    @cached_property
    def files(self) -> dict[str, bytes | None]:
        """The bytes of the pack's other files by their paths."""
        return {found.path: found.content for found in reversed(self.pack.files)}

    def read_asset(self, file: WorkspaceFile) -> bytes | None:
        """The bytes of an asset or file of the pack that a task puts into its workspace."""
        return self.assets.get(file.asset_key) if file.asset_key else self.files.get(file.path)

    def compile(self, input_set: InputSet) -> list[Task]:
        """One task a case, in their order."""
        return list(self.adapter.compile_tasks(replace(self.pack, input_sets=(input_set,))))


@lru_cache(maxsize=CACHED_VERSIONS)
def frozen_version(version_id: int) -> Frozen:
    """A version by its id. Raises PackVersion.DoesNotExist."""
    version = PackVersion.objects.select_related("pack").get(pk=version_id)
    return Frozen(adapter_of(version.pack.format), read_version(version, []))


@lru_cache(maxsize=CACHED_SETS)
def frozen_set(input_set_id: int) -> VersionInputSet:
    return VersionInputSet.objects.get(pk=input_set_id)


def without_case(frozen: Frozen) -> Task:
    """The task of a version that has no input sets: its first challenge, without any evidence of a case."""
    challenge = frozen.pack.challenges[0].key if frozen.pack.challenges else ""
    [task] = frozen.compile(InputSet("", {}, (Case("", challenge, {"challenge_key": challenge}),)))
    return replace(task, case_key="", input_set_key="")
