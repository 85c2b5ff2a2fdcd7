"""LLM Comparator: two models side by side, as its JSON has them."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import Record, Row, Tool, fields, inside, is_number, items, score, text
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.model.columns import ANSWER, CATEGORY, FACT, PIPELINE, QUESTION, RESPONSE, TAGS, THEIR_SCORES

_SIDES = (("output_text_a", 1), ("output_text_b", -1))
"""Each model's output, and the sign of a score in its favour: the file's scores are above 0 where A is better."""
_CUSTOM = "custom_fields."
_SIDE_BY_SIDE = "side by side"


def _wrote(record: Record) -> bool:
    return len(items(record.get("models"))) > 1 and "output_text_a" in fields(inside(record, "examples", 0))


def _rows(record: Record) -> Iterator[Row]:
    models = [text(inside(model, "name")) for model in items(record["models"])]
    for example in items(record["examples"]):
        custom = {f"{_CUSTOM}{name}": text(value) for name, value in fields(inside(example, "custom_fields")).items()}
        tags = [text(tag) or "" for tag in items(inside(example, "tags"))]
        given = inside(example, "score")
        for (side, sign), model in zip(_SIDES, models, strict=False):
            yield custom | {
                "input_text": text(inside(example, "input_text")),
                "tags": "; ".join(tags) or None,
                "models.name": model,
                side[:-2]: text(inside(example, side)),
                SCORES: [score(_SIDE_BY_SIDE, float(given) * sign)] if is_number(given) else None,
            }


_OF_CUSTOM = {f"{_CUSTOM}{alias}": word for word in (ANSWER, FACT, CATEGORY) for alias in GOLDEN_NAMES[word]}

LLM_COMPARATOR = Tool(
    name="an LLM Comparator file",
    wrote=_wrote,
    rows=_rows,
    words={
        "input_text": QUESTION,
        **_OF_CUSTOM,
        "tags": TAGS,
        "models.name": PIPELINE,
        "output_text": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)
