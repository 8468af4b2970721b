"""The bytes of a table as text: spreadsheets write several encodings, and every kind of line end."""

from typing import NamedTuple

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# What is looked at to tell UTF-16 without a mark, where every other byte of a Latin letter is null.
_HEAD = 1000
OTHER_ENCODING = "The table is not in UTF-8; it was read as Windows-1252. Where letters look wrong, save it as UTF-8."
BROKEN_ENCODING = "Some bytes of the table are not valid UTF-8; \ufffd stands for them."


class Text(NamedTuple):
    """A text, and what people should know about how it was read; empty where that is certain."""

    text: str
    note: str = ""


def decoded(data: bytes, *, is_beginning: bool = False) -> Text:
    """The text of a file by its byte order mark, else UTF-16 where half of it is null, else UTF-8, else Windows-1252,
    which older spreadsheets write. UTF-8 with a few broken bytes stays UTF-8.

    The last character of a beginning may be cut; it is left out.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Text(data[len(mark) :].decode(encoding, "replace"))
    head = data[:_HEAD]
    if head.count(0) * 3 > len(head):
        is_little = head[1::2].count(0) > head[::2].count(0)
        return Text(data.decode("utf-16-le" if is_little else "utf-16-be", "replace"))
    for cut in range(4 if is_beginning else 1):
        try:
            return Text(data[: len(data) - cut].decode("utf-8"))
        except UnicodeDecodeError:
            continue
    text = data.decode("utf-8", "replace")
    others = len(text) - len(text.encode("ascii", "ignore"))
    if others > 2 * text.count("\ufffd"):
        return Text(text, BROKEN_ENCODING)
    return Text(data.decode("cp1252", "replace"), OTHER_ENCODING)


def plain(text: str) -> str:
    """A text as browsers and spreadsheets agree on it: lines end with a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
