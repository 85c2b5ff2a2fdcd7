"""Sentences and explanations, as words.toml has them. Scores have their texts where they are defined."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from qaviz.model.classes import VERDICT_OF, Diagnosis
from qaviz.model.metrics import METRICS

TEXTS: Mapping[str, Mapping[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
"""By the table and the name that words.toml gives them."""
WORDS: Mapping[str, str] = TEXTS["words"]
DIAGNOSIS_DEFINITIONS: Mapping[Diagnosis, str] = {kind: TEXTS["diagnoses"][kind.value] for kind in Diagnosis}


class ThresholdWords(NamedTuple):
    """How one threshold is shown."""

    label: str
    help: str


THRESHOLD_WORDS = {name: ThresholdWords(*words) for name, words in TEXTS["thresholds"].items()}
"""By the name of its field in `model.Thresholds`."""

MEANINGS: Mapping[str, str] = {
    **WORDS,
    **TEXTS["measures"],
    **{kind.value: f"{when} Verdict: {VERDICT_OF[kind].value}." for kind, when in DIAGNOSIS_DEFINITIONS.items()},
    **{metric.label: f"{metric.help} In files: {metric.name}." for metric in METRICS.values()},
    **{words.label: words.help for words in THRESHOLD_WORDS.values()},
    **TEXTS["statistics"],
}


def explain(name: str) -> str:
    """What this word means. Raises KeyError for one that is not explained."""
    return MEANINGS[name]
