"""The predicates by their classes."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.connect.predicates import has_header_key, record_is_tombstone, topic_name_matches
from headrace.connect.predicates.base import PredicatePlugin

PREDICATES: Mapping[str, PredicatePlugin] = {
    module.PLUGIN.name: module.PLUGIN
    for module in (has_header_key, record_is_tombstone, topic_name_matches)
}
