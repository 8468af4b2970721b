"""A draft or a version as files, the same bytes for the same content."""

from collections.abc import Mapping
from dataclasses import dataclass

from packs import blobs
from packs.formats.archives import read_upload, write_zip
from packs.mirror import format_of, read_tree
from packs.models import Pack, PackVersion


@dataclass(frozen=True, slots=True)
class Export:
    """Files by name, and the SHA-256 over them, which serves as ETag.

    `is_source` says that these are the imported files themselves, not the canonical ones.
    """

    files: Mapping[str, bytes]
    digest: str
    is_source: bool = False

    @property
    def is_single(self) -> bool:
        return len(self.files) == 1


def export_draft(pack_row: Pack, *, preserve: bool = False) -> Export:
    """The canonical files of a draft; with `preserve` the imported ones, where their content was not edited since."""
    tree = read_tree(pack_row)
    source = source_files(pack_row) if preserve else {}
    if source and format_of(pack_row).load(source)[0] == tree:
        return Export(source, blobs.digest_of_files(source), is_source=True)
    files = format_of(pack_row).dump(tree)
    return Export(files, blobs.digest_of_files(files))


def export_version(version: PackVersion) -> Export:
    """The canonical files of a version, exactly as they were published."""
    files, _ = read_upload(f"{version.digest}.zip", blobs.read(version.archive_id))
    return Export(files, version.digest)


def source_files(pack_row: Pack) -> Mapping[str, bytes]:
    """The files of the last import as they were given; empty where there was none."""
    if pack_row.source_id is None:
        return {}
    data = blobs.read(pack_row.source_id)
    return read_upload(pack_row.source_name, data)[0] if pack_row.source_is_archive else {pack_row.source_name: data}


def zipped(export: Export) -> bytes:
    """The files as one ZIP archive, the same bytes for the same files."""
    return write_zip(export.files)
