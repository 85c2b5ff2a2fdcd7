"""The glossary: every word once, with one text."""

from qaviz.analysis.glossary import explain, terms
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.metrics import METRICS


def test_every_diagnosis_score_and_threshold_is_explained():
    """What pages call a class or a score is a word of the glossary; none has two meanings."""
    found = list(terms())
    names = [term.name for term in found]

    assert len(set(names)) == len(names)
    assert {each.value for each in Diagnosis} | {metric.label for metric in METRICS.values()} <= set(names)
    assert all(term.meaning.endswith(".") for term in found)


def test_a_diagnosis_names_its_verdict():
    """What a diagnosis means says what it makes of the answer."""
    assert Verdict.INCORRECT.value in explain(Diagnosis.HALLUCINATION.value)
