"""Keys for Amazon's services: of the environment, or of its own chain as boto3 has it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from headrace.errors import EnvironmentFault


class Keys(NamedTuple):
    access: str
    secret: str
    token: str | None = None


def keys_for(service: str, expected: str, environment: Mapping[str, str] = os.environ) -> Keys:
    if environment.get("AWS_ACCESS_KEY_ID"):
        secret = environment.get("AWS_SECRET_ACCESS_KEY", "")
        return Keys(environment["AWS_ACCESS_KEY_ID"], secret, environment.get("AWS_SESSION_TOKEN"))
    return _of_chain(service, expected)


def _of_chain(service: str, expected: str) -> Keys:
    """Files, web identities, containers and machines; boto3 renews those that expire."""
    library = _boto3()
    found = None if library is None else library.Session().get_credentials()
    if found is None:
        raise EnvironmentFault(
            f"there are no credentials for {service}",
            expected=expected,
            cure="set them; with the package boto3, AWS's profiles and roles of machines count as well",
        )
    return _frozen(found)


def _frozen(found: Any) -> Keys:
    frozen = found.get_frozen_credentials()
    return Keys(frozen.access_key, frozen.secret_key, frozen.token)


def keys_of_profile(name: str) -> Keys:
    return _frozen(_required("profiles").Session(profile_name=name).get_credentials())


def keys_of_role(arn: str, session: str, region: str, external_id: str | None) -> Keys:
    """What the role is lent for an hour; asked for again with every token."""
    asked = {"RoleArn": arn, "RoleSessionName": session}
    if external_id:
        asked["ExternalId"] = external_id
    lent = _required("roles").client("sts", region_name=region).assume_role(**asked)["Credentials"]
    return Keys(lent["AccessKeyId"], lent["SecretAccessKey"], lent["SessionToken"])


def _required(wanted: str) -> Any:
    library = _boto3()
    if library is None:
        raise EnvironmentFault(f"AWS's {wanted} need the package boto3", cure="pip install boto3")
    return library


def _boto3() -> Any | None:
    try:
        import boto3
    except ImportError:
        return None
    return boto3
