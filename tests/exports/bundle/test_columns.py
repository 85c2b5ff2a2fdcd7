"""qaviz.exports.bundle.content: tables and data as JSON that a script can hold."""

import json

import polars as pl
import pytest

from qaviz.exports.bundle.content import embed_json, pack_table


def unpacked(column):
    return column if isinstance(column, list) else [column["of"][place] for place in column["at"]]


@pytest.mark.parametrize(
    "values",
    [["a", "b", "c"], ["a", "a", None, "a", "b", "a"], [None, None, None], [0.5, 1.0, 0.5, 0.5, None], ["x"], []],
)
def test_a_column_comes_back_as_it_was(values):
    """Written as a list or by its distinct values, a column holds the same values in the same order, nulls too."""
    assert unpacked(pack_table(pl.DataFrame({"column": values}))["column"]) == values


def test_few_distinct_values_are_written_once():
    """A text that a thousand rows share stands in the file once."""
    assert embed_json(pack_table(pl.DataFrame({"column": ["a long text"] * 1000}))).count(b"a long text") == 1


HOSTILE = "</script><script>alert(1)</script> <!-- --> ]]> & \u2028 \u2029 \x00 \ud7ff 🙂 \\u003c"


def test_no_text_ends_the_script_that_holds_it():
    """The JSON holds no sign that HTML or JavaScript gives a meaning, and reads back as it was."""
    written = embed_json({HOSTILE: [HOSTILE]})

    assert not set("<>&\u2028\u2029") & set(written.decode())
    assert json.loads(written) == {HOSTILE: [HOSTILE]}
