from __future__ import annotations

import time

import pytest

from headrace.changelog import ChangelogMode
from headrace.connectors.datagen.connector import DatagenConnector
from headrace.errors import InvalidOption
from headrace.types import BIGINT, STRING

COLUMNS = {"id": BIGINT, "name": STRING, "luck": BIGINT}
SEQUENCE = {"fields.id.kind": "sequence", "fields.id.start": "1", "fields.id.end": "2500"}


@pytest.fixture
def datagen(table):
    def make(**options):
        named = {key.replace("_", "-"): value for key, value in options.items()}
        return table({"connector": "datagen"} | named, COLUMNS)

    return make


@pytest.fixture
def sequence(table):
    def make(options):
        return table({"connector": "datagen"} | SEQUENCE | options, COLUMNS)

    return make


def test_an_append_only_source(datagen):
    connector = DatagenConnector()
    assert connector.scan_mode(datagen()) == ChangelogMode.append()
    assert connector.identity(None, datagen()) == {}
    assert connector.metadata({}) == {}
    for refuse in (connector.validate_sink, connector.sink_mode):
        with pytest.raises(InvalidOption, match="cannot be written"):
            refuse(datagen())
    with pytest.raises(InvalidOption, match="can only be read"):
        connector.writer(None, datagen(), [])


def test_bounded_by_number_or_sequence(datagen, sequence):
    connector = DatagenConnector()
    assert not connector.is_bounded(datagen())
    assert connector.is_bounded(datagen(number_of_rows="5"))
    assert connector.is_bounded(sequence({}))


@pytest.mark.parametrize(("option", "text"), [("rows_per_second", "0"), ("number_of_rows", "-1")])
def test_numbers_are_checked(datagen, option, text):
    with pytest.raises(InvalidOption, match=f"'{option.replace('_', '-')}' must be"):
        DatagenConnector().validate(datagen(**{option: text}))
    DatagenConnector().validate(datagen())


@pytest.fixture
def run(spark, tmp_path):
    """Rows of one available-now run, and the number of rows in each of its batches."""

    def start(table, columns, checkpoint="one"):
        batches = []
        query = (
            DatagenConnector()
            .read(spark, table, columns)
            .writeStream.foreachBatch(lambda batch, _: batches.append(batch.collect()))
            .option("checkpointLocation", str(tmp_path / checkpoint))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        return batches

    return start


@pytest.mark.spark
class TestRunning:
    def test_a_sequence_ends_the_job(self, run, sequence):
        batches = run(sequence({"rows-per-second": "1000000"}), ["id", "luck"])
        rows = [row for batch in batches for row in batch]
        assert sorted(row["id"] for row in rows) == list(range(1, 2501))
        assert {row["__weight"] for row in rows} == {1}
        assert len({row["luck"] for row in rows}) == 2500

    def test_only_the_asked_columns(self, spark, datagen):
        frame = DatagenConnector().read(spark, datagen(), ["name", "id"])
        assert frame.columns == ["name", "id", "__weight"]
        assert frame.isStreaming

    def test_the_rate_is_kept(self, run, sequence):
        began = time.monotonic()
        batches = run(sequence({"rows-per-second": "20", "number-of-rows": "30"}), ["id"])
        assert time.monotonic() - began >= 29 / 20
        assert len(batches) > 1
        assert sum(map(len, batches)) == 30

    def test_no_rows(self, run, sequence):
        assert sum(map(len, run(sequence({"number-of-rows": "0"}), ["id"]))) == 0

    def test_a_restart_goes_on_with_the_same_seed(self, spark, run, sequence, tmp_path):
        fast = {"rows-per-second": "1000000"}
        first = run(sequence(fast | {"number-of-rows": "10"}), ["id", "luck"])
        rest = run(sequence(fast), ["id", "luck"])
        ids = [row["id"] for batch in (*first, *rest) for row in batch]
        assert sorted(ids) == list(range(1, 2501))
        seeds = {
            line.rpartition('"seed":')[2]
            for log in (tmp_path / "one" / "offsets").iterdir()
            if log.name.isdigit()
            for line in log.read_text().splitlines()
            if '"seed":' in line
        }
        assert len(seeds) == 1

    def test_two_runs_differ(self, run, sequence):
        options = {"rows-per-second": "1000000", "number-of-rows": "20"}
        one = [row["luck"] for batch in run(sequence(options), ["luck"], "one") for row in batch]
        two = [row["luck"] for batch in run(sequence(options), ["luck"], "two") for row in batch]
        assert not set(one) & set(two)

    @pytest.mark.parametrize(("tasks", "rows", "expected"), [(2, 4000, 2), (4, 100, 1)])
    def test_tasks(self, spark, tmp_path, datagen, tasks, rows, expected):
        made = datagen(**{"scan.parallelism": str(tasks), "number-of-rows": str(rows)})
        made.options["rows-per-second"] = "1000000000"
        sizes = []
        query = (
            DatagenConnector()
            .read(spark, made, ["id"])
            .writeStream.foreachBatch(lambda b, _: sizes.append(b.rdd.getNumPartitions()))
            .option("checkpointLocation", str(tmp_path / "tasks"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        # The clock may split the rows over two batches; the larger one shows the tasks.
        assert max(sizes) == expected
