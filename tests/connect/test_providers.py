from __future__ import annotations

import pytest

from headrace.connect.providers import configured, has_reference, properties
from headrace.errors import InvalidOption


@pytest.fixture
def secrets(tmp_path):
    (tmp_path / "db.properties").write_text("user=anna\npassword = s3cret!\n")
    (tmp_path / "token").write_text("t0ken-value")
    return tmp_path


def test_references_are_replaced(secrets, monkeypatch):
    monkeypatch.setenv("CONNECT_TEST_HOST", "db.example")
    config = {
        "url": f"jdbc:postgresql://${{env:CONNECT_TEST_HOST}}:5432/${{file:{secrets}/db.properties:user}}",
        "password": f"${{file:{secrets}/db.properties:password}}",
        "token": f"${{dir:{secrets}:token}}",
        "plain": "text",
    }
    assert configured({}).resolve(config) == {
        "url": "jdbc:postgresql://db.example:5432/anna",
        "password": "s3cret!",
        "token": "t0ken-value",
        "plain": "text",
    }


@pytest.mark.parametrize("text", ["${topic}", "${vault:a:b}", "$5", "{x}", "${}"])
def test_what_no_provider_answers_to_stays(text):
    assert configured({}).resolve({"x": text}) == {"x": text}


@pytest.mark.parametrize(
    "reference",
    ["${env:CONNECT_NOT_SET}", "${file:/no/such:key}", "${dir:/no/such:key}", "${dir:/tmp:../x}"],
)
def test_what_is_not_there_is_told_with_the_option(reference):
    with pytest.raises(InvalidOption, match="option 'password'") as caught:
        configured({}).resolve({"password": reference})
    assert caught.value.where == reference


def test_resolved_values_are_hidden_from_then_on(secrets):
    providers = configured({})
    reference = f"${{file:{secrets}/db.properties:password}}"
    assert providers.hide("s3cret! failed") == "s3cret! failed"
    providers.resolve({"p": reference})
    assert providers.hide("login s3cret! failed") == "login [hidden] failed"


def test_short_values_are_not_looked_for(monkeypatch):
    monkeypatch.setenv("CONNECT_TEST_DIGIT", "1")
    providers = configured({})
    providers.resolve({"p": "${env:CONNECT_TEST_DIGIT}"})
    assert providers.hide("line 1 of 10") == "line 1 of 10"


class TestDeclared:
    def test_other_names_and_allowed_paths(self, secrets):
        prefix = "org.apache.kafka.common.config.provider."
        settings = {
            "config.providers": "safe, folder",
            "config.providers.safe.class": f"{prefix}FileConfigProvider",
            "config.providers.safe.param.allowed.paths": str(secrets),
            "config.providers.folder.class": f"{prefix}DirectoryConfigProvider",
        }
        providers = configured(settings)
        references = {
            "a": f"${{safe:{secrets}/db.properties:user}}",
            "b": f"${{folder:{secrets}:token}}",
        }
        assert providers.resolve(references) == {"a": "anna", "b": "t0ken-value"}
        with pytest.raises(InvalidOption):
            providers.resolve({"a": "${safe:/etc/hostname:x}"})
        with pytest.raises(InvalidOption):
            providers.resolve({"a": f"${{safe:{secrets}/../other.properties:x}}"})

    def test_an_allowlist_of_variables(self, monkeypatch):
        monkeypatch.setenv("CONNECT_OPEN", "yes!")
        monkeypatch.setenv("CONNECT_CLOSED", "no!!")
        settings = {
            "config.providers": "env",
            "config.providers.env.class": "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
            "config.providers.env.param.allowlist.pattern": "CONNECT_O.*",
        }
        providers = configured(settings)
        assert providers.resolve({"a": "${env:CONNECT_OPEN}"}) == {"a": "yes!"}
        with pytest.raises(InvalidOption):
            providers.resolve({"a": "${env:CONNECT_CLOSED}"})

    def test_an_allowlist_that_is_no_expression(self):
        settings = {
            "config.providers": "env",
            "config.providers.env.class": "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
            "config.providers.env.param.allowlist.pattern": "A(",
        }
        with pytest.raises(InvalidOption, match=r"allowlist\.pattern") as raised:
            configured(settings)
        assert raised.value.found == "'A(': Unclosed group near index 2"

    def test_a_class_that_is_not_known(self):
        settings = {"config.providers": "vault", "config.providers.vault.class": "com.Vault"}
        with pytest.raises(InvalidOption, match="config provider 'vault'"):
            configured(settings)


def test_has_reference():
    assert has_reference("a ${file:/x:y} b")
    assert not has_reference("${topic}")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a=1", {"a": "1"}),
        ("a = 1 ", {"a": "1 "}),
        ("a: 1", {"a": "1"}),
        ("a 1", {"a": "1"}),
        ("a=b=c", {"a": "b=c"}),
        ("a.b\\:c=1", {"a.b:c": "1"}),
        ("# no\n! no\n\n  a=1", {"a": "1"}),
        ("a=1,\\\n   2", {"a": "1,2"}),
        ("a=\\u00e9\\t\\\\", {"a": "é\t\\"}),
        ("a", {"a": ""}),
        ("a=1\na=2", {"a": "2"}),
    ],
)
def test_properties(text, pairs):
    assert properties(text) == pairs
