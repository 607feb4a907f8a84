import pytest

from headrace.connectors.blackhole import BlackholeConnector
from headrace.errors import InvalidOption


def test_it_has_no_options(table):
    BlackholeConnector().validate(table({"connector": "blackhole"}))
    with pytest.raises(InvalidOption, match="does not support the option 'x'"):
        BlackholeConnector().validate(table({"connector": "blackhole", "x": "1"}))


@pytest.mark.spark
def test_every_row_is_computed_once(spark, table):
    seen = spark.sparkContext.accumulator(0)

    def count(line):
        seen.add(1)
        return line

    rows = spark.sparkContext.parallelize([(n, 1) for n in range(20)], 2).map(count)
    batch = spark.createDataFrame(rows, "id BIGINT, __weight BIGINT")
    writer = BlackholeConnector().writer(spark, table({"connector": "blackhole"}), ["id"])
    writer.call(batch._jdf, 0)
    assert seen.value == 20


@pytest.mark.spark
def test_a_failing_row_is_noticed(spark, table):
    batch = spark.sql("SELECT raise_error('bad row') AS id, 1L AS __weight")
    writer = BlackholeConnector().writer(spark, table({"connector": "blackhole"}), ["id"])
    with pytest.raises(Exception, match="bad row"):
        writer.call(batch._jdf, 0)
