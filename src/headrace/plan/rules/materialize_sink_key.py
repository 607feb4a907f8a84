"""A sink that is written by another key than the query's keeps the rows of each of its keys, to tell which one counts."""

from __future__ import annotations

from headrace.plan.infer_keys import unique_keys
from headrace.plan.nodes import Conflict, Materialize, Node, Sink, UpsertMaterialize
from headrace.plan.plan import appends


def materialize_sink_key(root: Node) -> Node:
    if not isinstance(root, Sink) or not _needs_it(root):
        return root
    own_key = min(unique_keys(root.input), key=lambda key: (len(key), sorted(key)), default=())
    kept = Materialize(
        root.input,
        root.table.primary_key,
        root.conflict or Conflict.DEDUPLICATE,
        tuple(sorted(own_key)),
        str(root.table.identifier),
    )
    return root.with_inputs((kept,))


def _needs_it(sink: Sink) -> bool:
    if not sink.is_upsert or sink.materialize is UpsertMaterialize.NONE:
        return False
    if sink.materialize is UpsertMaterialize.FORCE:
        return True
    # Rows that only arrive replace each other by key, which is what DEDUPLICATE asks for.
    replaces = sink.conflict in (None, Conflict.DEDUPLICATE) and appends(sink.input)
    return not replaces and may_conflict(sink)


def may_conflict(sink: Sink) -> bool:
    """Whether two rows of the query may share a key of the sink."""
    primary = set(sink.table.primary_key)
    return not any(key <= primary for key in unique_keys(sink.input))
