"""JSON kept as text: reading a path, testing, building. Paths arrive as steps (see plan/json_paths)."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.errors import TypeMismatch
from headrace.plan.functions.registry import SparkText
from headrace.plan.functions.signatures import always, scalar
from headrace.types import (
    BINARY_KINDS,
    BOOLEAN,
    CHARACTER,
    INT,
    INTEGERS,
    NUMERIC,
    STRING,
    TIMESTAMPS,
    DataType,
    Kind,
    array,
)

_PRINTABLE = (Kind.BOOLEAN, Kind.NULL, *NUMERIC, *CHARACTER)
# What Spark prints in JSON as Flink does: fractions have their own spelling, members of objects their order.
_PLAIN = (Kind.BOOLEAN, *INTEGERS, *CHARACTER, *BINARY_KINDS, *TIMESTAMPS)


_TYPE = "flink_json_type({0}, {1})"
_EXISTS = f"if({{0}} IS NULL, NULL, coalesce({_TYPE} <> 'null', FALSE))"


def _is_json(types: str) -> str:
    found = "flink_json_type({0}, '')"
    return f"coalesce({found} IN ({types}), FALSE)" if types else f"({found} IS NOT NULL)"


def _printable(kind: DataType) -> bool:
    if kind.kind is Kind.MAP:
        return kind.children[0].kind in CHARACTER and _printable(kind.children[1])
    if kind.kind in (Kind.ARRAY, Kind.ROW):
        return all(_printable(child) for child in kind.children)
    return kind.kind in _PRINTABLE


def _string_type(types: Sequence[DataType]) -> DataType:
    if not _printable(types[0]) and types[0].kind not in (*TIMESTAMPS, *BINARY_KINDS):
        raise TypeMismatch(
            "this type has no form in JSON",
            found=types[0].sql(),
            expected="a timestamp, bytes; numbers, booleans, text, and arrays, maps and rows of them",
            cure="CAST(… AS STRING) first",
        )
    return STRING.as_nullable(types[0].nullable)


def _string(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """As the only element of an array, without its brackets: Spark prints no scalar by itself."""
    value = _as_printable(args[0], types[0])
    printed = f"to_json(array({value}), map('ignoreNullFields', 'false'))"
    plain = f"substring({printed}, 2, length({printed}) - 2)"
    bare = plain if types[0].kind in _PLAIN else f"flink_json_element({printed})"
    return f"if({args[0]} IS NULL, NULL, {bare})"


def _as_printable(value: str, kind: DataType) -> str:
    """Timestamps in ISO's form without idle zeros, with Z where they are of UTC, and bytes in base 64."""
    if kind.kind in BINARY_KINDS:
        return f"base64({value})"
    if kind.kind not in TIMESTAMPS:
        return value
    local = kind.kind is Kind.TIMESTAMP_LTZ
    since = "TIMESTAMP_NTZ '1970-01-01'"
    clock = f"timestampadd(MICROSECOND, unix_micros({value}), {since})" if local else value
    shown = f"flink_date_format({clock}, 'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSS')"
    trimmed = f"regexp_replace({shown}, '\\\\.?0+$', '')"
    return f"concat({trimmed}, 'Z')" if local else trimmed


def _object(*, absent: bool) -> SparkText:
    """Keys and values in turn, values being JSON already."""

    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        pairs = zip(args[::2], args[1::2], strict=True)
        shown = (f"concat({_key(key)}, ':', {_element(value, absent)})" for key, value in pairs)
        return f"concat('{{', concat_ws(',', {', '.join(shown)}), '}}')" if args else "'{}'"

    return text


def _key(text: str) -> str:
    return f"substring(to_json(array({text})), 2, length(to_json(array({text}))) - 2)"


def _element(text: str, absent: bool) -> str:
    return text if absent else f"coalesce({text}, 'null')"


def _array(*, absent: bool) -> SparkText:
    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        shown = ", ".join(_element(arg, absent) for arg in args)
        return f"concat('[', concat_ws(',', {shown}), ']')" if args else "'[]'"

    return text


