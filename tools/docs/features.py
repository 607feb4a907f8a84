"""docs/features.toml: the hand-kept part of the promise. Every row has a status, a note and the test that proves it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tools.docs.proofs import ROOT

FILE = ROOT / "docs" / "features.toml"
STATUSES = ("works", "partly", "no")


@dataclass(frozen=True, slots=True)
class Feature:
    """`proof` names a test; what does not work at all may have none."""

    name: str
    status: str
    note: str = ""
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    intro: str
    features: tuple[Feature, ...]


@dataclass(frozen=True, slots=True)
class Features:
    """`declared` judges what the code declares, by owner (connector, format, `settings`, …) and by name."""

    sections: tuple[Section, ...]
    declared: dict[str, dict[str, Feature]]

    def proofs(self) -> list[str]:
        rows = [feature for section in self.sections for feature in section.features]
        rows += [feature for owner in self.declared.values() for feature in owner.values()]
        return [feature.proof for feature in rows if feature.proof]


@cache
def load() -> Features:
    return parse(tomllib.loads(FILE.read_text()))


def parse(data: dict[str, Any]) -> Features:
    folders = data["folders"]
    sections = tuple(
        Section(item["title"], item.get("intro", ""), tuple(_features(item, folders)))
        for item in data["section"]
    )
    declared = {
        owner: {name: _feature(name, row, folders) for name, row in rows.items()}
        for owner, rows in data["declared"].items()
    }
    return Features(sections, declared)


def _features(item: dict[str, Any], folders: dict[str, str]) -> Iterator[Feature]:
    for row in item.get("rows", ()):
        yield _feature(row[0], row[1:], folders)
    for name in item.get("unserved", ()):
        yield Feature(name, "no")


def _feature(name: str, row: list[str], folders: dict[str, str]) -> Feature:
    """`row` is status, note and proof; a proof may begin with the short name of a test file."""
    status, note, proof = (*row, "", "")[:3]
    if status not in STATUSES:
        raise ValueError(f"'{name}' has the status '{status}', not one of {', '.join(STATUSES)}")
    if status != "no" and not proof:
        raise ValueError(f"'{name}' is said to be '{status}', but no test proves it")
    file, separator, test = proof.partition("::")
    return Feature(name, status, note, f"{folders.get(file, file)}{separator}{test}")
