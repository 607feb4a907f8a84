"""Tables, columns, options and the in-memory catalog."""

from headrace.catalog.catalog import Catalog

__all__ = ["Catalog"]