_TEST = always(BOOLEAN.not_null())
_MADE = always(STRING.not_null())
_NULLABLE = always(STRING)
_QUERY_EXAMPLES = {
    "WITHOUT": """JSON_QUERY('{ "a": { "b": 1 } }', '$.a') -> {"b":1}\nJSON_QUERY('1', '$') -> NULL\n"""
    """JSON_QUERY('{"z":1.50,"a":{"y":1,"b":[1e5]}}', '$') -> {"a":{"b":[1E+5],"y":1},"z":1.50}\n"""
    """JSON_QUERY('{"a":1}', 'lax $.b' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR) -> []\n"""
    """JSON_QUERY('{"a":1}', 'lax $.a' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR) -> []\n"""
    """JSON_QUERY('{"a":1}', '$.b' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR) -> {}\n"""
    """JSON_QUERY('bad', 'lax $.a' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR) -> []\n"""
    """JSON_QUERY(CAST(NULL AS STRING), '$.a' EMPTY OBJECT ON ERROR) -> NULL""",
    "WITH CONDITIONAL": "JSON_QUERY('1', '$' WITH CONDITIONAL ARRAY WRAPPER) -> [1]\n"
    """JSON_QUERY('{"a":{}}', '$.a' WITH CONDITIONAL WRAPPER) -> [{}]\n"""
    """JSON_QUERY('{"a":null}', 'lax $.a' WITH CONDITIONAL WRAPPER) -> NULL\n"""
    "JSON_QUERY('[1, 2]', '$' WITH CONDITIONAL ARRAY WRAPPER) -> [1,2]",
    "WITH UNCONDITIONAL": "JSON_QUERY('[1, 2]', '$' WITH UNCONDITIONAL ARRAY WRAPPER) -> [[1,2]]",
}

