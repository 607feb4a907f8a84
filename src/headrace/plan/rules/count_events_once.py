"""Changes that may be told twice are read by their primary key: what is already so changes nothing."""

from __future__ import annotations

from dataclasses import replace

from headrace.catalog.connector import ChangeSource
from headrace.errors import PlanError
from headrace.plan.nodes import Node, Scan
from headrace.plan.rules.rewrite import bottom_up

SETTING = "table.exec.source.cdc-events-duplicate"


def count_events_once(root: Node, events_duplicate: bool) -> Node:
    return bottom_up(root, _by_key) if events_duplicate else root


def _by_key(node: Node) -> Node:
    if not isinstance(node, Scan):
        return node
    table = node.table
    if not table.connector.scan_mode(table).is_retract:
        return node
    if not isinstance(table.connector, ChangeSource) or not table.primary_key:
        raise PlanError(
            f"'{SETTING}' needs a PRIMARY KEY in every table of changes",
            condition="NO_PRIMARY_KEY",
            found=f"table '{table.identifier.name}' without one",
            cure=f"PRIMARY KEY (…) NOT ENFORCED in the table, or RESET '{SETTING}'",
        )
    return replace(node, table=table.connector.by_key(table))
