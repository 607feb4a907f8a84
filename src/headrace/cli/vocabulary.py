"""Words of Flink SQL, for highlighting and completion. Completion offers what Headrace runs; both share the types."""

from __future__ import annotations

from headrace.types import Kind

KEYWORDS: tuple[str, ...] = tuple(
    """
    ADD AFTER ALL ALTER AND ANY AS ASC BEGIN BETWEEN BY CASCADE CASE CATALOG CATALOGS COLUMNS COMMENT CREATE CROSS CUBE CURRENT
    DATABASE DATABASES DESC DESCRIBE DESCRIPTOR DISTINCT DROP ELSE END ENFORCED ESCAPE EXCEPT EXCLUDING EXECUTE EXISTS
    EXPLAIN FALSE FETCH FILTER FIRST FOLLOWING FOR FROM FULL FUNCTIONS GENERATED GROUP GROUPING HAVING IF ILIKE IN INCLUDING
    INNER INSERT INTERSECT INTERVAL INTO IS JOBS JOIN KEY LAST LATERAL LEFT LIKE LIMIT METADATA MODIFY MODULES NATURAL NOT NULL NULLS OF
    OFFSET ON OPTIONS OR ORDER ORDINALITY OUTER OVER OVERWRITING PARTITION PARTITIONED PRECEDING PRIMARY RANGE RENAME
    REPLACE RESET RIGHT ROLLUP ROWS SELECT SET SETS SHOW SIMILAR STATEMENT STOP SYSTEM_TIME TABLE TABLES TEMPORARY THEN TO TRUE
    UNBOUNDED UNION UNNEST USE USING VALUES VIEW VIEWS VIRTUAL WATERMARK WHEN WHERE WINDOW WITH WITHIN
    """.split()  # noqa: SIM905 - a hundred words read better as a text
)

TIME_UNITS: tuple[str, ...] = (
    "SECOND",
    "MINUTE",
    "HOUR",
    "DAY",
    "WEEK",
    "MONTH",
    "QUARTER",
    "YEAR",
)

# Intervals and NULL are keywords elsewhere.
TYPE_NAMES: tuple[str, ...] = tuple(
    kind.value for kind in Kind if " " not in kind.value and kind is not Kind.NULL
)

# Words that only the session understands, each with what it does.
SESSION_COMMANDS: dict[str, str] = {
    "HELP": "what can be typed here",
    "CLEAR": "empties the screen",
    "QUIT": "ends the session; its jobs are stopped and resume when started again",
    "EXIT": "the same as QUIT",
}
