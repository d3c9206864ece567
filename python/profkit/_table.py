"""A table: what profkit writes as JSON, as rows with names."""
import json
from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Type, Union, overload

if TYPE_CHECKING:
    import pandas
    import pyarrow


class Row(tuple):  # type: ignore[type-arg]
    """A row: row.self, row["self"] and row[0] are the same, in the order of Table.columns."""
    __slots__ = ()
    _fields: "tuple[str, ...]" = ()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            try:
                return tuple.__getitem__(self, self._fields.index(key))
            except ValueError:
                raise KeyError(key) from None
        return tuple.__getitem__(self, key)

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...

    def _asdict(self) -> Dict[str, Any]:
        return dict(zip(self._fields, self))

    def __repr__(self) -> str:
        return "Row(" + ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self)) + ")"


def _row_class(fields: "list[str]") -> Type[Row]:
    members: Dict[str, Any] = {"_fields": tuple(fields), "__slots__": ()}
    for i, name in enumerate(fields):
        if name.isidentifier() and not name.startswith("_"):
            members[name] = property(itemgetter(i))
    return type("Row", (Row,), members)


class Table(Sequence):  # type: ignore[type-arg]
    """The rows of a command, a sequence of Row. meta is all else that the command says (unit, total,
    inputs: see profkit-output(5)), notes are its messages. What is printed is read when it is first
    looked at, and of a long table no more than the rows that are asked for. Values are in base units
    (ns, bytes), None where profkit does not know them."""

    def __init__(self, data: bytes, notes: "Optional[list[str]]" = None, key: str = "rows") -> None:
        self._data, self._key = data, key
        self._parsed: Optional[Dict[str, Any]] = None
        self._found: "Optional[tuple[int, int]]" = None
        self._unread: Optional[int] = None
        self._newlines: List[int] = []
        self._class: Optional[Type[Row]] = None
        self.notes: List[str] = notes or []

    @property
    def json(self) -> bytes:
        """What profkit wrote."""
        return self._data

    @property
    def _all(self) -> Dict[str, Any]:
        if self._parsed is None:
            self._parsed = json.loads(self._data)
            self._unread = 0
        return self._parsed

    @property
    def _rows(self) -> List[Dict[str, Any]]:
        rows: List[Dict[str, Any]] = self._all.get(self._key) or []
        return rows

    def _span(self) -> "tuple[int, int]":
        """Where the lines of the rows are, from the newline before the first one to the one after the last; 0, 0: there
        are none."""
        if self._found is None:
            begin = self._data.find(f'\n  "{self._key}": ['.encode())
            begin = self._data.find(b"\n", begin + 1) if begin >= 0 else -1
            end = self._data.find(b"\n  ]", begin) if begin >= 0 else -1  # no raw newline is in a text of JSON
            self._found = (begin, end) if 0 <= begin < end else (0, 0)
        return self._found

    @property
    def _unread_rows(self) -> int:
        """How many rows there are if none was read yet and each is a line of its own; else 0."""
        if self._unread is None:
            begin, end = self._span()
            count = self._data.count(b"\n", begin, end)
            self._unread = count if count == self._data.count(b"\n    {", begin, end) else 0
            self._newlines = [begin]
        return self._unread

    def _some(self, at: slice) -> List[Dict[str, Any]]:
        """Rows, without reading the others where there are many."""
        wanted = range(self._unread_rows)[at]
        if 2 * len(wanted) >= self._unread_rows:
            return self._rows[at]
        places = self._newlines
        while len(places) <= max(wanted, default=0) + 1:
            places.append(self._data.find(b"\n", places[-1] + 1))
        rows = (self._data[places[i] + 1:places[i + 1]].rstrip(b",") for i in wanted)
        return [json.loads(row) for row in rows]

    @property
    def meta(self) -> Dict[str, Any]:
        if self._unread_rows:
            begin, end = self._span()
            everything: Dict[str, Any] = json.loads(self._data[:begin] + self._data[end:])
        else:
            everything = self._all
        return {name: value for name, value in everything.items() if name != self._key}

    @property
    def columns(self) -> List[str]:
        return list(self._some(slice(1))[0]) if len(self) else []

    def column(self, name: str) -> List[Any]:
        """The values of one column."""
        rows = self._rows
        if rows and name not in rows[0]:
            raise KeyError(name)
        return [row[name] for row in rows]

    def _make(self, row: Dict[str, Any]) -> Row:
        if self._class is None:
            self._class = _row_class(self.columns)
        return self._class(row.values())

    def __len__(self) -> int:
        return self._unread_rows or len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> List[Row]: ...

    def __getitem__(self, at: Union[int, slice]) -> Any:
        if isinstance(at, slice):
            return [self._make(row) for row in self._some(at)]
        place = range(len(self))[at]
        return self._make(self._some(slice(place, place + 1))[0])

    def __iter__(self) -> Iterator[Row]:
        return map(self._make, self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lines = [repr(row) for row in self[:10]]
        if len(self) > 10:
            lines.append(f"... {len(self) - 10} more")
        return f"<Table {self.meta.get('schema', '')}, {len(self)} rows>\n" + "\n".join(lines)

    def _lines(self) -> memoryview:
        """The rows as a line of JSON each: the output has them so, with commas and a frame around. Each comma becomes a
        space, since a text of the same length is made in half the time."""
        begin, end = self._span()
        return memoryview(self._data.replace(b"},\n", b"} \n") if end else b"")[begin + 1:end + 1]

    def to_arrow(self) -> "pyarrow.Table":
        """A table of pyarrow, with null where a value is not known. Needs pyarrow."""
        import pyarrow
        import pyarrow.json as reader
        lines = self._lines()
        if not lines:
            return pyarrow.table({name: [] for name in self.columns})

        def read(size: int, schema: Any) -> Any:
            return reader.read_json(pyarrow.BufferReader(lines), reader.ReadOptions(block_size=size),
                                    reader.ParseOptions(explicit_schema=schema))

        size = min(len(lines), 1 << 24) + 1
        try:
            table = read(size, None)
        except pyarrow.ArrowInvalid:  # a row that is longer than a block
            if size > len(lines):
                raise
            size = len(lines) + 1
            table = read(size, None)
        # Texts that look like dates are texts all the same.
        dates = [field.name for field in table.schema if pyarrow.types.is_timestamp(field.type)]
        return read(size, pyarrow.schema([(name, pyarrow.string()) for name in dates])) if dates else table

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame of pandas. Whole numbers of which some are not known are Int64, with NA. Needs
        pandas; is faster with pyarrow."""
        import pandas
        try:
            import pyarrow
        except ImportError:
            return self._to_pandas_slowly(pandas)
        try:
            table = self.to_arrow()
        except pyarrow.ArrowInvalid:  # numbers and texts in one column of SQL
            return self._to_pandas_slowly(pandas)
        frame = {}
        for name, column in zip(table.column_names, table.columns):
            if pyarrow.types.is_integer(column.type) and column.null_count:
                frame[name] = column.to_pandas(types_mapper={pyarrow.int64(): pandas.Int64Dtype()}.get)
            else:
                frame[name] = column.to_pandas()
        return pandas.DataFrame(frame)

    def _to_pandas_slowly(self, pandas: Any) -> Any:
        frame = {}
        for name in self.columns:
            values = self.column(name)
            kinds = set(map(type, values))
            whole = kinds == {int, type(None)}
            frame[name] = pandas.array(values, dtype="Int64") if whole else values
        return pandas.DataFrame(frame)

    def _repr_html_(self) -> str:
        from html import escape
        shown = self._some(slice(30))
        unit = (self.meta.get("metric") or {}).get("unit")
        numbers = {name for name in self.columns
                   if any(isinstance(row[name], (int, float)) for row in shown)}
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = []
        for row in shown:
            cells = []
            for name, value in row.items():
                side = "right" if name in numbers else "left"
                cells.append(f'<td style="text-align:{side}">{escape(_cell(value))}</td>')
            body.append(f"<tr>{''.join(cells)}</tr>")
        total = self.meta.get("rows_total")
        rest = max(len(self), total or 0) - len(shown)
        below = [f"values in {unit}"] if unit else []
        below += [f"{rest:,} more rows"] if rest > 0 else []
        below += self.notes
        return (f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
                f"<p>{escape('; '.join(below))}</p>")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
