from headrace.plan.nodes import Collect, Filter
from headrace.plan.rules.merge_projects import merge_projects


def test_renames_in_a_row_are_one(scan, project):
    source = scan("users", "user_id", "name")
    upper = project(project(source, a="user_id", b="name"), c="b", d="a")
    assert merge_projects(upper) == project(source, c="name", d="user_id")


def test_what_is_computed_below_is_put_in_its_place(scan, project):
    source = scan("users", "user_id", "age")
    lower = project(source, next="age + 1", id="user_id")
    assert merge_projects(project(lower, twice="next * 2")).label() == (
        "Project(((age + 1) * 2) AS twice)"
    )


def test_what_is_read_twice_is_computed_once(scan, project, shape):
    lower = project(scan("users", "age"), next="age + 1")
    assert shape(merge_projects(project(lower, a="next", b="next"))) == "Project(Project(Scan))"
    assert shape(merge_projects(project(lower, a="next * next"))) == "Project(Project(Scan))"


def test_columns_and_constants_may_be_read_twice(scan, project):
    lower = project(scan("users", "age"), a="age", one="1")
    merged = merge_projects(project(lower, x="a + one", y="a - one"))
    assert merged.label() == "Project((age + 1) AS x, (age - 1) AS y)"


def test_three_in_a_row(scan, project, shape):
    node = scan("users", "name")
    for _ in range(3):
        node = project(node, name="UPPER(name)")
    merged = merge_projects(Collect(node))
    assert shape(merged) == "Collect(Project(Scan))"
    assert merged.input.label() == "Project(UPPER(UPPER(UPPER(name))) AS name)"


def test_a_name_may_mean_another_column_below(scan, project):
    lower = project(scan("users", "user_id", "age"), age="CAST(user_id AS INT)", user_id="age")
    merged = merge_projects(project(lower, x="age", y="user_id"))
    assert merged.label() == "Project(CAST(user_id AS INT) AS x, age AS y)"


def test_a_filter_between_keeps_them_apart(scan, project, expr, shape):
    lower = project(scan("users", "age"), a="age")
    root = project(Filter(lower, expr("a > 1", lower)), b="a")
    assert shape(merge_projects(root)) == "Project(Filter(Project(Scan)))"
