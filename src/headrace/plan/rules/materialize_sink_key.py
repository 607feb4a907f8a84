"""A sink that is written by another key than the query's keeps the rows of each of its keys, to tell which one counts."""

from __future__ import annotations

from headrace.plan.infer_keys import unique_keys
from headrace.plan.nodes import Materialize, Node, Sink
from headrace.plan.plan import appends


def materialize_sink_key(root: Node) -> Node:
    if not isinstance(root, Sink) or not _needs_it(root):
        return root
    return root.with_inputs((Materialize(root.input, root.table.primary_key),))


def _needs_it(sink: Sink) -> bool:
    if not sink.table.connector.sink_mode(sink.table).is_upsert:
        return False
    primary = set(sink.table.primary_key)
    return not appends(sink.input) and not any(k <= primary for k in unique_keys(sink.input))
