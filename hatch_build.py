"""Puts the compiled Java operators into the wheel, so that an installed Headrace needs no compiler."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class OperatorJarHook(BuildHookInterface):
    """Runs for wheels only; an editable install compiles on first use, from sources that still change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from headrace.toolchain.operators import JAR_NAME, build_from_sources
        from headrace.toolchain.progress import show_progress

        with show_progress() as progress:
            jar = build_from_sources(Path(self.root) / "jvm" / "src" / "main", progress)
        build_data["force_include"][str(jar)] = f"headrace/_jvm/{JAR_NAME}"
