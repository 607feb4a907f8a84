from headrace.plan.nodes import Collect, Filter, Normalize, Scan, Union
from headrace.plan.rules.rewrite import bottom_up


def test_children_are_changed_before_parents(scan):
    seen = []

    def note(node):
        seen.append(type(node).__name__)
        return node

    bottom_up(Collect(Union((scan("orders"), scan("users")))), note)
    assert seen == ["Scan", "Scan", "Union", "Collect"]


def test_a_tree_that_stays_is_the_same_object(scan, expr):
    source = scan("users")
    root = Collect(Filter(source, expr("age > 1", source)))
    assert bottom_up(root, lambda node: node) is root


def test_a_changed_child_makes_new_parents(scan):
    root = Collect(Union((scan("orders", "item"), scan("users", "name"))))

    def wrap(node):
        is_users = isinstance(node, Scan) and node.table.primary_key
        return Normalize(node, ("user_id",)) if is_users else node

    changed = bottom_up(root, wrap)
    assert [type(node).__name__ for node in changed.walk()] == [
        "Collect",
        "Union",
        "Scan",
        "Normalize",
        "Scan",
    ]
    assert [type(node).__name__ for node in root.walk()].count("Normalize") == 0
