import os

from headrace.runtime import warm


def test_archives_of_jars_long_gone_are_forgotten(tmp_path):
    for number in range(5):
        file = tmp_path / f"{number}.jsa"
        file.touch()
        os.utime(file, (number, number))
    warm._forget_old(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["2.jsa", "3.jsa", "4.jsa"]
