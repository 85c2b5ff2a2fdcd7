"""What tests of the pages' parts start from."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder, so that `-m "not page"` leaves it out."""
    for test in items:
        if Path(__file__).parent in test.path.parents:
            test.add_marker(pytest.mark.page)
