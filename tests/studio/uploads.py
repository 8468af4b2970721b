"""Files that nobody can use: damaged and hostile archives, texts in wrong encodings, and names that lead elsewhere."""

import gzip
import io
import json
import stat
import struct
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from django.urls import reverse

from packs.formats.document import NodeKind
from tests.access.world import World, make_world
from tests.studio.doors import Texts, answer, broken, client_of_staff, filled
from tests.studio.texts import Sent, pack, ref, version

PACK = b"pack: {slug: a, name: A, family: f}\n"
# As multipart says them: bytes.
NAMES = (
    b"half \xed\xb2\x80 name.yaml",
    b"byte \xff.zip",
    b"zero\0.zip",
    b"../../../etc/passwd",
    b"a" * 300 + b".zip",
    b".",
    b"",
)
BOUNDARY = b"between-the-parts"
# Where files come in: the address, the field of a form (none where the file is the body), and what else is sent.
UPLOADS: list[tuple[str, Any, str, Sent]] = [
    ("packs:import", None, "files", {"team": lambda world: world.team.pk}),
    ("packs:edit-upload", ref(NodeKind.ASSET), "file", {}),
    ("packs:edit-files", pack, "file", {"root": "", "folder": ""}),
    ("packs:edit-rows-table", ref(NodeKind.INPUT_SET), "file", {}),
    ("runs:import", None, "file", {"version": version}),
    ("packs-api:pack-import", None, "file", {"team": lambda world: world.team.slug}),
    ("packs-api:pack-import", None, "", {"team": lambda world: world.team.slug}),
    ("packs-api:asset-content", lambda world: {"pk": world.node(NodeKind.ASSET).pk}, "", {}),
    ("runs-api:run-import", None, "", {"version": version}),
]
# Doors where the end of a name says how a file is read; at others each file comes under one name.
READ_BY_NAME = {"packs:import", "packs:edit-rows-table", "packs-api:pack-import"}
ENDINGS = (".zip", ".yaml", ".jsonl")


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return held.getvalue()


