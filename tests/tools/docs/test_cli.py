from tools.docs import cli


def test_help_of_one_command_does_not_depend_on_the_terminal(monkeypatch):
    before = cli.render()
    monkeypatch.setenv("COLUMNS", "40")
    assert cli.render() == before