# The forms of one name that its options choose between are rows of their own, named with the option.
FUNCTIONS = (
    scalar(
        "JSON_VALUE",
        "char word",
        _NULLABLE,
        "flink_json_value({0}, {1})",
        """JSON_VALUE('{"a": true}', '$.a') -> true\n"""
        """JSON_VALUE('{"a": true}', '$.a' RETURNING BOOLEAN) -> TRUE\n"""
        """JSON_VALUE('{"a": true}', 'lax $.b' DEFAULT 'x' ON EMPTY) -> x\n"""
        """JSON_VALUE('{"a": true}', 'strict $.b' DEFAULT 'x' ON ERROR) -> x\n"""
        """JSON_VALUE('{"a.b": [0.998,0.996]}', '$.["a.b"][0]' RETURNING DOUBLE) -> 0.998\n"""
        """JSON_VALUE('{"a": 1.0, "b": [1]}', '$.a') -> 1.0\n"""
        """JSON_VALUE('{"a":1}', '$.b' DEFAULT 'd' ON EMPTY DEFAULT 'e' ON ERROR) -> e\n"""
        """JSON_VALUE('{"a":1}', 'lax $.b' DEFAULT 'd' ON EMPTY DEFAULT 'e' ON ERROR) -> d\n"""
        """JSON_VALUE('{"a":[1]}', 'lax $.a' DEFAULT 'd' ON EMPTY DEFAULT 'e' ON ERROR) -> d\n"""
        """JSON_VALUE('{"a":null}', '$.a' DEFAULT 'd' ON EMPTY DEFAULT 'e' ON ERROR) -> e\n"""
        """JSON_VALUE('bad{', 'lax $.a' DEFAULT 'd' ON EMPTY DEFAULT 'e' ON ERROR) -> d\n"""
        """JSON_VALUE('{"b": [1]}', '$.b') -> NULL\nJSON_VALUE('{"a":1.50,"a":1e5}', '$.a') -> 1E+5\n"""
        """JSON_VALUE('{"price":1.50}', '$.price') -> 1.50\nJSON_VALUE('{"a":[1,2,3]}', '$.a[-1]') -> 3\n"""
        """JSON_VALUE('{"a":[1,2,3]}', '$.a[-4]') -> NULL\nJSON_VALUE('{"a":[1,2,3]}', '$.a.length()') -> 3\n"""
        """JSON_VALUE('{"a":"xyz"}', '$.a.size()') -> NULL\nJSON_VALUE('{"it''s":1}', '$["it''s"]') -> 1""",
    ),
    *(
        scalar(
            f"JSON_QUERY {wrapper}",
            "char word",
            _NULLABLE,
            f"flink_json_query({{0}}, {{1}}, '{wrapper}')",
            example,
        )
        for wrapper, example in _QUERY_EXAMPLES.items()
    ),
    *(
        scalar(f"JSON_QUERY SEVERAL {wrapper}", "char word", _NULLABLE, text, example)
        for wrapper, text, example in (
            (
                "WITHOUT",
                "flink_json_found({0}, {1})",
                """JSON_QUERY('{"a":[{"b":1},{"b":"x"},{}]}', '$.a[*].b') -> [1,"x"]\n"""
                """JSON_QUERY('{"a":[1,{"b":[2]}],"b":3}', 'lax $..b') -> [3,[2]]\n"""
                """JSON_QUERY('[1,2,3,4]', '$[1:-1]') -> [2,3]\nJSON_QUERY('[1,2,3]', '$[0,2]') -> [1,3]\n"""
                """JSON_QUERY('{"a":{"b":1,"c":2}}', '$.a.*') -> [1,2]\nJSON_QUERY('{"a":1}', '$.b[*]') -> NULL\n"""
                """JSON_QUERY('{"a":1}', 'lax $.b[*]' EMPTY ARRAY ON EMPTY) -> []\nJSON_QUERY('{', '$[*]') -> NULL""",
            ),
            (
                "WITH CONDITIONAL",
                "flink_json_found({0}, {1})",
                "JSON_QUERY('[1,2]', '$[*]' WITH CONDITIONAL WRAPPER) -> [1,2]",
            ),
            (
                "WITH UNCONDITIONAL",
                "concat('[', flink_json_found({0}, {1}), ']')",
                "JSON_QUERY('[1,2]', '$[*]' WITH WRAPPER) -> [[1,2]]",
            ),
        )
    ),
    scalar(
        "JSON_QUERY ARRAY",
        "char",
        always(array(STRING)),
        "flink_json_elements({0})",
        """JSON_QUERY('{"a":[1,"x",null,{"b":2}]}', '$.a' RETURNING ARRAY<STRING>) -> [1, x, NULL, {"b":2}]\n"""
        """JSON_QUERY('{"a":[1.10,{"b":2.20}]}', '$.a' RETURNING ARRAY<STRING>) -> [1.10, {"b":2.20}]\n"""
        """JSON_QUERY('{"a":1}', '$.b' RETURNING ARRAY<STRING>) -> NULL\n"""
        """JSON_QUERY('{"a":1}', 'lax $.b' RETURNING ARRAY<STRING> EMPTY ARRAY ON EMPTY) -> []""",
    ),
    scalar(
        "JSON FAULT",
        "char char",
        _NULLABLE,
        "flink_json_fault({0}, {1})",
        """JSON_VALUE('{"a":1}', 'strict $.a' ERROR ON ERROR) -> 1\n"""
        """JSON_VALUE('{"a":1}', '$.b' ERROR ON EMPTY) -> NULL\n"""
        """JSON_QUERY('{"a":[]}', 'lax $.a' ERROR ON EMPTY) -> []""",
    ),
    scalar(
        "JSON_EXISTS SEVERAL",
        "char word",
        always(BOOLEAN),
        "if({0} IS NULL, NULL, flink_json_found({0}, {1}) IS NOT NULL)",
        """JSON_EXISTS('{"a":[{"b":1}]}', '$.a[*].c') -> TRUE\nJSON_EXISTS('{"a":1}', '$.b[*]') -> FALSE""",
    ),
    scalar(
        "JSON_EXISTS",
        "char word",
        always(BOOLEAN),
        _EXISTS,
        """JSON_EXISTS('{"a": true}', '$.a') -> TRUE\nJSON_EXISTS('{"a": true}', '$.b') -> FALSE\n"""
        """JSON_EXISTS('{"a": [{ "b": 1 }]}', '$.a[0].b') -> TRUE\nJSON_EXISTS('{"a":null}', '$.a') -> FALSE\n"""
        """JSON_EXISTS('{"a":1}', '$.b' TRUE ON ERROR) -> TRUE\nJSON_EXISTS('{"a":1}', 'lax $.b' TRUE ON ERROR) -> FALSE\n"""
        """JSON_EXISTS('{"a":1}', 'strict $.b' UNKNOWN ON ERROR) -> NULL\nJSON_EXISTS('bad', 'lax $.a' TRUE ON ERROR) -> FALSE\n"""
        """JSON_EXISTS(CAST(NULL AS STRING), '$.a' TRUE ON ERROR) -> NULL""",
    ),
    scalar(
        "JSON_LENGTH",
        "char word?",
        always(INT),
        "flink_json_length({0}, {1})",
        """JSON_LENGTH('{"1": "hello", "2": "bye bye"}') -> 2\nJSON_LENGTH('[1,2,3,4,5]') -> 5\n"""
        """JSON_LENGTH('"hello"') -> 1\nJSON_LENGTH('null') -> 1\nJSON_LENGTH('{}') -> 0\n"""
        """JSON_LENGTH('{"1": "hello", "2": "bye bye"}', '$.2') -> 1\n"""
        """JSON_LENGTH('{"a": [true, false, null]}', '$.a[2]') -> 1\n"""
        """JSON_LENGTH('{"a": [true, false, null]}', '$.a') -> 3\n"""
        """JSON_LENGTH('{"a": [true]}', '$.a[9]') -> NULL\nJSON_LENGTH('null', '$.a') -> NULL\n"""
        """JSON_LENGTH('{') -> NULL""",
    ),
    scalar(
        "JSON_TYPE",
        "char word?",
        _NULLABLE,
        _TYPE,
        """JSON_TYPE('{"a": true}') -> object\nJSON_TYPE('[1, 2]') -> array\nJSON_TYPE('null') -> null\n"""
        """JSON_TYPE('true') -> boolean\nJSON_TYPE('"2015-01-01"') -> string\nJSON_TYPE('66') -> number\n"""
        """JSON_TYPE('11.1') -> number\nJSON_TYPE('1e300') -> number\nJSON_TYPE('68s') -> NULL\n"""
        """JSON_TYPE('{"a": [1, null]}', '$.a') -> array\nJSON_TYPE('{"a": [1, null]}', '$.a[1]') -> null\n"""
        """JSON_TYPE('{"a": 1}', '$.b') -> NULL""",
    ),
    scalar(
        "JSON_QUOTE",
        "char",
        STRING,
        "flink_json_quote({0})",
        """JSON_QUOTE('V') -> "V"\nJSON_QUOTE('a "b" \\ /') -> "a \\"b\\" \\\\ \\/"\n"""
        """JSON_QUOTE('1 ≠ 2') -> "1 \\u2260 2"\nJSON_QUOTE(CAST(NULL AS STRING)) -> NULL""",
    ),
    scalar(
        "JSON_UNQUOTE",
        "char",
        STRING,
        "flink_json_unquote({0})",
        """JSON_UNQUOTE('"V"') -> V\nJSON_UNQUOTE('"a \\"b\\" \\u0041\\/"') -> a "b" A/\n"""
        """JSON_UNQUOTE('[1, 2]') -> [1, 2]\nJSON_UNQUOTE('"a') -> "a\nJSON_UNQUOTE('"\\u006z"') -> "\\u006z"\n"""
        """JSON_UNQUOTE('"') -> "\nJSON_UNQUOTE('') -> ''""",
    ),
    scalar(
        "JSON_STRING",
        "any",
        _string_type,
        _string,
        """JSON_STRING(1) -> 1\nJSON_STRING(TRUE) -> true\nJSON_STRING('Hello') -> "Hello"\n"""
        "JSON_STRING(ARRAY[1, 2]) -> [1,2]\nJSON_STRING(CAST(NULL AS INT)) -> NULL\nJSON_STRING(1.50) -> 1.50\n"
        """JSON_STRING(1e10) -> 1.0E+10\nJSON_STRING(MAP['z', 1, 'a', 2]) -> {"a":2,"z":1}\n"""
        """JSON_STRING(TIMESTAMP '2020-01-01 00:00:00') -> "2020-01-01T00:00:00"\nJSON_STRING(x'6162') -> "YWI=\"""",
    ),
    scalar(
        "JSON_OBJECT",
        "any*",
        _MADE,
        _object(absent=False),
        """JSON_OBJECT() -> {}\nJSON_OBJECT(KEY 'K1' VALUE 'V1', KEY 'K2' VALUE 2) -> {"K1":"V1","K2":2}\n"""
        """JSON_OBJECT('K1' VALUE CAST(NULL AS STRING)) -> {"K1":null}\n"""
        """JSON_OBJECT(KEY 'K' VALUE JSON_OBJECT(KEY 'N' VALUE 1)) -> {"K":{"N":1}}\n"""
        """JSON_OBJECT('a' VALUE TIMESTAMP '2020-01-01 10:11:12.120') -> {"a":"2020-01-01T10:11:12.12"}\n"""
        """JSON_OBJECT('t' VALUE TO_TIMESTAMP_LTZ(1583000000000, 3)) -> {"t":"2020-02-29T18:13:20Z"}\n"""
        """JSON_OBJECT('z' VALUE 1, 'a' VALUE 2, 'A' VALUE 3) -> {"A":3,"a":2,"z":1}\n"""
        """JSON_OBJECT('a' VALUE 1, 'a' VALUE CAST(NULL AS INT)) -> {"a":null}""",
    ),
    scalar(
        "JSON_OBJECT ABSENT",
        "any*",
        _MADE,
        _object(absent=True),
        "JSON_OBJECT(KEY 'K1' VALUE CAST(NULL AS STRING) ABSENT ON NULL) -> {}\n"
        """JSON_OBJECT('a' VALUE 1, 'a' VALUE CAST(NULL AS INT) ABSENT ON NULL) -> {"a":1}""",
    ),
    scalar(
        "JSON",
        "char",
        _NULLABLE,
        "flink_json_embedded({0})",
        """JSON_OBJECT('a' VALUE JSON('{"x" : 1.50, "b":[1, 2]}')) -> {"a":{"b":[1,2],"x":1.50}}\n"""
        """JSON_ARRAY(JSON('{"z":1,"a":2} y'), JSON('null')) -> [{"a":2,"z":1},null]\n"""
        """JSON_OBJECT('a' VALUE JSON(CAST(NULL AS STRING)) ABSENT ON NULL) -> {}""",
    ),
    scalar(
        "JSON_ARRAY",
        "any*",
        _MADE,
        _array(absent=True),
        """JSON_ARRAY() -> []\nJSON_ARRAY(1, '2') -> [1,"2"]\nJSON_ARRAY(CAST(NULL AS STRING)) -> []""",
    ),
    scalar(
        "JSON_ARRAY NULL",
        "any*",
        _MADE,
        _array(absent=False),
        "JSON_ARRAY(CAST(NULL AS STRING) NULL ON NULL) -> [null]",
    ),
    scalar(
        "IS_JSON VALUE", "char", _TEST, _is_json(""), "'1' IS JSON -> TRUE\n'abc' IS JSON -> FALSE"
    ),
    scalar("IS_JSON OBJECT", "char", _TEST, _is_json("'object'"), "'{}' IS JSON OBJECT -> TRUE"),
    scalar("IS_JSON ARRAY", "char", _TEST, _is_json("'array'"), "'1' IS JSON ARRAY -> FALSE"),
    scalar(
        "IS_JSON SCALAR",
        "char",
        _TEST,
        _is_json("'string', 'number', 'boolean', 'null'"),
        "'1' IS JSON SCALAR -> TRUE\n'{}' IS JSON SCALAR -> FALSE",
    ),
)