def link(name: str, target: bytes) -> tuple[zipfile.ZipInfo, bytes]:
    """A symbolic link in a ZIP."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target


def tarred(kind: bytes, name: str = "pack.yaml", target: str = "", content: bytes = b"", mode: str = "w") -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as archive:  # type: ignore[call-overload]
        info = tarfile.TarInfo(name)
        info.type, info.linkname, info.size = kind, target, len(content)
        archive.addfile(info, io.BytesIO(content))
    return held.getvalue()


def archives() -> Iterator[tuple[str, bytes]]:
    """ZIP and TAR files, each wrong in another way."""
    good = zipped(("pack.yaml", PACK))
    yield "cut zip", good[: len(good) // 2]
    yield "zip of wrong checksums", good.replace(struct.pack("<I", zipfile.crc32(PACK)), b"\0\0\0\0")
    yield "zip without an end", good[:-10]
    yield "zip with a far offset", good[:-6] + b"\xff\xff\xff\x7f" + good[-2:]
    yield (
        "encrypted zip",
        good.replace(b"PK\x03\x04\x14\0\0\0", b"PK\x03\x04\x14\0\1\0").replace(
            b"PK\x01\x02\x14\x03\x14\0\0\0", b"PK\x01\x02\x14\x03\x14\0\1\0"
        ),
    )
    yield "empty zip", zipped()
    yield "zip in a zip", zipped(("inner.zip", good))
    yield "zip that climbs", zipped(("../pack.yaml", PACK), ("/etc/pack.yaml", PACK))
    yield "zip of links", zipped(link("pack.yaml", b"/etc/passwd"), link("b", b"b"))
    yield "zip of zero names", good.replace(b"pack.yaml", b"pa\0k.yaml")
    yield "zip of broken names", good.replace(b"pack.yaml", b"pa\xffk.yaml")
    yield "zip that names one file twice", zipped(("pack.yaml", PACK), ("b", b"1")).replace(b"b", b"b")
    yield "zip of a file and its folder", zipped(("a", b"1"), ("a/b", b"2"), ("pack.yaml", PACK))
    yield "zip of deep folders", zipped(("a/" * 2000 + "pack.yaml", PACK))
    yield "zip that grows", zipped(("pack.yaml", b"a: " + b" " * 30_000_000))
    for name, kind in (("device", tarfile.CHRTYPE), ("pipe", tarfile.FIFOTYPE)):
        yield f"tar of a {name}", tarred(kind)
    for name, kind in (("symbolic link", tarfile.SYMTYPE), ("hard link", tarfile.LNKTYPE)):
        yield f"tar of a {name}", tarred(kind, target="/etc/passwd")
    good = tarred(tarfile.REGTYPE, content=PACK, mode="w:gz")
    yield "cut tar", good[:-20]
    yield "tar of wrong checksums", tarred(tarfile.REGTYPE, content=PACK).replace(b"ustar", b"uxtar")
    yield "tar that climbs", tarred(tarfile.REGTYPE, "../../pack.yaml", content=PACK)
    yield "gzip of nothing", gzip.compress(b"")


def texts() -> Iterator[tuple[str, bytes]]:
    """Texts that no reader, or no database, takes as they are."""
    yield "empty", b""
    yield "UTF-16", PACK.decode().encode("utf-16")
    yield "Latin-1", "pack: {slug: ä}\n".encode("latin-1")
    yield "half character in YAML", b'pack: {slug: "\\ud800", name: "\\ud800"}\n'
    yield "zero in YAML", b'pack: {slug: "a\\0b", name: "\\0"}\n'
    yield "zero itself", b"pack: {slug: a\0b}\n"
    yield "half character in rows", json.dumps({"id": "\ud800", "input": {"question": "\udfff"}}).encode() + b"\n"
    yield "zero in rows", b'{"id": "a\\u0000", "output": "\\u0000", "task_id": "\\u0000"}\n'
    yield "deep JSON", b"[" * 100_000
    yield "deep YAML", b"- " * 5_000
    yield (
        "aliases",
        b"a: &a [x, x, x, x, x, x, x, x, x]\n"
        + b"".join(b"%c: &%c [%s]\n" % (at, at, b", ".join([b"*%c" % (at - 1)] * 9)) for at in b"bcdefghij"),
    )
    yield "large numbers", b'{"id": 1e999, "input": 123456789012345678901234567890, "score": -0.0}\n'
    yield "merge of itself", b"a: &a\n  <<: *a\n"
    yield "picture", b"\x89PNG\r\n\x1a\n" + bytes(60)
    yield "CSV of zeros", b'case_key,a\n\0,\xff\n"open,\n'


TEXTS = dict(texts())
FILES = dict(archives()) | TEXTS


def multipart(fields: Sent, field: str, name: bytes, data: bytes) -> Sent:
    """A form with a file of any name at all."""
    parts = [(f'name="{key}"'.encode(), str(value).encode()) for key, value in fields.items()]
    parts.append((f'name="{field}"; filename="'.encode() + name + b'"', data))
    body = b"".join(b"--%s\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n" % (BOUNDARY, *part) for part in parts)
    kind = f"multipart/form-data; boundary={BOUNDARY.decode()}"
    return {"data": body + b"--%s--\r\n" % BOUNDARY, "content_type": kind}


def uploads(world: World, files: Mapping[str, bytes]) -> Iterator[tuple[str, str, str, Sent]]:
    """Every file at every door, by names that promise different things, and a pack under every odd name."""
    for route, place, field, more in UPLOADS:
        url, given = reverse(route, kwargs=place(world) if place else {}), filled(more, world)
        method = "PUT" if route == "packs-api:asset-content" else "POST"
        pairs = [
            (f"{name}{ending}".encode(), data)
            for number, (name, data) in enumerate(files.items())
            for ending in (ENDINGS if route in READ_BY_NAME else (ENDINGS[number % len(ENDINGS)],))
        ]
        pairs += [(name, PACK) for name in NAMES]
        # What is put in place of a file has no name: each file comes once.
        for name, data in pairs if method == "POST" else [(name.encode(), data) for name, data in files.items()]:
            if field:
                yield f"{route} {name!r}", method, url, multipart(given, field, name, data)
            elif name.isascii():
                asked = given if method == "PUT" else {**given, "name": name.decode()}
                body = {"data": data, "content_type": "application/octet-stream", "query_params": asked}
                yield f"{route} {name!r} as the body", method, url, body


def broken_by_files(world: World, files: Mapping[str, bytes]) -> Iterator[str]:
    """Uploads that the studio answered with a mistake of its own."""
    client = client_of_staff(world)
    for what, method, url, sent in uploads(world, files):
        if answer(client, method, url, sent) >= 500:
            yield what


def tell(texts: Texts, files: Mapping[str, bytes]) -> None:
    """Write down what broke."""
    world = make_world("quokka")
    sys.stdout.write(json.dumps([*broken(world, texts), *broken_by_files(world, files)]))
