from __future__ import annotations

import shlex

import pytest

from tests.docs.walk import Step, absent, run, steps_of

PAGE = """\
Words.

```sql a.sql
SELECT 1;
```

```sql
SELECT 'not a file';
```

```console
$ cat a.sql
...
SELECT 1;
$ echo one; echo two
two
```

```sh
X=3
echo $X
```

```text
3
```

```python
print("four")  # prints four
print("five")
```

```text
five
```

```console
$ echo $X
3
```
"""


def test_blocks_become_steps():
    steps = steps_of(PAGE)
    assert [step.command for step in steps] == [
        ":",
        "cat a.sql",
        "echo one; echo two",
        "X=3\necho $X\n",
        "python snippet_5.py",
        "echo $X",
    ]
    assert steps[0].file == ("a.sql", "SELECT 1;\n")
    assert [step.prints for step in steps[1:]] == [
        ["SELECT 1;"],
        ["two"],
        ["3"],
        ["four", "five"],
        ["3"],
    ]


def test_lines_come_in_their_order_with_others_between_them():
    assert absent(["a", "c"], ["a", "b", "c "]) == []
    assert absent(["a", "c"], ["c", "a"]) == ["c"]


def test_a_page_that_is_right(tmp_path):
    wrong = run(steps_of(PAGE), tmp_path, {}, at_exit="touch end", seconds=60)
    assert wrong == []
    assert (tmp_path / "end").exists()


def test_what_is_not_printed_is_told(tmp_path):
    (wrong,) = run([Step("echo a", ["b"])], tmp_path, {}, at_exit="true", seconds=60)
    assert "lacks ['b']" in wrong


@pytest.mark.parametrize("command", ["false", "echo $UNSET_NAME"])
def test_a_command_that_fails_ends_the_walk(tmp_path, command):
    steps = [Step(command), Step("touch later")]
    (wrong,) = run(steps, tmp_path, {}, at_exit="touch end", seconds=60)
    assert wrong.startswith("exit code 1")
    assert not (tmp_path / "later").exists()
    assert (tmp_path / "end").exists()


def test_a_walk_that_takes_too_long_runs_what_it_does_at_its_exit(tmp_path):
    steps = [Step("echo begun"), Step("while true; do :; done")]
    (wrong,) = run(steps, tmp_path, {}, at_exit="touch end", seconds=1)
    assert "begun" in wrong
    assert (tmp_path / "end").exists()


def test_a_command_without_an_end_is_interrupted_when_it_has_printed_its_lines(tmp_path):
    page = """
```console
$ trap 'echo stopped; exit 0' INT; echo one; echo two; while true; do sleep 0.1; done
one
two
^C
$ echo three
three
```
"""
    first, second = steps_of(page)
    assert (first.is_interrupted, first.prints, second.is_interrupted) == (
        True,
        ["one", "two"],
        False,
    )
    program = f"bash -c {shlex.quote(first.command)}"
    steps = [Step(program, first.prints, is_interrupted=True), second]
    assert run(steps, tmp_path, {}, at_exit=":", seconds=60) == []
    assert (tmp_path / "until-interrupted.txt").read_text() == "one\ntwo\nstopped\n"
