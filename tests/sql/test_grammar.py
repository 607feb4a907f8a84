"""Properties that hold for the grammar as a whole, whichever module a rule lives in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from headrace.errors import Position, SqlSyntaxError, UserError
from headrace.sql.dialect import parse_expression, parse_script, parse_statement
from headrace.sql.lexer import TokenKind, tokenize

CORPUS = [
    """CREATE TEMPORARY TABLE IF NOT EXISTS c.d.t (
      id BIGINT NOT NULL COMMENT 'the key', price DECIMAL(10, 2), total AS price * 2 COMMENT 'twice',
      at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL, tags ARRAY<ROW<a INT, b MAP<STRING, INT>>>,
      WATERMARK FOR at AS at - INTERVAL '5' SECOND, CONSTRAINT pk PRIMARY KEY (id) NOT ENFORCED
    ) COMMENT 'x' PARTITIONED BY (id) WITH ('connector' = 'kafka', 'topic' = 't')
    LIKE s (EXCLUDING ALL INCLUDING OPTIONS)""",
    "CREATE VIEW IF NOT EXISTS v (a, b) COMMENT 'x' AS SELECT 1, 2 FROM t WHERE c IN (1, 2)",
    "EXECUTE STATEMENT SET BEGIN INSERT INTO a (x, y) SELECT 1, 2; INSERT INTO b VALUES (1), (2); END",
    """WITH q (x) AS (SELECT 1 UNION ALL SELECT 2)
    SELECT /*+ STATE_TTL('t' = '1d') */ DISTINCT t.a.b AS c, u.*, COUNT(DISTINCT d) FILTER (WHERE e > 1),
      SUM(f) OVER (PARTITION BY g ORDER BY h DESC NULLS LAST ROWS BETWEEN 3 PRECEDING AND CURRENT ROW),
      CASE WHEN i IS NOT NULL THEN CAST(j AS DECIMAL(4, 1)) ELSE arr[1].k END,
      JSON_VALUE(l, '$.m' RETURNING INT DEFAULT 0 ON EMPTY), TRIM(BOTH 'x' FROM n),
      TIMESTAMPADD(DAY, 1, DATE '2020-01-01')
    FROM t /*+ OPTIONS('a' = 'b') */ AS t1 LEFT JOIN r FOR SYSTEM_TIME AS OF t1.o AS r1 ON t1.p = r1.p
    CROSS JOIN UNNEST(t1.q) AS u (s), LATERAL TABLE(f(t1.w)) AS y (z)
    WHERE a NOT LIKE 'x%' ESCAPE '!' AND b BETWEEN 1 AND 2 OR NOT EXISTS (SELECT 1 FROM q)
    GROUP BY a, GROUPING SETS ((b, c), ()) HAVING COUNT(*) > 1 QUALIFY rn = 1
    UNION ALL SELECT * FROM (VALUES (1, 2)) AS v (a, b) ORDER BY 1 LIMIT 10 OFFSET 3""",
    """SELECT * FROM TABLE(SESSION(DATA => TABLE t PARTITION BY a, TIMECOL => DESCRIPTOR(ts),
      GAP => INTERVAL '1' HOUR)) WHERE x > ALL (SELECT y FROM z)""",
    "EXPLAIN CHANGELOG_MODE, PLAN_ADVICE INSERT INTO t /*+ OPTIONS('k' = 'v') */ (a) SELECT b FROM s",
    "ALTER TABLE t SET ('a' = 'b', 'c' = 'd')",
    "SHOW COLUMNS FROM db.t LIKE 'x%'",
    "SET 'a.b' = 'c'",
]


def lexemes(text):
    return [text[token.start : token.end] for token in tokenize(text)[:-1]]


def outcome(text):
    """The error a text gives, or None; anything but a UserError is a defect and passes through."""
    try:
        parse_script(text)
    except UserError as error:
        return error
    return None


def assert_placed_within(error, text):
    if error is None:
        return
    assert isinstance(error.where, Position)
    lines = text.split("\n")
    assert 1 <= error.where.line <= len(lines)
    assert 1 <= error.where.column <= len(lines[error.where.line - 1]) + 1
    assert len(error.render().splitlines()) <= 5


@pytest.mark.parametrize("text", CORPUS)
def test_the_corpus_is_good_as_it_stands(text):
    assert outcome(text) is None


@pytest.mark.parametrize("text", CORPUS)
def test_without_any_one_token_it_is_accepted_or_refused_with_a_place(text):
    pieces = lexemes(text)
    for missing in range(len(pieces)):
        broken = " ".join(pieces[:missing] + pieces[missing + 1 :])
        assert_placed_within(outcome(broken), broken)


@pytest.mark.parametrize("text", CORPUS)
def test_cut_off_after_any_token_it_is_accepted_or_refused_with_a_place(text):
    pieces = lexemes(text)
    for length in range(1, len(pieces)):
        broken = " ".join(pieces[:length])
        assert_placed_within(outcome(broken), broken)


@pytest.mark.parametrize("intruder", ["foo", "'text'", ")", ",", ";", "SELECT"])
@pytest.mark.parametrize("text", CORPUS)
def test_with_an_intruder_anywhere_it_is_accepted_or_refused_with_a_place(text, intruder):
    pieces = lexemes(text)
    for place in range(len(pieces) + 1):
        broken = " ".join([*pieces[:place], intruder, *pieces[place:]])
        assert_placed_within(outcome(broken), broken)


@given(st.sampled_from(CORPUS), st.data())
def test_any_shuffle_of_neighbours_is_accepted_or_refused_with_a_place(text, data):
    pieces = lexemes(text)
    for _ in range(data.draw(st.integers(1, 4))):
        spot = data.draw(st.integers(0, len(pieces) - 2))
        pieces[spot], pieces[spot + 1] = pieces[spot + 1], pieces[spot]
    broken = "\n".join(pieces)
    assert_placed_within(outcome(broken), broken)


def tree_of(statement):
    """The parts of a statement that do not depend on how it is laid out."""
    fields = {
        "query": getattr(statement, "query", None) or getattr(statement, "as_query", None),
        "columns": [
            getattr(column, "name", column) for column in getattr(statement, "columns", ())
        ],
        "options": [(entry.key, entry.value) for entry in getattr(statement, "options", ())],
    }
    return type(statement), fields


@given(st.sampled_from(CORPUS), st.sampled_from([" ", "\n\n", "\t", " /* ; ' */ ", " -- ; '\n"]))
def test_layout_and_comments_change_nothing(text, gap):
    spaced = gap.join(lexemes(text))
    assert tree_of(parse_statement(spaced)) == tree_of(parse_statement(text))


@pytest.mark.parametrize("text", CORPUS)
def test_keywords_may_be_in_lower_case(text):
    tokens = tokenize(text)[:-1]
    lowered = " ".join(
        text[token.start : token.end].lower()
        if token.kind is TokenKind.WORD
        else text[token.start : token.end]
        for token in tokens
    )
    assert outcome(lowered) is None


@pytest.mark.parametrize("text", CORPUS)
def test_places_move_with_the_statement(text):
    here = parse_script(text)[0]
    there = parse_script("SELECT 1;\n\n   " + text)[1]
    assert (there.position.line, there.position.column) == (here.position.line + 2, 4)
    assert there.sql == here.sql


# Calcite's precedences, loosest first; operators of one level group to the left.
LEVELS = [
    {"OR": exp.Or},
    {"AND": exp.And},
    {"=": exp.EQ, "<>": exp.NEQ, "<": exp.LT, ">=": exp.GTE},
    {"+": exp.Add, "-": exp.Sub},
    {"*": exp.Mul, "/": exp.Div, "%": exp.Mod, "||": exp.DPipe},
]
OPERATORS = {
    name: (level, node) for level, names in enumerate(LEVELS) for name, node in names.items()
}
LEAF_LEVEL = len(LEVELS)

trees = st.recursive(
    st.sampled_from(["a", "b", "t.c", "1", "'x'"]),
    lambda inner: st.tuples(inner, st.sampled_from(sorted(OPERATORS)), inner),
    max_leaves=12,
)


def level_of(tree):
    return LEAF_LEVEL if isinstance(tree, str) else OPERATORS[tree[1]][0]


def written(tree):
    """The tree with only the brackets it needs."""
    if isinstance(tree, str):
        return tree
    left, operator, right = tree
    level = level_of(tree)
    left_text = f"({written(left)})" if level_of(left) < level else written(left)
    right_text = f"({written(right)})" if level_of(right) <= level else written(right)
    return f"{left_text} {operator} {right_text}"


def built(tree):
    if isinstance(tree, str):
        return parse_expression(tree)
    left, operator, right = tree
    return OPERATORS[operator][1](this=built(left), expression=built(right))


def without_brackets(node):
    for brackets in list(node.find_all(exp.Paren)):
        brackets.replace(brackets.this)
    return node


@given(trees)
def test_precedence_needs_no_more_brackets_than_calcite(tree):
    assert without_brackets(parse_expression(written(tree))) == built(tree)


@pytest.mark.parametrize("depth", [1, 10, 30])
def test_nesting_is_read_to_a_fair_depth(depth):
    expression = parse_expression("(" * depth + "a" + ")" * depth)
    assert len(list(expression.find_all(exp.Paren))) == depth


@pytest.mark.parametrize(
    "text",
    [
        "(" * 2000 + "a" + ")" * 2000,
        "f(" * 2000 + "a" + ")" * 2000,
        "NOT " * 2000 + "a",
        "-" + " -" * 2000 + "a",
    ],
    ids=["brackets", "calls", "negations", "minuses"],
)
def test_nesting_beyond_all_reason_is_an_error_and_not_a_crash(text):
    with pytest.raises(SqlSyntaxError, match="nested too deeply"):
        parse_script(f"SELECT {text}")


def test_long_chains_are_not_deep():
    chain = " AND ".join(f"c{number} = {number}" for number in range(2000))
    (statement,) = parse_script(f"SELECT * FROM t WHERE {chain}")
    assert sum(1 for _ in statement.query.find_all(exp.EQ)) == 2000
