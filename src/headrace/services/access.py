"""Who may do what on a broker with an authorizer: users of SCRAM and access rules, told through a super user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["topic", "group", "transactional-id"]

# A broker that is up answers in milliseconds.
ANSWER_SECONDS = 20.0

# What the standard asks for at least; more would only make a development login slower.
_ITERATIONS = 4096


@dataclass(frozen=True, slots=True)
class Rule:
    """Operations (READ, WRITE, DESCRIBE, CREATE …) on what is called `name`, or on all whose names begin with it."""

    kind: Kind
    name: str
    operations: tuple[str, ...]
    prefixed: bool = False


def set_passwords(client: Mapping[str, str], passwords: Mapping[str, str]) -> None:
    """Users of SCRAM, for both mechanisms."""
    library = _library()
    # Named, since the answer never comes once the client is garbage.
    admin = _admin(client)
    # One request for each: the broker takes a user once in a request.
    for kind in (library.ScramMechanism.SCRAM_SHA_256, library.ScramMechanism.SCRAM_SHA_512):
        form = library.ScramCredentialInfo(kind, _ITERATIONS)
        wanted = [
            library.UserScramCredentialUpsertion(user, form, password.encode())
            for user, password in passwords.items()
        ]
        _await(admin.alter_user_scram_credentials(wanted))


def allow(client: Mapping[str, str], user: str, rules: Iterable[Rule]) -> None:
    """Lets a user do what any of the rules says."""
    wanted = [_binding(user, rule, operation) for rule in rules for operation in rule.operations]
    admin = _admin(client)
    _await(admin.create_acls(list(dict.fromkeys(wanted))))


def _library() -> Any:
    """Needed by those alone who have a broker of this kind."""
    import confluent_kafka.admin

    return confluent_kafka.admin


def _admin(client: Mapping[str, str]) -> Any:
    # Its remarks on connections would fill the terminal; the call itself says whether it succeeded.
    return _library().AdminClient({**client, "log_level": 0})


def _binding(user: str, rule: Rule, operation: str) -> Any:
    library = _library()
    return library.AclBinding(
        library.ResourceType[rule.kind.upper().replace("-", "_")],
        rule.name,
        library.ResourcePatternType.PREFIXED
        if rule.prefixed
        else library.ResourcePatternType.LITERAL,
        f"User:{user}",
        "*",
        library.AclOperation[operation],
        library.AclPermissionType.ALLOW,
    )


def _await(answers: Mapping[Any, Any]) -> None:
    for answer in answers.values():
        answer.result(ANSWER_SECONDS)
