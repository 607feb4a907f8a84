"""Rewrites of the plan, in the order they run. One rule, one file, one function of the file's name."""

from headrace.plan.rules.bound_ranks import bound_ranks
from headrace.plan.rules.drop_needless_normalize import drop_needless_normalize
from headrace.plan.rules.find_join_keys import find_join_keys
from headrace.plan.rules.keep_arrivals import keep_arrivals
from headrace.plan.rules.materialize_sink_key import materialize_sink_key
from headrace.plan.rules.merge_projects import merge_projects
from headrace.plan.rules.normalize_upserts import normalize_upserts
from headrace.plan.rules.prune_columns import prune_columns
from headrace.plan.rules.push_conditions import push_conditions

RULES = (
    push_conditions,
    bound_ranks,
    keep_arrivals,
    find_join_keys,
    prune_columns,
    merge_projects,
    normalize_upserts,
    drop_needless_normalize,
    materialize_sink_key,
)

__all__ = ["RULES"]
