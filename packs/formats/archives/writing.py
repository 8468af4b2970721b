"""Files by name into one ZIP archive that is the same, byte for byte, for the same files."""

from io import BytesIO
from typing import TYPE_CHECKING

from packs.formats.adapter import Files
from packs.formats.later import Later

if TYPE_CHECKING:
    import zipfile
else:
    zipfile = Later("zipfile")

# The earliest time that ZIP can say.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_zip(files: Files) -> bytes:
    """A ZIP archive of the files: sorted by name, without times, owners or anything of the machine."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            archive.writestr(info, content)
    return buffer.getvalue()
