from __future__ import annotations

import json

import pytest

from headrace.connect.answers import Refusal
from headrace.connect.rest.bodies import Body


def body(content: object) -> Body:
    return Body(content if isinstance(content, bytes) else json.dumps(content).encode())


def refused(call) -> str:
    with pytest.raises(Refusal) as raised:
        call()
    assert raised.value.status == 500
    return raised.value.message


class TestConfig:
    def test_numbers_keep_their_spelling(self):
        text = (
            b'{"a": 5000, "b": 1.50, "c": true, "d": false, "e": "x", "f": null, "g": 1e3, "h": ""}'
        )
        assert body(text).config() == {
            "a": "5000",
            "b": "1.50",
            "c": "true",
            "d": "false",
            "e": "x",
            "f": None,
            "g": "1e3",
            "h": "",
        }

    @pytest.mark.parametrize("text", [b"", b" ", b"null"])
    def test_nothing_is_told_by_what_was_to_be_done_with_it(self, text):
        message = 'Cannot invoke "java.util.Map.get(Object)" because "connectorConfig" is null'
        assert refused(body(text).config) == message
        assert 'because "patch" is null' in refused(lambda: body(text).config(("x()", "patch")))

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            (b"[]", "Array value (token `JsonToken.START_ARRAY`)"),
            (b"5", "Integer value (token `JsonToken.VALUE_NUMBER_INT`)"),
            (b"1.5", "Floating-point value (token `JsonToken.VALUE_NUMBER_FLOAT`)"),
            (b"true", "Boolean value (token `JsonToken.VALUE_TRUE`)"),
        ],
    )
    def test_other_values(self, text, found):
        message = refused(body(text).config)
        kind = "java.util.LinkedHashMap<java.lang.String,java.lang.String>"
        assert message.startswith(f"Cannot deserialize value of type `{kind}` from {found}\n")
        assert message.endswith("line: 1, column: 1]")

    def test_text_has_words_of_its_own(self):
        message = refused(body(b'"x"').config)
        assert message.startswith("Cannot construct instance of `java.util.LinkedHashMap` ")
        assert "no String-argument constructor/factory method" in message

    @pytest.mark.parametrize(("inner", "token"), [("[]", "ARRAY"), ("{}", "OBJECT")])
    def test_what_is_deeper_is_named_with_its_place(self, inner, token):
        message = refused(body(f'{{"a": 1,\n  "b": {inner}}}'.encode()).config)
        assert f"`JsonToken.START_{token}`" in message
        assert message.endswith(
            'line: 2, column: 8] (through reference chain: java.util.LinkedHashMap["b"])'
        )


class TestCreation:
    def test_a_name_is_trimmed(self):
        made = body({"name": " c ", "config": {}}).creation()
        assert (made.name, made.config, made.initial_state) == ("c", {}, None)

    @pytest.mark.parametrize("content", [{"config": {}}, {"name": None, "config": {}}])
    def test_a_missing_name_is_empty(self, content):
        assert body(content).creation().name == ""

    def test_states_in_any_case(self):
        made = body({"config": {}, "initial_state": "Stopped"}).creation()
        assert made.initial_state == "STOPPED"
        assert body({"config": {}, "initial_state": None}).creation().initial_state is None

    def test_another_state(self):
        message = refused(body({"config": {}, "initial_state": "odd"}).creation)
        assert "problem: No enum constant" in message
        assert "CreateConnectorRequest.InitialState.ODD\n" in message

    def test_a_stray_field_is_named_after_all_others(self):
        message = refused(body({"extra": 1, "name": "a", "config": {}}).creation)
        assert message.startswith('Unrecognized field "extra" (class org.apache.kafka.connect.')
        assert '(3 known properties: "config", "name", "initial_state"])' in message
        assert 'CreateConnectorRequest["config"]' in refused(
            body({"extra": 1, "config": 5}).creation
        )

    @pytest.mark.parametrize("content", [{}, {"name": "a"}, {"config": None}])
    def test_a_config_is_needed(self, content):
        assert 'because "connectorConfig" is null' in refused(body(content).creation)

    @pytest.mark.parametrize(
        ("text", "argument"),
        [
            (
                b"5",
                "int/Int-argument constructor/factory method to deserialize from Number value (5)",
            ),
            (b"true", "boolean/Boolean-argument"),
            (b'"x"', "deserialize from String value ('x')"),
        ],
    )
    def test_a_single_value(self, text, argument):
        assert argument in refused(body(text).creation)

    def test_nothing(self):
        assert refused(body(b"").creation).endswith('because "createRequest" is null')


class TestOffsets:
    def test_pairs(self):
        changes = [{"partition": {"a": [1, {"b": None}]}, "offset": {"c": 1.5}}, {"offset": None}]
        found = body({"offsets": changes}).offsets()
        assert found == [({"a": [1, {"b": None}]}, {"c": 1.5}), (None, None)]

    @pytest.mark.parametrize("content", [{}, {"offsets": None}, {"offsets": []}])
    def test_none(self, content):
        assert body(content).offsets() == []

    @pytest.mark.parametrize(
        ("content", "found"),
        [
            (None, 'because "offsets" is null'),
            (
                {"offsets": {}},
                "`java.util.ArrayList<org.apache.kafka.connect.runtime.rest.entities.",
            ),
            ({"offsets": [1]}, 'ConnectorOffsets["offsets"]->java.util.ArrayList[0])'),
            ({"offsets": [{}, {"x": 1}]}, "ArrayList[1]->org.apache.kafka.connect.runtime.rest."),
            (
                {"offsets": [{"partition": 1}]},
                "`java.util.LinkedHashMap<java.lang.String,java.lang.Object>`",
            ),
            ({"offsets": [{"partition": "x"}]}, "from String value ('x')"),
            ({"offsets": [None]}, 'ConnectorOffset.partition()" because "offset" is null'),
            ({"x": []}, '(one known property: "offsets"])'),
        ],
    )
    def test_other_shapes(self, content, found):
        assert found in refused(lambda: body(content).offsets())
