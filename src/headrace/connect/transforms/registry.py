"""The transforms by their classes."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.connect.data.records import Part
from headrace.connect.transforms import (
    cast,
    drop_headers,
    extract_field,
    extract_new_record_state,
    filter,
    flatten,
    header_from,
    hoist_field,
    insert_field,
    insert_header,
    mask_field,
    regex_router,
    replace_field,
    set_schema_metadata,
    timestamp_converter,
    timestamp_router,
    value_to_key,
)
from headrace.connect.transforms.base import TransformPlugin

_MODULES = (
    cast,
    drop_headers,
    extract_field,
    extract_new_record_state,
    filter,
    flatten,
    header_from,
    hoist_field,
    insert_field,
    insert_header,
    mask_field,
    regex_router,
    replace_field,
    set_schema_metadata,
    timestamp_converter,
    timestamp_router,
    value_to_key,
)

TRANSFORMS: Mapping[str, tuple[TransformPlugin, Part]] = {
    name: (module.PLUGIN, part)
    for module in _MODULES
    for name, part in module.PLUGIN.classes().items()
}
