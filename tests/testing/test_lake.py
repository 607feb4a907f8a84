from __future__ import annotations

from headrace.connect.lake.connector import FolderSink
from headrace.connect.lake.settings import Settings
from headrace.testing.lake import JSON_FORMAT, Lake


def test_options_are_written_with_underscores_and_go_over_the_defaults(tmp_path):
    config = Lake("b:9092", tmp_path).config(flush_size="7", topics="a,b")
    assert config["flush.size"] == "7"
    assert config["topics"] == "a,b"
    assert config["format.class"] == JSON_FORMAT
    assert config["connector.class"] == FolderSink.class_name


def test_what_it_configures_is_a_connector_that_can_be_made(tmp_path):
    config = Lake("b:9092", tmp_path).config(topics="a")
    assert Settings.of(FolderSink.config(), config)["flush.size"] == 3


def test_every_lake_is_another_connector_with_its_state_in_the_folder(tmp_path):
    one, other = Lake("b:9092", tmp_path), Lake("b:9092", tmp_path)
    assert one.name != other.name
    assert one.context().worker["headrace.state.dir"].startswith(str(tmp_path))


def test_files_are_named_from_the_root_and_what_is_hidden_is_left_out(tmp_path):
    lake = Lake("b:9092", tmp_path)
    for name in ("topics/a/1.json", "topics/a/.headrace/open.json"):
        file = tmp_path / "lake" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"{}")
    assert lake.files() == {"topics/a/1.json": b"{}"}
