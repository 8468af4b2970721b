"""The files of a pack's folder, by their paths: those that an asset declares, and those that none does."""

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from packs import blobs
from packs.editing.draft import Author, changing
from packs.editing.nodes import set_content
from packs.editing.values import Applied
from packs.formats.document import NodeKind
from packs.mirror import file_digests, write_files
from packs.models import Asset, Edit, Pack, PackFile
from packs.quotas import heed_storage


def file_content(pack_row: Pack, path: str) -> bytes | None:
    """The bytes of the file at a path; None where there is none."""
    here = {"pack": OuterRef("pk"), "path": path}
    asset = Asset.objects.filter(**here).order_by("position").values("blob")[:1]
    blob = Coalesce(Subquery(asset), Subquery(PackFile.objects.filter(**here).values("blob")[:1]))
    digest = Pack._base_manager.filter(pk=pack_row.pk).values_list(blob, flat=True).first()
    return blobs.read(str(digest)) if digest else None


def set_file(pack_row: Pack, path: str, content: bytes, author: Author, *, label: str = "") -> Applied:
    """Give the file at a path other bytes, or add it. An asset that declares the path keeps declaring it.

    Raises QuotaReached.
    """
    heed_storage(pack_row.team, len(content))
    blob = blobs.put(content)
    with changing(pack_row, author, label) as draft:
        asset = draft.pack.assets.filter(path=path).order_by("position").first()
        if asset is not None:
            set_content(draft, draft.get(NodeKind.ASSET, asset.pk), blob)
            return draft.finish()
        before = file_digests(draft.pack)
        after = dict(sorted({**before, path: blob.digest}.items()))
        if after != before:
            draft.record(draft.pack, Edit.Action.FILES, old=[before], new=[after])
            write_files(draft.pack, after)
        return draft.finish()
