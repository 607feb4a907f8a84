"""The login of a whole session: settings of Kerberos become options of the Java that Spark runs in."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from headrace.connectors.kafka.jaas import keytab_login
from headrace.errors import EnvironmentFault, InvalidOption
from headrace.runtime.config import Config, is_cluster
from headrace.runtime.session import log_file

PRINCIPAL = "security.kerberos.login.principal"
KEYTAB = "security.kerberos.login.keytab"
CONTEXTS = "security.kerberos.login.contexts"
CONFIGURATIONS = ("security.kerberos.krb5-conf.path", "security.kerberos.login.conf")


def with_login(config: Config) -> dict[str, str]:
    """Spark's settings; its processes, here and elsewhere, know the login and where Kerberos is."""
    settings = dict(config.spark_settings())
    options = list(_java_options(config))
    processes = ("driver", "executor") if is_cluster(settings) else ("driver",)
    for name in (f"spark.{process}.extraJavaOptions" for process in processes if options):
        settings[name] = f"{shlex.join(options)} {settings.get(name, '')}".strip()
    return settings


def _java_options(config: Config) -> Iterator[str]:
    configuration = next(filter(config.get, CONFIGURATIONS), None)
    if configuration is not None:
        yield f"-Djava.security.krb5.conf={_file(config, configuration)}"
    if config.get(PRINCIPAL) or config.get(KEYTAB):
        yield f"-Djava.security.auth.login.config={_logins(config)}"


def _logins(config: Config) -> Path:
    """A file beside Spark's log, and gone with it: it names the keytab and holds no secret."""
    for given, lacking in ((PRINCIPAL, KEYTAB), (KEYTAB, PRINCIPAL)):
        if not config.get(lacking):
            raise InvalidOption(
                f"'{given}' needs '{lacking}'",
                found=f"'{given}' = '{config.get(given)}'",
                cure=f"SET '{lacking}' = '…'",
            )
    login = keytab_login(config.get(PRINCIPAL), str(_file(config, KEYTAB)))
    names = filter(None, map(str.strip, config.get(CONTEXTS).split(",")))
    file = log_file().with_suffix(".jaas")
    file.write_text("".join(f"{name} {{ {login} }};\n" for name in names), encoding="utf-8")
    return file


def _file(config: Config, key: str) -> Path:
    path = Path(config.get(key)).expanduser().absolute()
    if not path.is_file():
        raise EnvironmentFault(
            f"the file of '{key}' cannot be used",
            condition="INVALID_CREDENTIALS",
            where=str(path),
            found="no such file",
            cure=f"SET '{key}' = '/path/to/{path.name}'",
        )
    return path
