"""`headrace demo`: pipelines to look at, on services of their own that are gone afterwards."""

from headrace.cli.demo.commands import command

__all__ = ["command"]
