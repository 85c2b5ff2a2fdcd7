"""What `LabelledRagDataset.save_json` of LlamaIndex writes. Run with llama-index-core installed."""

from importlib.metadata import version
from pathlib import Path

from llama_index.core.llama_dataset import CreatedBy, CreatedByType, LabelledRagDataExample, LabelledRagDataset

RELEASE = version("llama-index-core")
BESIDE = Path(__file__).parent
BY = CreatedBy(type=CreatedByType.HUMAN)
ASKED = [("How many?", "158 in all", ["There are 158.", "x"]), ("Who?", "Ann", ['It\'s "Ann".'])]

examples = [
    LabelledRagDataExample(query=q, query_by=BY, reference_contexts=c, reference_answer=a, reference_answer_by=BY)
    for q, a, c in ASKED
]
LabelledRagDataset(examples=examples).save_json(str(BESIDE / f"llamaindex-{RELEASE}.json"))
