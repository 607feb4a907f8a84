"""`python -m tools.conformance.records`: ask Kafka's own classes and keep what they answer."""

from __future__ import annotations

import sys

from tools.conformance.records.answers import FILE, keep, of_kafka
from tools.conformance.records.cases import CASES
from tools.conformance.records.kafka import answers_of_kafka

if __name__ == "__main__":
    answers = zip(CASES, answers_of_kafka(CASES), strict=True)
    keep(CASES, [of_kafka(case, answer) for case, answer in answers])
    count = sum(len(case.messages) for case in CASES)
    sys.stdout.write(f"{len(CASES)} cases, {count} records in {FILE}\n")
