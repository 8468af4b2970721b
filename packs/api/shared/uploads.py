"""Files that come in a request and files that go out in an answer."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser, MultiPartParser
from rest_framework.request import Request

from packs.api.shared.lookup import is_known
from packs.api.shared.refusals import Refused, finding
from packs.api.shared.shapes import FindingsShape
from packs.exporting import Export, zipped
from packs.formats.archives import MAX_TOTAL_BYTES
from packs.formats.characters import ESCAPED_HALF, HALF
from packs.formats.costs import MAX_VALUES, values_in
from packs.formats.findings import Finding, Path, Severity

MAY_HOLD_HALF = re.compile(ESCAPED_HALF.encode())


class BytesParser(BaseParser):
    """The body as bytes, whatever its type says."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Raises Refused (413) for a body above the limit of an upload."""
        data = stream.read(MAX_TOTAL_BYTES + 1)
        if len(data) > MAX_TOTAL_BYTES:
            raise Refused([finding("too_large", f"At most {MAX_TOTAL_BYTES} bytes can be uploaded.")], 413)
        return data


class DocumentParser(JSONParser):
    """JSON whose nesting is held to what a document can have, its values to what a request can read and check, and its
    texts to what a database can keep."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Raises ParseError for text that is no JSON, or too deep for it, Refused (413) for one of too much, and
        Refused (400) for half a character in a text or key."""
        data = stream.read()
        if values_in(data) > MAX_VALUES:
            message = f"At most {MAX_VALUES} values can be sent as JSON; import a file with more."
            raise Refused([finding("too_large", message)], 413)
        try:
            value = super().parse(BytesIO(data), media_type, parser_context)
            halves = MAY_HOLD_HALF.search(data) and [place for place, text in texts(value, ()) if HALF.search(text)]
        except RecursionError as error:
            raise ParseError("JSON parse error - the value is nested too deeply") from error
        if halves:
            message = "This text holds half a character (a surrogate without its other half), which cannot be stored."
            raise Refused((Finding("api.half_character", Severity.ERROR, place, message) for place in halves), 400)
        return value


def texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Every text and key in a value of JSON, with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from texts(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield path, key
            yield from texts(item, (*path, key))


PARSERS = [MultiPartParser, BytesParser]
# What `send` answers, for the description.
EXPORTED = {
    (200, "application/yaml"): OpenApiTypes.BINARY,
    (200, "application/zip"): OpenApiTypes.BINARY,
    304: OpenApiResponse(description="You have it already."),
    422: OpenApiResponse(FindingsShape, "The pack cannot be written in this way."),
}


def body_of(request: Request) -> tuple[str, bytes]:
    """Name and bytes of the one file of a request: its body, or the field `file` of a form.

    Raises Refused when there is none.
    """
    files = uploads(request)
    if len(files) != 1:
        raise Refused([finding("one_file", "Send one file: as the body, or in the form field `file`.")])
    return files[0]


def named_uploads(request: Request) -> list[tuple[str, bytes]]:
    """Names and bytes of what was uploaded. Raises Refused when nothing was sent, or two files have one name."""
    given = uploads(request)
    if not given:
        raise Refused([finding("no_file", "Send a file as the body, or files in the form field `file`.")])
    names = [name for name, _ in given]
    if len(set(names)) < len(names):
        raise Refused([finding("repeated_name", "Two files have one name; send a zip to keep their folders.")])
    return given


def uploads(request: Request) -> list[tuple[str, bytes]]:
    body: Any = request.data
    if isinstance(body, bytes):
        name = request.query_params.get("name") or "pack.yaml"
        return [(name, body)] if body else []
    return [(file.name or "file", file.read()) for file in request.FILES.getlist("file")]


def send(request: Request, export: Export, stem: str) -> HttpResponseBase:
    """An export: one file as it is (`as=file`, refused for several), or a ZIP. The ETag is its digest."""
    shape = request.query_params.get("as") or ("file" if export.is_single else "zip")
    if shape not in {"file", "zip"} or (shape == "file" and not export.is_single):
        raise Refused([finding("bad_shape", "Ask for as=zip; as=file is for exports of one file.")])
    etag = f'"{export.digest}-{shape}"'
    if is_known(request, etag):
        return HttpResponse(status=304, headers={"ETag": etag})
    if shape == "zip":
        return attachment(zipped(export), f"{stem}.zip", "application/zip", etag)
    ((name, content),) = export.files.items()
    return attachment(content, name.rpartition("/")[2], "application/yaml", etag)


def attachment(content: bytes, name: str, media_type: str, etag: str) -> HttpResponse:
    """Bytes to be saved, never to be run by a browser."""
    response = HttpResponse(content, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{safe(name)}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["ETag"] = etag
    return response


def safe(name: str) -> str:
    """A file name as a header can carry it."""
    kept = "".join(char if char.isascii() and char.isprintable() and char not in '"\\' else "_" for char in name)
    return kept or "file"
