"""Files in: a preview of what they would do, and the import itself."""

from packs.importing.previewing import confirm, preview
from packs.importing.samples import seed
from packs.importing.values import ImportRefused, Item, Preview
from packs.importing.writing import create_pack, import_pack

__all__ = ["ImportRefused", "Item", "Preview", "confirm", "create_pack", "import_pack", "preview", "seed"]
