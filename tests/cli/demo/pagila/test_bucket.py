import io

import pytest
from rich.console import Console

from headrace.cli.demo.pagila.bucket import Bucket, Object, tree


def drawn(objects):
    stream = io.StringIO()
    Console(file=stream, width=120).print(tree("lake", objects))
    return stream.getvalue()


def test_folders_nest_and_objects_show_their_size():
    text = drawn([Object("topics/a/partition=0/a+0+0000000000.json", 1234)])
    assert [line.strip(" └├─│") for line in text.splitlines()] == [
        "s3://lake  (1 object)",
        "topics/  (1 object)",
        "a/  (1 object)",
        "partition=0/  (1 object)",
        "a+0+0000000000.json  1,234 bytes",
    ]


def test_of_many_folders_some_show_and_the_others_are_counted():
    text = drawn([Object(f"t/country={n:03}/{m}", 1) for n in range(50) for m in range(2)])
    assert "country=002/  (2 objects)" in text
    assert "country=003/" not in text
    assert "… 47 more  (94 objects)" in text


def test_a_few_more_are_shown_rather_than_counted():
    text = drawn([Object(f"t/{n}", 1) for n in range(5)])
    assert "more" not in text
    assert "4  1 bytes" in text


def test_square_brackets_of_a_key_are_no_markup():
    assert "country=[red]x" in drawn([Object("country=[red]x/1", 1)])


def test_an_empty_bucket_is_a_tree_too():
    assert drawn([]).strip() == "s3://lake  (0 objects)"


class FakeS3:
    def __init__(self, objects):
        self.objects = objects

    def get_paginator(self, name):
        assert name == "list_objects_v2"
        return self

    def paginate(self, Bucket, Prefix):
        found = [
            {"Key": key, "Size": len(body)}
            for key, body in sorted(self.objects.items())
            if key.startswith(Prefix)
        ]
        yield {"Contents": found[:1]}
        yield {"Contents": found[1:]}
        yield {}

    def get_object(self, Bucket, Key):
        return {"Body": io.BytesIO(self.objects[Key])}


@pytest.fixture
def bucket():
    objects = {"a/+0.json": b'{"n": 1}\n{"n": 2}\n', "a/+1.json": b'{"n": 3}\n', "b/=x/1": b"PAR1"}
    return Bucket(FakeS3(objects), "lake")


def test_all_pages_are_listed(bucket):
    assert [entry.key for entry in bucket.objects()] == ["a/+0.json", "a/+1.json", "b/=x/1"]
    assert bucket.objects("b/") == [Object("b/=x/1", 4)]


def test_lines_come_in_the_order_of_keys(bucket):
    assert bucket.json_rows("a/") == [{"n": 1}, {"n": 2}, {"n": 3}]


def test_files_have_names_of_their_own(bucket, tmp_path):
    assert bucket.download("b/", tmp_path / "new") == 1
    assert (tmp_path / "new" / "0.parquet").read_bytes() == b"PAR1"


@pytest.mark.parametrize(("entries", "shown"), [(1, 1), (3, 3), (4, 4), (5, 5), (6, 3), (110, 3)])
def test_what_is_not_shown_is_counted(entries, shown):
    text = drawn([Object(f"t/{n:03}.json", 1) for n in range(entries)])
    assert text.count(".json") == shown
    assert (f"… {entries - shown} more" in text) is (entries > shown)


def test_folders_count_what_lies_below_them():
    keys = ["topics/a/x=1/1", "topics/a/x=1/2", "topics/a/x=2/1", "topics/b/1"]
    text = drawn([Object(key, 1) for key in keys])
    assert "topics/  (4 objects)" in text
    assert "a/  (3 objects)" in text
    assert "x=1/  (2 objects)" in text


def test_nothing_below_a_prefix_is_no_row(bucket, tmp_path):
    assert bucket.json_rows("c/") == []
    assert bucket.download("c/", tmp_path / "none") == 0
    assert list((tmp_path / "none").iterdir()) == []
