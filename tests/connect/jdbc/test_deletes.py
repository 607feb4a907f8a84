from __future__ import annotations

from types import SimpleNamespace

import pytest

from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.deletes import KeyCompare
from headrace.connect.jdbc.predicates import Columns
from headrace.connect.jdbc.tables import Source
from headrace.connect.jdbc.types import Field, TypeSettings
from headrace.errors import InvalidOption, UnknownName


def source(*key: str, name: str = "t") -> Source:
    fields = tuple(Field(column, f'"{column}"', None, None) for column in ("id", "name"))  # type: ignore[arg-type]
    table = TableId(None, "public", name)
    return Source(table, '"t"', "t", fields, Columns(), key, "", TypeSettings.of({}))


def test_a_table_without_a_key_is_refused_with_the_cure(tmp_path):
    with pytest.raises(InvalidOption) as caught:
        KeyCompare.of(source(), tmp_path, 1000)
    assert caught.value.condition == "NO_KEY_TO_COMPARE"
    assert "headrace.delete.detection.keys" in str(caught.value.cure)


def test_a_key_that_is_no_column_is_named_with_the_nearest(tmp_path):
    with pytest.raises(UnknownName) as caught:
        KeyCompare.of(source("nam"), tmp_path, 1000)
    assert "name" in caught.value.render()


def test_tables_and_keys_have_folders_of_their_own(tmp_path):
    made = [source("id"), source("name"), source("id", name="u")]
    folders = {KeyCompare.of(item, tmp_path, 1000).folder for item in made}
    assert len(folders) == 3
    assert all(folder.parent == tmp_path for folder in folders)


def test_comparisons_are_numbered_and_leave_only_the_last(tmp_path):
    compare = KeyCompare.of(source("id"), tmp_path, 60_000)
    assert compare.number == 0
    for folder in ("keys-0", "sent-0", "keys-1"):
        (compare.folder / folder).mkdir(parents=True)
    compare.finish()
    assert compare.number == 1
    assert sorted(path.name for path in compare.folder.iterdir()) == ["current", "keys-1"]
    assert compare.due > 0


def test_a_crash_before_the_end_leaves_the_comparison_before(tmp_path):
    compare = KeyCompare.of(source("id"), tmp_path, 60_000)
    compare.folder.mkdir()
    (compare.folder / "current.new").write_text("1")
    assert compare.number == 0


def test_only_whole_files_are_known(tmp_path):
    """Spark marks a folder that it has written to the end."""
    compare = KeyCompare.of(source("id"), tmp_path, 60_000)
    read: list[tuple[str, ...]] = []
    session = SimpleNamespace(read=SimpleNamespace(parquet=lambda *names: read.append(names)))
    (compare.folder / "sent-0").mkdir(parents=True)
    assert compare._known(session, 0) is None
    (compare.folder / "sent-0" / "_SUCCESS").touch()
    compare._known(session, 0)
    assert read == [(str(compare.folder / "sent-0"),)]
