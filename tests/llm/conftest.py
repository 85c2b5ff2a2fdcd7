"""What the tests of language models start from."""

import pytest

from qaviz.llm import sending

VARIABLES = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "QAVIZ_PRICES")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or price of whoever runs the tests."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries wait a hundredth of a second."""
    monkeypatch.setattr(sending, "LONGEST_WAIT_S", 0.01)
