"""Flink's type names, with their defaults and ranges."""

from __future__ import annotations

from headrace.errors import nearest
from headrace.sql.cursor import Cursor
from headrace.sql.lexer import Token, TokenKind
from headrace.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    MAX_DECIMAL_PRECISION,
    NULL,
    SMALLINT,
    STRING,
    TINYINT,
    DataType,
    Kind,
    array,
    decimal,
    map_of,
    multiset,
    row_of,
    time,
    timestamp,
    timestamp_ltz,
)

PLAIN_TYPES = {
    "BOOLEAN": BOOLEAN,
    "TINYINT": TINYINT,
    "SMALLINT": SMALLINT,
    "INT": INT,
    "INTEGER": INT,
    "BIGINT": BIGINT,
    "FLOAT": FLOAT,
    "DOUBLE": DOUBLE,
    "STRING": STRING,
    "BYTES": BYTES,
    "DATE": DATE,
    "NULL": NULL,
}
SIZED_TYPES = {
    "CHAR": Kind.CHAR,
    "CHARACTER": Kind.CHAR,
    "VARCHAR": Kind.VARCHAR,
    "BINARY": Kind.BINARY,
    "VARBINARY": Kind.VARBINARY,
}
DECIMAL_NAMES = ("DECIMAL", "DEC", "NUMERIC")
COLLECTION_NAMES = ("ARRAY", "MULTISET", "MAP", "ROW")
TYPE_NAMES = (
    *PLAIN_TYPES,
    *SIZED_TYPES,
    *DECIMAL_NAMES,
    *COLLECTION_NAMES,
    "TIME",
    "TIMESTAMP",
    "TIMESTAMP_LTZ",
    "INTERVAL",
)
UNSUPPORTED_TYPES = ("RAW", "VARIANT", "BITMAP", "STRUCTURED")

# Flink's VARCHAR(2147483647) is STRING itself, and VARBINARY of that length is BYTES.
MAX_LENGTH = 2_147_483_647
UNBOUNDED = {Kind.VARCHAR: STRING, Kind.VARBINARY: BYTES}
MAX_TIME_PRECISION = 9

MONTH_UNITS = ("YEAR", "QUARTER", "MONTH")
DAY_UNITS = ("WEEK", "DAY", "HOUR", "MINUTE", "SECOND")


