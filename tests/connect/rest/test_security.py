from __future__ import annotations

import base64
import ssl

import pytest

from headrace.connect.rest.security import BasicLogin, client_context, login, server_context
from headrace.connect.settings import BASIC_AUTH, load
from headrace.errors import InvalidOption


def header(text: str) -> str:
    return f"Basic {base64.b64encode(text.encode()).decode()}"


class TestBasicLogin:
    @pytest.fixture
    def jaas(self, tmp_path):
        users = tmp_path / "users.properties"
        users.write_text("# people\nanna=s3cret\nbert: p:w=x\n")
        file = tmp_path / "jaas.conf"
        file.write_text(
            "KafkaConnect {\n  org.apache.kafka.connect.rest.basic.auth.extension.PropertyFileLoginModule "
            f'required\n  file="{users}";\n}};\n'
        )
        return file

    def settings(self, **given: str):
        names = {name.replace("_", "."): value for name, value in given.items()}
        return load(
            None, {"bootstrap.servers": "b:1", "rest.extension.classes": BASIC_AUTH, **names}
        )

    def test_users_of_the_file_are_admitted(self, jaas):
        found = login(self.settings(java_security_auth_login_config=str(jaas)))
        assert found.admits(header("anna:s3cret"))
        assert found.admits(header("bert:p:w=x"))

    @pytest.mark.parametrize(
        "text",
        [
            None,
            "",
            header("anna:wrong"),
            header("carl:"),
            header("carl:s3cret"),
            header("anna"),
            "Bearer x",
            "Basic !!!",
            "Basic /w==",
        ],
    )
    def test_others_are_not(self, jaas, text):
        found = login(self.settings(java_security_auth_login_config=str(jaas)))
        assert not found.admits(text)

    def test_javas_options_name_the_file_too(self, jaas, monkeypatch):
        monkeypatch.setenv("KAFKA_OPTS", f"-Xmx1g -Djava.security.auth.login.config={jaas}")
        assert login(self.settings()).users["anna"] == "s3cret"

    def test_without_the_extension_there_is_none(self):
        assert login(load(None, {"bootstrap.servers": "b:1"})) is None

    def test_a_file_without_users_lets_everybody_in(self):
        assert BasicLogin({}).admits(None)

    def test_a_missing_file_is_told(self, monkeypatch, tmp_path):
        monkeypatch.delenv("KAFKA_OPTS", raising=False)
        with pytest.raises(InvalidOption, match="no file of users"):
            login(self.settings())
        with pytest.raises(InvalidOption, match="cannot be read"):
            login(self.settings(java_security_auth_login_config=str(tmp_path / "no")))

    def test_a_file_for_somebody_else_is_told(self, tmp_path):
        file = tmp_path / "jaas.conf"
        file.write_text("KafkaClient { some.Module required; };")
        with pytest.raises(InvalidOption, match="no login for the worker"):
            login(self.settings(java_security_auth_login_config=str(file)))


class TestTls:
    def settings(self, certificate, **given: str):
        prefix = "listeners.https.ssl."
        names = {prefix + name.replace("_", "."): value for name, value in given.items()}
        return load(
            None,
            {
                "bootstrap.servers": "b:1",
                "listeners": "https://127.0.0.1:0",
                f"{prefix}keystore.location": str(certificate),
                **names,
            },
        )

    def test_callers_may_have_to_show_a_certificate(self, certificate):
        trusted = {"truststore_location": str(certificate)}
        for word, mode in (
            ("none", ssl.CERT_NONE),
            ("requested", ssl.CERT_OPTIONAL),
            ("required", ssl.CERT_REQUIRED),
        ):
            settings = self.settings(certificate, client_authentication=word, **trusted)
            assert server_context(settings).verify_mode == mode

    def test_towards_other_workers_names_are_checked(self, certificate):
        settings = self.settings(
            certificate, client_authentication="required", truststore_location=str(certificate)
        )
        context = client_context(settings)
        assert (context.check_hostname, context.verify_mode) == (True, ssl.CERT_REQUIRED)

    def test_a_file_that_is_no_certificate(self, tmp_path):
        file = tmp_path / "not.pem"
        file.write_text("nothing")
        for path in (file, tmp_path / "away.pem"):
            with pytest.raises(InvalidOption, match="cannot be used"):
                server_context(self.settings(path, keystore_type="PEM"))

    def test_a_key_without_its_certificate(self, tmp_path, certificate):
        file = tmp_path / "key.pem"
        text = certificate.read_text()
        file.write_text(text[: text.index("-----BEGIN CERTIFICATE-----")])
        with pytest.raises(InvalidOption, match="cannot be used"):
            server_context(self.settings(file))
