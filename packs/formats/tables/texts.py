"""The bytes of a table as text: spreadsheets write several encodings, and every kind of line end."""

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def decoded(data: bytes, *, is_beginning: bool = False) -> str:
    """The text of a file by its byte order mark, else UTF-8, else Windows-1252, which older spreadsheets write.

    The last character of a beginning may be cut; it is left out.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    for cut in range(4 if is_beginning else 1):
        try:
            return data[: len(data) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
    return data.decode("cp1252", "replace")


def plain(text: str) -> str:
    """A text as browsers and spreadsheets agree on it: lines end with a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
