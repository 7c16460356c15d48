"""How are the notes in a Parquet file read? Thrift's compact protocol, strictly, and only what is asked for.

What nobody asked for is stepped over, so that notes take no more memory than they have bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from toprung.data.formats.content import Content

TRUE, FALSE, BYTE, INT16, INT32, INT64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
WHOLE = (INT16, INT32, INT64)
DEEPEST = 16
"""Structures within structures; those of Parquet go five deep."""
LONGEST_NUMBER = 10
"""Bytes of the longest number of 64 bits."""


class DamagedParquetError(Exception):
    """The file is not what it says; the text says why."""


class Notes:
    """Reads forward through the bytes between two places of a file."""

    def __init__(self, data: Content, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def fields(self, depth: int = 0) -> Iterator[tuple[int, int]]:
        """Number and type of each field of a structure. Who is given one has to read it, or to ``skip`` it."""
        if depth > DEEPEST:
            raise DamagedParquetError("structures too deep")
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            yield number, head & 15

    def whole(self, kind: int) -> int:
        """A whole number, which a field of this type has to be."""
        self._expect(kind, WHOLE)
        return self._signed()

    def flag(self, kind: int) -> bool:
        """True or false, which the type says."""
        self._expect(kind, (TRUE, FALSE))
        return kind == TRUE

    def byte(self, kind: int) -> int:
        self._expect(kind, (BYTE,))
        return self._byte()

    def text(self, kind: int) -> str:
        self._expect(kind, (BINARY,))
        size = self._size()
        try:
            text = self.data[self.at : self.at + size].decode()
        except UnicodeDecodeError:
            raise DamagedParquetError("a name that is not UTF-8") from None
        self.at += size
        return text

    def structures(self, kind: int) -> Iterator[int]:
        """Once for each structure of a list, whose fields are to be read next."""
        self._expect(kind, (LIST,))
        element, n = self._list_head()
        self._expect(element, (STRUCT,) if n else range(16))
        yield from range(n)

    def texts(self, kind: int) -> list[str]:
        self._expect(kind, (LIST,))
        element, n = self._list_head()
        return [self.text(element) for _ in range(n)]

    def structure(self, kind: int, depth: int = 0) -> Iterator[tuple[int, int]]:
        """The fields of a structure, which a field of this type has to be."""
        self._expect(kind, (STRUCT,))
        return self.fields(depth)

    def skip(self, kind: int, depth: int = 0) -> None:
        """Step over a field."""
        if depth > DEEPEST:
            raise DamagedParquetError("structures too deep")
        if kind == BYTE:
            self._byte()
        elif kind in WHOLE:
            self._number()
        elif kind in (DOUBLE, BINARY):
            self._forward(8 if kind == DOUBLE else self._number())
        elif kind in (LIST, SET):
            self._skip_list(depth)
        elif kind == MAP:
            self._skip_map(depth)
        elif kind == STRUCT:
            for _, inner in self.fields(depth):
                self.skip(inner, depth + 1)
        elif kind not in (TRUE, FALSE):
            raise DamagedParquetError(f"a field of the unknown type {kind}")

    def _skip_list(self, depth: int) -> None:
        element, n = self._list_head()
        if element in (TRUE, FALSE, BYTE):  # a flag in a list has a byte of its own
            self._forward(n)
            return
        for _ in range(n):
            self.skip(element, depth + 1)

    def _skip_map(self, depth: int) -> None:
        n = self._size()
        kinds = self._byte() if n else 0
        for _ in range(n):
            for kind in (kinds >> 4, kinds & 15):
                self.skip(BYTE if kind in (TRUE, FALSE) else kind, depth + 1)

    def _list_head(self) -> tuple[int, int]:
        head = self._byte()
        return head & 15, self._size() if head >> 4 == 15 else head >> 4

    def _size(self) -> int:
        """How many there are: never more than there are bytes left."""
        size = self._number()
        if size > self.end - self.at:
            raise DamagedParquetError("a size that leads out of the file")
        return size

    def _signed(self) -> int:
        number = self._number()
        return (number >> 1) ^ -(number & 1)

    def _number(self) -> int:
        number = 0
        for shift in range(0, 7 * LONGEST_NUMBER, 7):
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number & (2**64 - 1)
        raise DamagedParquetError("a number of more than 64 bits")

    def _byte(self) -> int:
        self._forward(1)
        return self.data[self.at - 1]

    def _forward(self, size: int) -> None:
        if size > self.end - self.at:
            raise DamagedParquetError("notes that end early")
        self.at += size

    def _expect(self, kind: int, kinds: tuple[int, ...] | range) -> None:
        if kind not in kinds:
            raise DamagedParquetError(f"a field of type {kind} in another's place")
