"""The rows of a long file, read when they are asked for: the bytes and where its lines are take a fifth of the memory
that all documents at once would."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from packs.formats.document import Case

# Rows files from this size on are read in this way.
LONG = 16 * 1024 * 1024


class Rows(Sequence[Case]):
    """The cases of a rows file; each time one is asked for, its line is read anew by `read`."""

    def __init__(self, data: bytes, read: Callable[[bytes], Case]) -> None:
        self._data, self._read = data, read
        self._spans = array("Q")

    def add(self, start: int, end: int) -> None:
        """Take a line in, by where it begins and ends."""
        self._spans.extend((start, end))

    def __len__(self) -> int:
        return len(self._spans) // 2

    def __iter__(self) -> Iterator[Case]:
        data, read, spans = self._data, self._read, self._spans
        for index in range(0, len(spans), 2):
            yield read(data[spans[index] : spans[index + 1]])

    @overload
    def __getitem__(self, index: int) -> Case: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Case, ...]: ...

    def __getitem__(self, index: int | slice) -> Case | tuple[Case, ...]:
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(index)
        return self._read(self._data[self._spans[2 * at] : self._spans[2 * at + 1]])

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]
