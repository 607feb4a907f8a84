from __future__ import annotations

from pathlib import Path

from headrace.connect.java.properties import java_properties
from headrace.connect.settings import load


def made(**given: str) -> dict[str, str]:
    named = {name.replace("_", "."): text for name, text in given.items()}
    settings = load(None, {"bootstrap.servers": "broker:9092", **named})
    return java_properties(settings, 4711, [Path("/a"), Path("/b")])


class TestApart:
    def test_group_and_topics_are_its_own(self):
        found = made(group_id="etl", config_storage_topic="etl-configs")
        assert found["group.id"] == "etl-java"
        assert found["config.storage.topic"] == "etl-configs-java"
        assert found["offset.storage.topic"] == "connect-offsets-java"
        assert found["status.storage.topic"] == "connect-status-java"

    def test_the_topics_have_the_shape_of_ours(self):
        found = made(offset_storage_partitions="3", status_storage_replication_factor="2")
        assert found["offset.storage.partitions"] == "3"
        assert found["status.storage.partitions"] == "5"
        assert found["status.storage.replication.factor"] == "2"
        assert found["config.storage.replication.factor"] == "-1"
        assert "config.storage.partitions" not in found

    def test_it_listens_on_this_machine_alone(self):
        found = made(
            listeners="http://0.0.0.0:8083",
            rest_advertised_host_name="public",
            admin_listeners="",
        )
        assert found["listeners"] == "http://127.0.0.1:4711"
        assert found["rest.advertised.host.name"] == "127.0.0.1"
        assert found["rest.advertised.port"] == "4711"
        assert "admin.listeners" not in found

    def test_callers_need_a_login(self):
        assert made()["rest.extension.classes"].endswith("BasicAuthSecurityRestExtension")

    def test_plugins_lie_where_it_is_told(self):
        assert made(plugin_path="/user")["plugin.path"] == "/a,/b"


class TestInherited:
    def test_clients_and_other_settings(self):
        found = made(
            security_protocol="SASL_SSL",
            producer_linger_ms="5",
            offset_flush_interval_ms="1000",
            exactly_once_source_support="enabled",
        )
        assert found["bootstrap.servers"] == "broker:9092"
        assert found["security.protocol"] == "SASL_SSL"
        assert found["producer.linger.ms"] == "5"
        assert found["offset.flush.interval.ms"] == "1000"
        assert found["exactly.once.source.support"] == "enabled"

    def test_converters_with_their_options(self):
        found = made(value_converter="org.x.C", value_converter_schemas_enable="false")
        assert found["value.converter"] == "org.x.C"
        assert found["value.converter.schemas.enable"] == "false"
        assert found["key.converter"] == "org.apache.kafka.connect.json.JsonConverter"

    def test_a_lone_member_does_not_wait_for_others(self):
        assert made()["scheduled.rebalance.max.delay.ms"] == "0"
        assert made(scheduled_rebalance_max_delay_ms="7")["scheduled.rebalance.max.delay.ms"] == "7"


class TestProviders:
    def test_the_usual_ones_need_no_declaration(self):
        found = made()
        assert found["config.providers"] == "env,file,dir,directory"
        assert found["config.providers.env.class"].endswith("EnvVarConfigProvider")
        assert found["config.providers.dir.class"].endswith("DirectoryConfigProvider")

    def test_declared_ones_keep_their_class_and_parameters(self):
        found = made(
            config_providers="file",
            config_providers_file_class="org.apache.kafka.common.config.provider.EnvVarConfigProvider",
            config_providers_file_param_allowlist_pattern="DB_.*",
        )
        assert found["config.providers"] == "file,env,dir,directory"
        assert found["config.providers.file.class"].endswith("EnvVarConfigProvider")
        assert found["config.providers.file.param.allowlist.pattern"] == "DB_.*"
