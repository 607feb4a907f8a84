from pathlib import Path

import pytest

from headrace.errors import EnvironmentFault, InvalidOption
from headrace.runtime.config import Config
from headrace.runtime.kerberos import CONFIGURATIONS, CONTEXTS, KEYTAB, PRINCIPAL, with_login
from headrace.runtime.session import _all_settings, log_file

FLINKS, VENDORS = CONFIGURATIONS
DRIVER = "spark.driver.extraJavaOptions"


@pytest.fixture
def files(headrace_home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("own.keytab", "krb5.conf", "other.conf"):
        (tmp_path / name).touch()
    return tmp_path


def words(settings, name=DRIVER):
    return dict(word.removeprefix("-D").split("=", 1) for word in settings[name].split())


def test_without_a_login_sparks_settings_are_as_they_are():
    assert with_login(Config({"spark.master": "local[2]"})) == {"spark.master": "local[2]"}


def test_java_is_told_of_the_login_and_of_kerberos(files):
    config = Config(
        {PRINCIPAL: "hadoop/h@SHOP", KEYTAB: "own.keytab", VENDORS: "krb5.conf", DRIVER: "-Down=1"}
    )
    told = words(with_login(config))
    assert told.keys() == {"java.security.krb5.conf", "java.security.auth.login.config", "own"}
    assert told["java.security.krb5.conf"] == str(files / "krb5.conf")
    logins = Path(told["java.security.auth.login.config"])
    assert logins == log_file().with_suffix(".jaas")
    text = logins.read_text()
    assert text.startswith("KafkaClient { com.sun.security.auth.module.Krb5LoginModule required ")
    assert f'keyTab="{files / "own.keytab"}" principal="hadoop/h@SHOP"; }};' in text


def test_the_session_takes_the_file_of_the_setting_and_not_of_the_variable(files, monkeypatch):
    monkeypatch.setenv("KRB5_CONFIG", "/etc/other.conf")
    settings = _all_settings(with_login(Config({VENDORS: "krb5.conf"})), [], "")
    told = [word for word in settings[DRIVER].split() if "krb5" in word]
    assert told == [f"-Djava.security.krb5.conf={files / 'krb5.conf'}"]


def test_flinks_name_of_the_file_counts(files):
    told = words(with_login(Config({VENDORS: "krb5.conf", FLINKS: "other.conf"})))
    assert told == {"java.security.krb5.conf": str(files / "other.conf")}


def test_every_context_is_a_login(files):
    config = Config({PRINCIPAL: "a@SHOP", KEYTAB: "own.keytab", CONTEXTS: "Client, KafkaClient"})
    logins = Path(words(with_login(config))["java.security.auth.login.config"])
    assert [line.split()[0] for line in logins.read_text().splitlines()] == [
        "Client",
        "KafkaClient",
    ]


@pytest.mark.parametrize(
    ("master", "told"), [("local[2]", {DRIVER}), ("spark://h:7077", {DRIVER, "spark.executor.extraJavaOptions"})]
)  # fmt: skip
def test_executors_of_a_cluster_are_told_too(files, master, told):
    settings = with_login(Config({"spark.master": master, VENDORS: "krb5.conf"}))
    assert {name for name in settings if "extraJavaOptions" in name} == told
    assert all(words(settings, name)["java.security.krb5.conf"] for name in told)


@pytest.mark.parametrize(("given", "lacking"), [(PRINCIPAL, KEYTAB), (KEYTAB, PRINCIPAL)])
def test_one_needs_the_other(files, given, lacking):
    with pytest.raises(InvalidOption) as caught:
        with_login(Config({given: "own.keytab"}))
    assert caught.value.summary == f"'{given}' needs '{lacking}'"
    assert caught.value.cure == f"SET '{lacking}' = '…'"


def test_a_file_that_is_not_there_is_named(files):
    with pytest.raises(EnvironmentFault) as caught:
        with_login(Config({PRINCIPAL: "a@SHOP", KEYTAB: "gone.keytab"}))
    assert caught.value.condition == "INVALID_CREDENTIALS"
    assert caught.value.where == str(files / "gone.keytab")
    assert KEYTAB in caught.value.summary
