"""Character strings: positions are 1-based, NULL in gives NULL out unless said otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.errors import TypeMismatch
from headrace.plan.functions.registry import SparkText, TypeRule, as_spark
from headrace.plan.functions.signatures import (
    always,
    common,
    derived,
    same_as,
    scalar,
    to_common,
)
from headrace.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    INT,
    INTEGERS,
    STRING,
    DataType,
    Kind,
    array,
    map_of,
    varchar,
)

# A regular expression that means its text literally.
_LITERALLY = "concat('\\\\Q', {}, '\\\\E')"


def _concat_type(types: Sequence[DataType]) -> DataType:
    """`||` adds lengths; one unbounded side makes the result unbounded."""
    shared = common(types, "||")
    if any(kind.length is None for kind in types):
        return BYTES if shared.kind in (Kind.BYTES, Kind.VARBINARY, Kind.BINARY) else STRING
    total = sum(kind.length or 0 for kind in types)
    fixed = all(kind.kind in (Kind.CHAR, Kind.BINARY) for kind in types)
    text = shared.kind in (Kind.CHAR, Kind.VARCHAR)
    if text:
        return DataType(Kind.CHAR if fixed else Kind.VARCHAR, length=total)
    return DataType(Kind.BINARY if fixed else Kind.VARBINARY, length=total)


def _as_text(index: int) -> TypeRule:
    """A bounded string stays so when characters are taken off it."""
    return derived(
        lambda types: varchar(length) if (length := types[index].length) is not None else STRING
    )


def _overlay_type(types: Sequence[DataType]) -> DataType:
    lengths = [kind.length for kind in types[:2]]
    bounded = [length for length in lengths if length is not None]
    return varchar(sum(bounded)) if len(bounded) == len(lengths) else STRING


def _instr(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if len(args) == 2:
        return f"instr({args[0]}, {args[1]})"
    numbers = [as_spark(arg, kind, "int") for arg, kind in zip(args[2:], types[2:], strict=True)]
    return f"flink_instr({', '.join([*args[:2], *numbers, '1'][:4])})"


def _locate(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if len(args) == 2:
        return f"locate({args[0]}, {args[1]})"
    return f"flink_locate({args[0]}, {args[1]}, {as_spark(args[2], types[2], 'int')})"


def _part_type(types: Sequence[DataType]) -> DataType:
    """A part of a bounded string is bounded likewise; it may be NULL (a negative length)."""
    return STRING if types[0].length is None else varchar(types[0].length)


def constant(text: str) -> int | None:
    """The integer a text is, when it is one."""
    return int(text) if text.lstrip("-").isdigit() else None


def _substring(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """Spark counts a start before the text as part of it, Flink as an empty result; a negative length is NULL."""
    text, start = args[0], as_spark(args[1], types[1], "int")
    length = as_spark(args[2], types[2], "int") if len(args) > 2 else None
    cut = f"substring({', '.join(filter(None, (text, start, length)))})"
    whens = []
    if length is not None and (constant(length) is None or int(length) < 0):
        whens.append(f"WHEN {length} < 0 THEN NULL")
    if constant(start) is None or int(start) < 0:
        reached = f"{start} < -char_length({text})"
        known = "" if length is None or constant(length) is not None else f" AND {length} >= 0"
        whens.append(f"WHEN {reached}{known} THEN ''")
    return f"CASE {' '.join(whens)} ELSE {cut} END" if whens else cut


def _overlay(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    text, placed, start = args[0], args[1], as_spark(args[2], types[2], "int")
    length = as_spark(args[3], types[3], "int") if len(args) > 3 else f"char_length({placed})"
    rest = f"if({length} > 0, substring({text}, {start} + {length}), '')"
    return (
        f"CASE WHEN {start} <= 0 OR {start} > char_length({text}) THEN {text} "
        f"ELSE concat(left({text}, {start} - 1), {placed}, {rest}) END"
    )


def _trim(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    return f"trim({args[0].strip(chr(39))} {args[1]} FROM {args[2]})"


def _one_sided(side: str) -> SparkText:
    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        characters = args[1] if len(args) > 1 else "' '"
        return f"trim({side} {characters} FROM {args[0]})"

    return text


def _pad(function: str) -> str:
    return f"if({{1}} < 0 OR {{2}} = '', NULL, {function}({{0}}, {{1:int}}, {{2}}))"


def _group(function: str, default: str) -> SparkText:
    """A function of a text, a regular expression and the number of a group in it."""

    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        group = as_spark(args[2], types[2], "int") if len(args) > 2 else default
        return f"{function}({args[0]}, {args[1]}, {group})"

    return text


def _split_index(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """An empty text has no parts at all. Where the separator is empty, each blank separates."""
    if types[1].kind in INTEGERS:
        separator = _LITERALLY.format(f"chr({args[1]})")
    elif args[1].startswith("'") and args[1] != "''":
        separator = _LITERALLY.format(args[1])
    else:
        separator = f"if({args[1]} = '', '\\\\s', {_LITERALLY.format(args[1])})"
    parts = f"split(nullif({args[0]}, ''), {separator})"
    return f"get({parts}, {as_spark(args[2], types[2], 'int')})"


def _split(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    return f"split({args[0]}, if({args[1]} = '', '', {_LITERALLY.format(args[1])}))"


def _map_type(types: Sequence[DataType]) -> DataType:
    if len(types) == 2:
        raise TypeMismatch(
            "STR_TO_MAP is called with the wrong number of arguments",
            condition="WRONG_ARGUMENT_COUNT",
            found="2",
            expected="1 or 3",
        )
    return map_of(STRING, STRING)


def _string_to_map(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    pairs, values = args[1:] or ("','", "'='")
    empty = "CAST(map() AS map<string, string>)"
    return f"if({args[0]} = '', {empty}, str_to_map({args[0]}, {pairs}, {values}))"


def _initcap(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """A word is a run of ASCII letters and digits; everything else stays as it is."""
    words = f"regexp_extract_all({args[0]}, '([A-Za-z0-9]+|[^A-Za-z0-9]+)', 1)"
    capital = "concat(upper(left(__w, 1)), lower(substring(__w, 2)))"
    return (
        f"array_join(transform({words}, __w -> if(__w RLIKE '^[A-Za-z0-9]', {capital}, __w)), '')"
    )


def _printf(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    return f"flink_printf({args[0]}, struct({', '.join(args[1:])}))"


def _elt(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    return f"get(array({', '.join(args[1:])}), {as_spark(args[0], types[0], 'int')} - 1)"


def _elt_type(types: Sequence[DataType]) -> DataType:
    return common(types[1:], "ELT").as_nullable()


def _parse_url(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    return f"try_parse_url({', '.join(args)})"


_NULLABLE_STRING = always(STRING)

FUNCTIONS = (
    scalar(
        "||",
        "string string",
        derived(_concat_type),
        "concat({0}, {1})",
        "'a' || 'b' -> ab\n'a' || CAST(NULL AS STRING) -> NULL",
    ),
    scalar(
        "CONCAT",
        "char+",
        STRING,
        "concat({*})",
        "CONCAT('AA', 'BB', 'CC') -> AABBCC\nCONCAT('A', CAST(NULL AS STRING)) -> NULL",
    ),
    scalar(
        "CONCAT_WS",
        "char char*",
        STRING,
        "concat_ws({*})",
        "CONCAT_WS('~', 'AA', CAST(NULL AS STRING), 'BB', '', 'CC') -> AA~BB~~CC",
    ),
    scalar("CHAR_LENGTH", "char", INT, "char_length({0})", "CHAR_LENGTH('Flink') -> 5"),
    scalar("CHARACTER_LENGTH", "char", INT, "char_length({0})", "CHARACTER_LENGTH('') -> 0"),
    scalar("UPPER", "char", same_as(0), "upper({0})", "UPPER('aBc') -> ABC"),
    scalar("LOWER", "char", same_as(0), "lower({0})", "LOWER('aBc') -> abc"),
    scalar(
        "POSITION",
        "char char",
        INT,
        "position({0}, {1})",
        "POSITION('b' IN 'abc') -> 2\nPOSITION('x' IN 'abc') -> 0",
    ),
    scalar(
        "LOCATE",
        "char char int?",
        INT,
        _locate,
        "LOCATE('a', 'banana') -> 2\nLOCATE('a', 'banana', 3) -> 4\nLOCATE('a', 'banana', -1) -> 2\n"
        "LOCATE('a', 'banana', 7) -> 0",
    ),
    scalar(
        "INSTR",
        "char char int? int?",
        INT,
        _instr,
        "INSTR('banana', 'an') -> 2\nINSTR('banana', 'an', 3) -> 4\nINSTR('banana', 'an', 1, 2) -> 4\n"
        "INSTR('banana', 'an', -1) -> 4\nINSTR('banana', 'an', -1, 2) -> 2\nINSTR('banana', 'an', 1, 3) -> 0\n"
        "INSTR('banana', 'an', 0) -> 0",
    ),
    scalar(
        "TRIM",
        "word char char",
        _as_text(2),
        _trim,
        "TRIM(' a ') -> a\nTRIM(LEADING 'x' FROM 'xxaxx') -> axx\nTRIM(BOTH 'xy' FROM 'xyaxy') -> a",
    ),
    scalar(
        "LTRIM",
        "char char?",
        _as_text(0),
        _one_sided("LEADING"),
        "LTRIM(' a') -> a\nLTRIM('xyab', 'yx') -> ab",
    ),
    scalar(
        "RTRIM",
        "char char?",
        _as_text(0),
        _one_sided("TRAILING"),
        "RTRIM('a ') -> a\nRTRIM('abx', 'x') -> ab",
    ),
    scalar(
        "BTRIM",
        "char char?",
        STRING,
        _one_sided("BOTH"),
        "BTRIM(' a ') -> a\nBTRIM('xax', 'x') -> a",
    ),
    scalar("REPEAT", "char int", STRING, "repeat({0}, {1:int})", "REPEAT('ab', 2) -> abab"),
    scalar(
        "REPLACE",
        "char char char",
        STRING,
        "flink_replace({0}, {1}, {2})",
        "REPLACE('hello world', 'world', 'flink') -> hello flink\nREPLACE('ababab', 'abab', 'z') -> zab\n"
        "REPLACE('ab', '', '-') -> -a-b-",
    ),
    scalar(
        "REGEXP_REPLACE",
        "char char char",
        STRING,
        "flink_regexp_replace({*})",
        "REGEXP_REPLACE('foobar', 'oo|ar', '') -> fb\nREGEXP_REPLACE('a1b', '\\d', '$0') -> a$0b",
    ),
    scalar(
        "REGEXP_EXTRACT",
        "char char int?",
        _NULLABLE_STRING,
        _group("flink_regexp_extract", "0"),
        "REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 2) -> bar\nREGEXP_EXTRACT('ab12', '[0-9]+') -> 12\nREGEXP_EXTRACT('ab', '[0-9]+') -> NULL\n"
        "REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 5) -> NULL\nREGEXP_EXTRACT('abc', '(') -> NULL\n"
        "REGEXP_EXTRACT('b', '(a)?b', 1) -> NULL",
    ),
    scalar(
        "REGEXP_EXTRACT_ALL",
        "char char int?",
        always(array(STRING)),
        _group("flink_regexp_extract_all", "1"),
        "REGEXP_EXTRACT_ALL('100-200, 300-400', '(\\d+)-(\\d+)', 1) -> [100, 300]\n"
        "REGEXP_EXTRACT_ALL('a1', '[0-9]') -> NULL\nREGEXP_EXTRACT_ALL('ab', '([0-9])') -> []",
    ),
    scalar(
        "REGEXP_COUNT",
        "char char",
        always(INT),
        "flink_regexp_count({0}, {1})",
        "REGEXP_COUNT('banana', 'an') -> 2\nREGEXP_COUNT('abc', '') -> 4\nREGEXP_COUNT('', '(') -> NULL",
    ),
    scalar(
        "REGEXP_INSTR",
        "char char",
        always(INT),
        "flink_regexp_instr({0}, {1})",
        "REGEXP_INSTR('abc1', '[0-9]') -> 4\nREGEXP_INSTR('abc', '[0-9]') -> 0\nREGEXP_INSTR('a', '(') -> NULL",
    ),
    scalar(
        "REGEXP_SUBSTR",
        "char char",
        _NULLABLE_STRING,
        "flink_regexp_extract({0}, {1}, 0)",
        "REGEXP_SUBSTR('ab12', '[0-9]+') -> 12\nREGEXP_SUBSTR('ab', '[0-9]') -> NULL",
    ),
    scalar(
        "REGEXP",
        "char char",
        BOOLEAN,
        "flink_regexp({0}, {1})",
        "REGEXP('ab12', '[0-9]') -> TRUE\nREGEXP('ab', '') -> FALSE\nREGEXP('ab', '(') -> FALSE",
    ),
    scalar(
        "OVERLAY",
        "char char int int?",
        derived(_overlay_type),
        _overlay,
        "OVERLAY('xxxxxtest' PLACING 'xxxx' FROM 6) -> xxxxxxxxx\nOVERLAY('xxxxxtest' PLACING 'xxxx' FROM 6 FOR 2) -> xxxxxxxxxst",
    ),
    scalar(
        "SUBSTRING",
        "char int int?",
        _part_type,
        _substring,
        "SUBSTRING('hello world' FROM 7) -> world\nSUBSTRING('hello' FROM 2 FOR 3) -> ell\nSUBSTRING('abc', -5, 3) -> ''",
    ),
    scalar(
        "SUBSTR",
        "char int int?",
        _part_type,
        _substring,
        "SUBSTR('hello', -3, 2) -> ll\nSUBSTR('abc', 1, -1) -> NULL",
    ),
    scalar(
        "LEFT",
        "char int",
        _part_type,
        "left({0}, {1:int})",
        "LEFT('hello', 2) -> he\nLEFT('hello', -1) -> ''",
    ),
    scalar("RIGHT", "char int", _part_type, "right({0}, {1:int})", "RIGHT('hello', 2) -> lo"),
    scalar("INITCAP", "char", same_as(0), _initcap, "INITCAP('ab cD-eF') -> Ab Cd-Ef"),
    scalar(
        "LPAD",
        "char int char",
        _NULLABLE_STRING,
        _pad("lpad"),
        "LPAD('hi', 4, '??') -> ??hi\nLPAD('hi', 1, '??') -> h\nLPAD('hi', -1, '?') -> NULL",
    ),
    scalar(
        "RPAD",
        "char int char",
        _NULLABLE_STRING,
        _pad("rpad"),
        "RPAD('hi', 4, '??') -> hi??\nRPAD('hi', 1, '??') -> h",
    ),
    scalar(
        "FROM_BASE64",
        "char",
        STRING,
        "flink_from_base64({0})",
        "FROM_BASE64('aGVsbG8gd29ybGQ=') -> hello world",
    ),
    scalar(
        "TO_BASE64",
        "string",
        STRING,
        "base64({0:binary})",
        "TO_BASE64('hello world') -> aGVsbG8gd29ybGQ=",
    ),
    scalar("ASCII", "char", INT, "flink_ascii({0})", "ASCII('abc') -> 97\nASCII('ä') -> -61"),
    scalar("CHR", "int", _NULLABLE_STRING, "chr({0})", "CHR(97) -> a\nCHR(353) -> a"),
    scalar(
        "DECODE",
        "bytes char",
        STRING,
        "flink_decode({0}, {1})",
        "DECODE(ENCODE('ä', 'UTF-8'), 'UTF-8') -> ä\nDECODE(x'61FF', 'UTF-8') -> a\ufffd",
    ),
    scalar("ENCODE", "char char", BYTES, "encode({0}, {1})", "ENCODE('a', 'US-ASCII') -> a"),
    scalar(
        "URL_DECODE", "char", _NULLABLE_STRING, "try_url_decode({0})", "URL_DECODE('a%20b') -> a b"
    ),
    scalar("URL_ENCODE", "char", _NULLABLE_STRING, "url_encode({0})", "URL_ENCODE('a/b') -> a%2Fb"),
    scalar(
        "PARSE_URL",
        "char char char?",
        _NULLABLE_STRING,
        _parse_url,
        "PARSE_URL('http://facebook.com/path1/p.php?k1=v1&k2=v2#Ref1', 'HOST') -> facebook.com\n"
        "PARSE_URL('http://facebook.com/path1/p.php?k1=v1&k2=v2#Ref1', 'QUERY', 'k1') -> v1",
    ),
    scalar(
        "PRINTF",
        "char any*",
        _NULLABLE_STRING,
        _printf,
        "PRINTF('%d %s', 5, 'a') -> 5 a\nPRINTF('%s', CAST(NULL AS STRING)) -> null\nPRINTF('%d', 'a') -> NULL\n"
        "PRINTF('%s') -> NULL\nPRINTF('%%') -> %",
    ),
    scalar("REVERSE", "char", STRING, "reverse({0})", "REVERSE('abc') -> cba"),
    scalar(
        "SPLIT_INDEX",
        "char charint int",
        _NULLABLE_STRING,
        _split_index,
        "SPLIT_INDEX('a.b.c', '.', 1) -> b\nSPLIT_INDEX('a.b', '.', 5) -> NULL\nSPLIT_INDEX('a,b', 44, 0) -> a\nSPLIT_INDEX('', ',', 0) -> NULL\nSPLIT_INDEX('a  b', '', 2) -> b",
    ),
    scalar(
        "SPLIT",
        "char char",
        array(STRING),
        _split,
        "SPLIT('a.b..', '.') -> [a, b, , ]\nSPLIT('abc', '') -> [a, b, c]",
    ),
    scalar(
        "STR_TO_MAP",
        "char char? char?",
        _map_type,
        _string_to_map,
        "STR_TO_MAP('k1=v1,k2=v2') -> {k1=v1, k2=v2}\nSTR_TO_MAP('k1:v1;k2', ';', ':') -> {k1=v1, k2=NULL}",
    ),
    *(
        scalar(
            name,
            "char char char",
            STRING,
            "translate({0}, coalesce({1}, ''), coalesce({2}, ''))",
            f"{name}('www.a.org', 'wo', 'x') -> xxx.a.rg\n{name}('ab', 'b', CAST(NULL AS STRING)) -> a",
        )
        for name in ("TRANSLATE", "TRANSLATE3")
    ),
    scalar(
        "STARTSWITH",
        "string string",
        BOOLEAN,
        "startswith({0}, {1})",
        "STARTSWITH('Flink', 'Fl') -> TRUE",
    ),
    scalar(
        "ENDSWITH", "string string", BOOLEAN, "endswith({0}, {1})", "ENDSWITH('Flink', '') -> TRUE"
    ),
    scalar(
        "ELT",
        "int any+",
        _elt_type,
        _elt,
        "ELT(2, 'a', 'b') -> b\nELT(3, 'a', 'b') -> NULL",
        coerce=to_common("ELT", 1),
    ),
    scalar(
        "INET_ATON",
        "char",
        always(BIGINT),
        "flink_inet_aton({0})",
        "INET_ATON('127.0.0.1') -> 2130706433\nINET_ATON('127.1') -> 2130706433\nINET_ATON('1.2.3') -> 16908291\n"
        "INET_ATON('7') -> 7\nINET_ATON('010.0.0.010') -> 167772170\nINET_ATON('255.255.255.255') -> 4294967295\n"
        "INET_ATON('256.0.0.1') -> NULL\nINET_ATON('1..2') -> NULL\nINET_ATON('1.2.3.4.5') -> NULL\n"
        "INET_ATON(' 1') -> NULL\nINET_ATON('') -> NULL",
    ),
    scalar(
        "INET_NTOA",
        "int",
        always(STRING),
        "flink_inet_ntoa({0:bigint})",
        "INET_NTOA(2130706433) -> 127.0.0.1\nINET_NTOA(0) -> 0.0.0.0\n"
        "INET_NTOA(4294967295) -> 255.255.255.255\nINET_NTOA(4294967296) -> NULL\nINET_NTOA(-1) -> NULL",
    ),
)
