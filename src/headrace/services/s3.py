"""An S3 endpoint: moto's server in a process of its own. Objects live in its memory and end with it."""

from __future__ import annotations

import sys
from typing import Any, ClassVar

from headrace.services.ports import HOST, accepts_connections
from headrace.services.processes import Launch
from headrace.services.supervisor import Service
from headrace.toolchain.progress import Reporter

BUCKET = "headrace"
REGION = "us-east-1"

# The endpoint accepts any; S3 clients insist on having some.
ACCESS_KEY = "headrace"
SECRET_KEY = "headrace-development"  # noqa: S105


class S3Service(Service):
    name: ClassVar[str] = "s3"
    packages: ClassVar[tuple[str, ...]] = ("moto", "flask", "boto3")
    well_known_port: ClassVar[int | None] = 9000

    @property
    def endpoint(self) -> str:
        return f"http://{self.address}"

    def client(self) -> Any:
        """A boto3 client of this endpoint."""
        return _client(self.address)

    def variables(self) -> dict[str, str]:
        return {
            "S3_ENDPOINT": self.endpoint,
            "S3_BUCKET": BUCKET,
            "AWS_REGION": REGION,
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        }

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        command = [sys.executable, "-m", "moto.server", "-H", HOST, "-p", str(ports["main"])]
        return Launch(command, self.folder, self.log)

    def is_ready(self, address: str) -> bool:
        """Whether it has its bucket; creates it on the first look that is answered."""
        if not accepts_connections(int(address.rpartition(":")[2])):
            return False
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            _client(address).create_bucket(Bucket=BUCKET)
        except (BotoCoreError, ClientError):
            return False
        return True


def _client(address: str) -> Any:
    import boto3

    return boto3.client(
        "s3",
        endpoint_url=f"http://{address}",
        region_name=REGION,
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key=SECRET_KEY,
    )
