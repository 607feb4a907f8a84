import os
from pathlib import Path

from headrace.testing.jobs import kill, running_script
from headrace.testing.topics import eventually

WAITING = """
import os, pathlib, sys, time

pathlib.Path(os.environ["HEADRACE_HOME"], "seen").write_text(" ".join([*sys.argv[1:], os.environ["MOOD"], __file__]))
time.sleep(600)
"""


def script(folder: Path, text: str = "") -> Path:
    """A script beside which a module lies that stands in for Headrace's."""
    package = folder / "headrace" / "cli"
    package.mkdir(parents=True)
    for level in (package.parent, package):
        (level / "__init__.py").touch()
    (package / "main.py").write_text(text or WAITING)
    file = folder / "job.sql"
    file.write_text("SHOW TABLES;")
    return file


def seen(folder: Path) -> str:
    file = folder / "seen"
    return eventually(lambda: file.read_text() if file.exists() else "", bool)


def test_a_script_runs_with_a_home_and_variables_of_its_own(tmp_path):
    file = script(tmp_path)
    with running_script(file, tmp_path, variables={"MOOD": "calm"}) as process:
        words = seen(tmp_path).split()
        assert process.poll() is None
    assert words[:5] == ["run", str(file), "--output", "json", "calm"]
    assert words[5].startswith(str(tmp_path)), "what lies beside the script is found first"


def test_a_kill_takes_its_children(tmp_path):
    program = """
import os, pathlib, subprocess, sys

child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(os.environ["HEADRACE_HOME"], "seen").write_text(str(child.pid))
child.wait()
"""
    with running_script(script(tmp_path, program), tmp_path) as process:
        child = int(seen(tmp_path))
        kill(process)
        eventually(lambda: is_alive(child), lambda alive: not alive)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z" and os.getpgid(pid) > 0
