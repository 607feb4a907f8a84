from tools.docs import transforms


def test_the_examples_use_what_there_is():
    from headrace.connect.converters.batches import read_batch, write_batch
    from headrace.connect.converters.registry import parse_converter
    from headrace.connect.transforms.chain import parse_chain

    for used in (read_batch, write_batch, parse_converter, parse_chain):
        assert used.__name__ in transforms.EXAMPLE
    compile(transforms.EXAMPLE, "example", "exec")
    compile(transforms.OWN_EXAMPLE, "example", "exec")
