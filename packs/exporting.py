"""A draft or a version as files, the same bytes for the same content."""

from collections.abc import Mapping
from dataclasses import dataclass

from packs import blobs
from packs.formats.abilities import WRITERS, Loss
from packs.formats.archives import read_again, read_zip, write_zip
from packs.formats.preserving import preserved
from packs.mirror import format_of, read_tree
from packs.models import Blob, Pack, PackVersion


@dataclass(frozen=True, slots=True)
class Export:
    """Files by name, and the SHA-256 over them, which serves as ETag.

    `is_source` says that these are the imported files themselves, not the canonical ones; `kept` names those among
    canonical ones that are.
    """

    files: Mapping[str, bytes]
    digest: str
    is_source: bool = False
    kept: frozenset[str] = frozenset()

    @property
    def is_single(self) -> bool:
        return len(self.files) == 1


def export_draft(pack_row: Pack, *, preserve: bool = False) -> Export:
    """The canonical files of a draft; with `preserve` the imported bytes of every file whose content was not edited.

    A file was edited where its canonical text is another than that of the source. All of the source comes back, files
    that the format does not write included, where nothing was edited at all.
    """
    tree, adapter = read_tree(pack_row), format_of(pack_row)
    source = source_files(pack_row) if preserve else {}
    imported = adapter.load(source)[0] if source else None
    if imported is not None and imported == tree:
        return Export(source, blobs.digest_of_files(source), is_source=True)
    files = adapter.dump(tree)
    if imported is None:
        return Export(files, blobs.digest_of_files(files))
    mixed = preserved(files, adapter.dump(imported), source)
    return Export(
        mixed, blobs.digest_of_files(mixed), kept=frozenset(name for name in mixed if mixed[name] != files.get(name))
    )


def export_variant(pack_row: Pack, variant: str) -> tuple[Export, list[Loss]]:
    """A draft in another variant of its format, and what that cannot say.

    Raises KeyError for a variant that the format does not have.
    """
    writer = WRITERS.get(pack_row.format)
    if writer is None:
        raise KeyError(variant)
    files, losses = writer.write_variant(read_tree(pack_row), variant)
    return Export(files, blobs.digest_of_files(files)), losses


def export_version(version: PackVersion) -> Export:
    """The canonical files of a version, exactly as they were published."""
    return Export(read_zip(blobs.read(version.archive_id)), version.digest)


def source_files(pack_row: Pack) -> Mapping[str, bytes]:
    """The files of the last import as they were given; empty where there was none."""
    if pack_row.source_id is None:
        return {}
    data = blobs.read(pack_row.source_id)
    return read_again(pack_row.source_name, data) if pack_row.source_is_archive else {pack_row.source_name: data}


def kept_files(archive: Blob | None) -> Mapping[str, bytes]:
    """The files of an archive that was made of them; none where there is no archive."""
    return read_zip(blobs.read(archive)) if archive is not None else {}


def zipped(export: Export) -> bytes:
    """The files as one ZIP archive, the same bytes for the same files."""
    return write_zip(export.files)
