"""Upserts copied to an upsert sink of the same key need no state: the sink's readers apply them.

A filter between needs the old row (leaving it is a delete), and a metadata column must show the stored row's value on
a delete, so both keep the Normalize. Neither holds for metadata that are the same in all changes of a row.
"""

from __future__ import annotations

from dataclasses import replace

from headrace.plan.infer_keys import unique_keys
from headrace.plan.nodes import Filter, Node, Normalize, Project, Scan, Sink, UpsertMaterialize


def drop_needless_normalize(root: Node) -> Node:
    if not isinstance(root, Sink) or not _takes_upserts_by_input_key(root):
        return root
    return root.with_inputs((_drop_below_projects(root.input),))


def _takes_upserts_by_input_key(sink: Sink) -> bool:
    if not sink.is_upsert or sink.materialize is UpsertMaterialize.FORCE:
        return False
    return frozenset(sink.table.primary_key) in unique_keys(sink.input)


def _drop_below_projects(node: Node) -> Node:
    match node:
        case Project():
            return node.with_inputs((_drop_below_projects(node.input),))
        case Normalize(input=Scan() as scan) if not _reads_changing_metadata(scan):
            return replace(scan, every_change=True)
        # Below a Normalize stand only conditions on such metadata.
        case Normalize(input=Filter(input=Scan() as scan) as chosen):
            if not _reads_changing_metadata(scan):
                return chosen.with_inputs((replace(scan, every_change=True),))
            return node
        case _:
            return node


def _reads_changing_metadata(scan: Scan) -> bool:
    keys = scan.table.connector.metadata(scan.table.options)
    read = (column for column in scan.table.metadata_columns if column.name in scan.names)
    return any(not keys[column.key].constant for column in read)
