"""What is picked, in words."""

import pytest

from qaviz.model.columns import CATEGORY, DIAGNOSIS, PIPELINE
from qaviz.ui.widgets.filters import Filters


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        pytest.param(Filters(), "all responses", id="nothing picked"),
        pytest.param(Filters(classes={PIPELINE: ["A"]}), "pipeline A", id="one"),
        pytest.param(Filters(classes={CATEGORY: ["a", "b", "c"]}), "categories a, b and c", id="several"),
        pytest.param(
            Filters(classes={PIPELINE: ["A", "B"], DIAGNOSIS: ["correct"]}, text="net *sales*"),
            "pipelines A and B; diagnosis correct; texts with “net *sales*”",
            id="of several kinds, texts as they came",
        ),
    ],
)
def test_filters_in_words(filters, said):
    """The board says which part of a run is picked."""
    assert filters.in_words() == said
