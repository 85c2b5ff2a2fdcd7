"""Writes ragas-VERSION.json and .csv by the Ragas that is installed: 0.1 or later, without a model or a network.

RAGAS_DO_NOT_TRACK=true python make_ragas.py
"""

from dataclasses import dataclass
from typing import Any

import ragas
from datasets import Dataset
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models.fake import FakeListLLM
from ragas.metrics import base

FIRST_RELEASE = not hasattr(base, "SingleTurnMetric")
NAMES = ("question", "answer", "ground_truth") if FIRST_RELEASE else ("user_input", "response", "reference")
QUESTION, RESPONSE, REFERENCE = NAMES
CONTEXTS = "contexts" if FIRST_RELEASE else "retrieved_contexts"
ROWS = {
    QUESTION: ["How many?", "Who?"],
    RESPONSE: ["There are 158.", "Bob."],
    CONTEXTS: [["There are 158.", "x"], ['It\'s "Ann".']],
    REFERENCE: ["158 in all", "Ann"],
}


def _stated(response: str) -> float:
    """A metric that needs no model, and fails for one row."""
    if "Bob" in response:
        raise ValueError("out of order")
    return 1.0


if FIRST_RELEASE:

    @dataclass
    class Stated(base.Metric):
        """As Ragas 0.1 has metrics."""

        name: str = "stated"
        evaluation_mode: base.EvaluationMode = base.EvaluationMode.qa

        def init(self, run_config: Any) -> None:
            """Needs nothing."""

        async def _ascore(self, row: dict[str, Any], *_: Any, **__: Any) -> float:
            return _stated(row[RESPONSE])

else:

    @dataclass
    class Stated(base.SingleTurnMetric):
        """As later releases have them."""

        name: str = "stated"

        def init(self, run_config: Any) -> None:
            """Needs nothing."""

        async def _single_turn_ascore(self, sample: Any, **_: Any) -> float:
            return _stated(sample.response)


given = (
    Dataset.from_dict(ROWS) if FIRST_RELEASE else ragas.EvaluationDataset.from_list(Dataset.from_dict(ROWS).to_list())
)
frame = ragas.evaluate(
    given,
    metrics=[Stated()],
    llm=FakeListLLM(responses=["1"]),
    embeddings=DeterministicFakeEmbedding(size=3),
    raise_exceptions=False,
).to_pandas()
name = f"ragas-{ragas.__version__}"
frame.to_json(f"{name}.json", orient="records", indent=2)
frame.to_csv(f"{name}.csv")
