from __future__ import annotations

import zipfile
from typing import ClassVar

import pytest

from headrace.connect.java.plugins import BUNDLED, JavaPlugin, JavaPlugins
from headrace.connect.plugins import Kind

SOURCE = "META-INF/services/org.apache.kafka.connect.source.SourceConnector"
SINK = "META-INF/services/org.apache.kafka.connect.sink.SinkConnector"


@pytest.fixture
def make_jar(tmp_path):
    def make(place: str, **entries: str):
        jar = tmp_path / place
        jar.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(jar, "w") as archive:
            for name, text in entries.items():
                archive.writestr(name, text)
        return jar

    return make


class TestBundled:
    def test_debezium_is_known_without_a_path(self):
        assert JavaPlugins().connectors == list(BUNDLED)

    @pytest.mark.parametrize(
        "name",
        ["io.debezium.connector.postgresql.PostgresConnector", "PostgresConnector", "Postgres"],
    )
    def test_by_each_of_its_names(self, name):
        assert JavaPlugins().has(name)

    def test_nothing_else_is(self):
        assert not JavaPlugins().has("io.debezium.connector.mysql.MySqlConnector")
        assert not JavaPlugins().has("")


class TestPath:
    def test_jars_declare_their_connectors(self, make_jar, tmp_path):
        make_jar(
            "plugins/one/lib/one.jar",
            **{
                SOURCE: "# ours\norg.one.ASource # the first\n\norg.one.BSourceConnector\n",
                SINK: "org.one.Sink",
                "META-INF/MANIFEST.MF": "Manifest-Version: 1.0\r\nImplementation-Version: 7.1\r\n",
            },
        )
        found = JavaPlugins(f"{tmp_path}/plugins").connectors[1:]
        assert set(found) == {
            JavaPlugin("org.one.ASource", Kind.SOURCE, "7.1"),
            JavaPlugin("org.one.BSourceConnector", Kind.SOURCE, "7.1"),
            JavaPlugin("org.one.Sink", Kind.SINK, "7.1"),
        }

    def test_several_folders_and_single_jars(self, make_jar, tmp_path):
        make_jar("a/x.jar", **{SOURCE: "org.A"})
        jar = make_jar("b/y.jar", **{SOURCE: "org.B"})
        plugins = JavaPlugins(f" {tmp_path}/a , {jar},")
        assert [plugin.class_name for plugin in plugins.connectors[1:]] == ["org.A", "org.B"]

    def test_a_folder_that_is_not_there_offers_nothing(self, tmp_path):
        assert JavaPlugins(f"{tmp_path}/none").connectors == list(BUNDLED)

    def test_jars_that_declare_nothing_are_known_by_their_classes(self, make_jar, tmp_path):
        make_jar("old.jar", **{"org/old/ThingConnector.class": "", "org/old/Helper.class": ""})
        plugins = JavaPlugins(str(tmp_path))
        assert plugins.has("org.old.ThingConnector")
        assert not plugins.has("org.old.Helper")
        assert plugins.connectors == list(BUNDLED)

    def test_a_class_is_listed_once(self, make_jar, tmp_path):
        make_jar("1/a.jar", **{SOURCE: BUNDLED[0].class_name})
        make_jar("2/a.jar", **{SOURCE: BUNDLED[0].class_name})
        assert JavaPlugins(str(tmp_path)).connectors == list(BUNDLED)


def test_versions_are_shown_where_they_are_known():
    assert JavaPlugin("a.B", Kind.SINK).to_json() == {"class": "a.B", "type": "sink"}
    assert JavaPlugin("a.B", Kind.SOURCE, "1").to_json() == {
        "class": "a.B",
        "type": "source",
        "version": "1",
    }


class TestJarSets:
    AVRO: ClassVar = {
        "connector.class": "org.one.Sink",
        "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
    }

    def test_converters_and_logins_need_sets_of_their_own(self):
        login = {"consumer.override.sasl.mechanism": "AWS_MSK_IAM"}
        assert JavaPlugins().jar_sets(self.AVRO | login) == ["avro-converter", "msk-iam"]

    def test_what_is_in_the_path_is_not_needed(self, make_jar, tmp_path):
        make_jar(
            "converter.jar", **{"io/apicurio/registry/utils/converter/AvroConverter.class": ""}
        )
        assert JavaPlugins(str(tmp_path)).jar_sets(self.AVRO) == []
