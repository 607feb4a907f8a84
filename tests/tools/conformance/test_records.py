"""Records through our converters, predicates and transforms come out as they do of Kafka's own."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tools.conformance.records.answers import changes, keep, kept, of_kafka, shown
from tools.conformance.records.case import PLAIN, Message, case, chain_of, converters
from tools.conformance.records.cases import CASES
from tools.conformance.records.compare import differences
from tools.conformance.records.known import KNOWN

RECORDED = kept()


def test_the_recorded_cases_are_those_of_the_modules():
    assert {one.name: one.digest() for one in CASES} == {
        name: digest for name, (digest, _) in RECORDED.items()
    }


def test_names_tell_cases_apart():
    assert [name for name, count in Counter(one.name for one in CASES).items() if count > 1] == []


def test_there_is_an_answer_for_every_record():
    for one in CASES:
        answer = RECORDED[one.name][1]
        assert isinstance(answer, dict) or len(answer) == len(one.messages)


@pytest.mark.spark
@pytest.mark.slow
def test_ours_gives_what_kafkas_own_classes_give(spark):
    from tools.conformance.records.ours import Ours

    ours = Ours(spark, CASES)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(ours.answer, CASES))
    found = [
        difference
        for one, answer in zip(CASES, answers, strict=True)
        for difference in differences(one, RECORDED[one.name][1], answer)
    ]
    excused = {
        number: [known for known in KNOWN if known.excuses(one.case, one.theirs, one.ours)]
        for number, one in enumerate(found)
    }
    others = [str(found[number]) for number, reasons in excused.items() if not reasons]
    assert others == [], "\n".join(others)
    used = {known.reason for reasons in excused.values() for known in reasons}
    assert [known.reason for known in KNOWN if known.reason not in used] == []


class TestFixture:
    def test_bytes_are_texts_where_they_can_be(self):
        assert shown(None) is None
        assert shown(b"x") == "x"
        assert shown(b"\xff") == {"hex": "ff"}
        envelope = b'{"schema":{"type":"int8"},"payload":1}'
        assert shown(envelope) == ['{"schema":{"type":"int8"}', ',"payload":1}']

    def test_only_what_changes_is_told(self):
        message = Message(b"1", key=b"k", headers=(("h", b"1"),))
        assert changes(message, "t", b"k", b"1", message.headers) == {}
        assert changes(message, "u", None, b"2", []) == {
            "topic": "u",
            "key": None,
            "value": "2",
            "headers": [],
        }

    def test_it_gives_back_what_was_kept(self, tmp_path):
        one = case("Filter", {}, [Message(b"1"), Message(b"2")])
        given = [
            {"topic": "t", "key": None, "value": "Mg==", "headers": []},
            {"stage": "KEY_CONVERTER", "error": ["a.b", "a text that is longer than its number"]},
        ]
        answer = of_kafka(one, given)
        assert answer[0] == {"value": "2"}
        other = case("Filter", {}, [Message(b"1"), Message(b"2")], sink=False)
        keep([one, other], [answer, answer], tmp_path / "kept.json")
        assert kept(tmp_path / "kept.json") == {
            "Filter": (one.digest(), answer),
            "Filter source": (other.digest(), answer),
        }
        assert (tmp_path / "kept.json").read_text().count("longer than its number") == 1

    def test_refusals_are_kept_as_they_are(self):
        assert of_kafka(case("Filter", {}, []), {"refused": ["a", "b"]}) == {"refused": ["a", "b"]}


class TestComparing:
    ONE = case("Filter", {}, [Message(b"1")])

    def test_causes_are_told_as_stacks_have_them(self):
        theirs = [{"stage": "S", "error": ["a", "b", "c", "d\n at [Source: x]", "e", None]}]
        assert differences(self.ONE, theirs, [{"stage": "S", "error": ["a", "b", "c: d"]}]) == []
        assert len(differences(self.ONE, theirs, [{"stage": "S", "error": ["a", "b"]}])) == 1

    def test_refusals_by_their_messages(self):
        theirs = {"refused": ["a.ConfigException", "no", "cause", None]}
        assert differences(self.ONE, theirs, {"refused": "no"}) == []
        assert str(differences(self.ONE, theirs, [{}])[0]) == "Filter: : no there, [{}] here"

    def test_known_differences_are_found_by_all_that_they_name(self):
        scale = KNOWN[1]
        assert scale.excuses("any", {"error": ["x", "Decimal value has mismatching scale"]}, {})
        assert not scale.excuses("any", {"error": ["x", "another"]}, {})


def test_a_chain_is_configured_as_a_connector_is():
    config = chain_of(("Filter", {"predicate": "p"}), predicates={"p": {"type": "T", "name": "n"}})
    assert config == {
        "transforms": "x0",
        "transforms.x0.type": "org.apache.kafka.connect.transforms.Filter",
        "transforms.x0.predicate": "p",
        "predicates": "p",
        "predicates.p.type": "T",
        "predicates.p.name": "n",
    }


def test_converters_of_both_ends():
    assert converters(PLAIN, {"": "V"}, "H") == {
        "header.converter": "H",
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "false",
        "value.converter": "V",
    }
