"""Tests named as proofs, `tests/…/test_x.py::test_y` or `…::TestX::test_y`: whether each of them exists."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def missing(proofs: Iterable[str]) -> list[str]:
    """Those of `proofs` that no test answers to, sorted."""
    return sorted(proof for proof in set(proofs) if not exists(proof))


def exists(proof: str) -> bool:
    path, _, name = proof.partition("::")
    return name in _tests_in(path)


@cache
def _tests_in(path: str) -> frozenset[str]:
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    return frozenset(_names(ast.parse(file.read_text()).body))


def _names(body: Iterable[ast.stmt], prefix: str = "") -> Iterable[str]:
    for item in body:
        if isinstance(item, ast.ClassDef):
            yield from _names(item.body, f"{prefix}{item.name}::")
        elif isinstance(item, ast.FunctionDef) and item.name.startswith("test_"):
            yield prefix + item.name