class TypeParser(Cursor):
    def data_type(self) -> DataType:
        """A type with its `[NOT] NULL` and the older postfix form `INT ARRAY`."""
        kind = self._nullability(self._base_type())
        while self.at_any("ARRAY", "MULTISET"):
            wrap = array if self.advance().key == "ARRAY" else multiset
            kind = self._nullability(wrap(kind))
        return kind

    def _nullability(self, kind: DataType) -> DataType:
        if self.at("NOT"):
            self.expect("NOT", "NULL")
            return kind.not_null()
        # In `RETURNING INT NULL ON EMPTY` the NULL is not the type's.
        if self.at("NULL") and self.ahead().key != "ON":
            self.advance()
        return kind

    def _base_type(self) -> DataType:
        token = self.current
        self._check_type_name(token)
        self.advance()
        if token.key in PLAIN_TYPES:
            if token.key == "DOUBLE":
                self.take("PRECISION")
            return PLAIN_TYPES[token.key]
        if token.key in SIZED_TYPES:
            return self._sized(SIZED_TYPES[token.key])
        if token.key in DECIMAL_NAMES:
            return self._decimal()
        if token.key in COLLECTION_NAMES:
            return self._collection(token.key)
        return self._interval_type() if token.key == "INTERVAL" else self._time_type(token.key)

    def _check_type_name(self, token: Token) -> None:
        if token.key in TYPE_NAMES:
            return
        if token.key in UNSUPPORTED_TYPES:
            raise self.unsupported(f"the type {token.key}")
        if token.kind not in (TokenKind.WORD, TokenKind.QUOTED_NAME):
            raise self.unexpected("a type", *TYPE_NAMES)
        close = nearest(token.text, TYPE_NAMES)
        raise self.error(
            f"'{token.text}' is not a type",
            expected="one of Flink's types, such as STRING, BIGINT, DECIMAL(10, 2) or TIMESTAMP(3)",
            cure=f"did you mean {close}?" if close else None,
        )

    def _number(self, what: str, low: int, high: int) -> int:
        token = self.current
        if token.kind is not TokenKind.NUMBER or not token.text.isdigit():
            raise self.unexpected(f"{what}, a whole number")
        self.advance()
        if not low <= int(token.text) <= high:
            raise self.error(
                f"{what} is out of range", token, found=token.text, expected=f"{low} to {high}"
            )
        return int(token.text)

    def _size(self, what: str, low: int, high: int, *, default: int) -> int:
        if not self.at("("):
            return default
        opening = self.expect("(")
        size = self._number(what, low, high)
        self.close(opening)
        return size

    def _sized(self, kind: Kind) -> DataType:
        if kind is Kind.CHAR and self.take("VARYING"):
            kind = Kind.VARCHAR
        # As in Flink, and otherwise than in the SQL standard, a VARCHAR without a length is as long as it likes.
        unwritten = MAX_LENGTH if kind in UNBOUNDED else 1
        length = self._size(f"length of {kind}", 1, MAX_LENGTH, default=unwritten)
        if length == MAX_LENGTH and kind in UNBOUNDED:
            return UNBOUNDED[kind]
        return DataType(kind, length=length)

    def _decimal(self) -> DataType:
        if not self.at("("):
            return decimal()
        opening = self.expect("(")
        precision = self._number("precision of DECIMAL", 1, MAX_DECIMAL_PRECISION)
        scale = self._number("scale of DECIMAL", 0, precision) if self.take(",") else 0
        self.close(opening)
        return decimal(precision, scale)

    def _time_type(self, name: str) -> DataType:
        if name == "TIME":
            kind = time(self._time_precision(name, 0))
            self.take("WITHOUT", "TIME", "ZONE")
            return kind
        precision = self._time_precision(name, 6)
        if name == "TIMESTAMP_LTZ" or self.take("WITH", "LOCAL", "TIME", "ZONE"):
            return timestamp_ltz(precision)
        if self.at("WITH", "TIME", "ZONE"):
            raise self.unsupported("TIMESTAMP WITH TIME ZONE", cure="use TIMESTAMP_LTZ")
        self.take("WITHOUT", "TIME", "ZONE")
        return timestamp(precision)

    def _time_precision(self, name: str, default: int) -> int:
        return self._size(f"precision of {name}", 0, MAX_TIME_PRECISION, default=default)

    def _interval_type(self) -> DataType:
        first = self._interval_field()
        last = self._interval_field() if self.take("TO") else first
        if (first in MONTH_UNITS) != (last in MONTH_UNITS):
            raise self.error(f"INTERVAL {first} TO {last} mixes months and seconds", self.previous)
        months = first in MONTH_UNITS
        return DataType(Kind.INTERVAL_YEAR_MONTH if months else Kind.INTERVAL_DAY_SECOND)

    def _interval_field(self) -> str:
        unit = self.expect_any(*MONTH_UNITS, *DAY_UNITS)
        self._time_precision(unit, 0)
        return unit

    def _collection(self, name: str) -> DataType:
        if name == "ROW":
            return self._row()
        opening = self.expect("<")
        element = self.data_type()
        if name == "MAP":
            self.expect(",")
            element = map_of(element, self.data_type())
        self.close(opening)
        wrap = {"ARRAY": array, "MULTISET": multiset}.get(name)
        return wrap(element) if wrap else element

    def _row(self) -> DataType:
        if self.take("<>"):
            return row_of([])
        if not self.at_any("<", "("):
            raise self.unexpected("'<' and the fields of the row")
        opening = self.advance()
        fields = self.listed(self._row_field)
        self.close(opening)
        return row_of(fields)

    def _row_field(self) -> tuple[str, DataType]:
        # Any word may name a field: only a type can follow it.
        named = self.at_kind(TokenKind.WORD)
        name = self.advance() if named else self.name("a field name")
        kind = self.data_type()
        if self.at_kind(TokenKind.STRING):
            self.advance()
        return name.text, kind
