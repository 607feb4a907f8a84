from __future__ import annotations

import pytest

from headrace.errors import EnvironmentFault
from headrace.services.extras import require_packages


def test_installed_packages_pass():
    require_packages("s3", "json", "psutil")


def test_missing_packages_are_named_with_the_line_that_installs_them():
    with pytest.raises(EnvironmentFault) as caught:
        require_packages("kafka", "json", "no_such_module", "nor_this")
    error = caught.value
    assert error.found == "missing: no_such_module, nor_this"
    assert error.cure == "pip install 'headrace[services]'"
    assert error.exit_code == 3


def test_nothing_is_imported(tmp_path, monkeypatch):
    (tmp_path / "explosive_module.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(tmp_path)
    require_packages("s3", "explosive_module")
