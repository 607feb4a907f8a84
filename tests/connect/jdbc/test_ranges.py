from __future__ import annotations

from types import SimpleNamespace

import pytest

from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.predicates import Columns
from headrace.connect.jdbc.ranges import split


def table(position=Columns((), '"id"'), suffix="", id=TableId(None, "s", "t"), stored=True):  # noqa: B008
    return SimpleNamespace(id=id, origin='"s"."t"', position=position, suffix=suffix, stored=stored)


def link(postgres: bool):
    context = SimpleNamespace(defaultParallelism=2)
    return SimpleNamespace(
        is_postgres=postgres,
        session=SimpleNamespace(sparkContext=context),
        dialect=SimpleNamespace(quoted=lambda name: f'"{name}"'),
    )


def answering(*row: object):
    return SimpleNamespace(rows=lambda *asked: [list(row)])


class TestPlaces:
    def parts(self, blocks: int | None, version: int = 160000) -> list[str]:
        return [part.sql for part in split(link(True), answering(blocks, version), table())]

    @pytest.mark.parametrize("blocks", [None, 0, 100, 2047])
    def test_a_short_table_is_one_query(self, blocks):
        assert self.parts(blocks) == []

    def test_before_14_every_part_would_read_everything(self):
        assert self.parts(100_000, 130012) == []

    def test_the_parts_follow_each_other_and_the_last_is_open(self):
        parts = self.parts(4000)
        assert parts[0] == (
            '"s"."t".ctid >= CAST(\'(0,0)\' AS tid) AND "s"."t".ctid < CAST(\'(1000,0)\' AS tid)'
        )
        assert len(parts) == 4
        assert "<" not in parts[-1]
        ends = [part.partition("< CAST('(")[2].partition(",")[0] for part in parts[:-1]]
        starts = [part.partition(">= CAST('(")[2].partition(",")[0] for part in parts[1:]]
        assert ends == starts

    def test_long_tables_have_parts_of_64_megabytes(self):
        assert len(self.parts(81920)) == 10


class TestNumbers:
    def parts(self, low: object, high: object, position=Columns((), '"id"')) -> list[str]:  # noqa: B008
        found = split(link(False), answering(low, high), table(position))
        return [part.sql for part in found]

    def test_few_numbers_or_none_are_one_query(self):
        assert self.parts(None, None) == []
        assert self.parts(1, 1000) == []

    def test_without_a_number_there_is_nothing_to_split_by(self):
        assert self.parts(1, 10**7, Columns(('"at"',))) == []

    def test_every_number_is_in_one_part(self):
        parts = self.parts(1, 1_600_000)
        assert len(parts) == 16
        assert parts[0] == '"id" >= 1 AND "id" < 100001'
        assert parts[-1] == '"id" >= 1500001'


def test_queries_views_and_suffixes_are_not_split():
    many = answering(10**6, 160000)
    assert split(link(True), many, table(id=None)) == []
    assert split(link(True), many, table(suffix=" LIMIT 5")) == []
    assert split(link(True), many, table(stored=False)) == []
