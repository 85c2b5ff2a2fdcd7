"""The one palette: colours that people with colour-blindness tell apart, and the mark that goes beside each.

Every colour has a contrast of at least 3 to 1 on white and on the dark theme's background, so that one palette serves
both themes and every export. No meaning rests on colour alone: pipelines have a symbol too, diagnoses a hatch.
"""

from collections.abc import Sequence

from qaviz.model.classes import Diagnosis

PIPELINE_COLOURS = (
    *("#1F7FC4", "#D55E00", "#008F68", "#B85C93", "#B87A00", "#6F7F8F", "#8A6FD1", "#7C8500"),
    *("#0A5BFF", "#FF3D7E", "#FF0AD6", "#DF3DFF", "#008015", "#2C84FF", "#317482", "#DD5FA9"),
)
"""In OKLab any two of the sixteen are at least .95 as far apart as the nearest two of the first eight."""
# As many as share no factor with the number of colours, so that a colour comes with another symbol each time round.
PIPELINE_SYMBOLS = (
    "circle",
    "diamond",
    "square",
    "triangle-up",
    "x",
    "triangle-down",
    "cross",
    "star",
    "hexagon",
)

DIAGNOSIS_COLOURS = {
    Diagnosis.CORRECT: "#008F68",
    Diagnosis.VERBOSE: "#1F7FC4",
    Diagnosis.REPHRASED: "#8A6FD1",
    Diagnosis.HALLUCINATION: "#D55E00",
    Diagnosis.ACCIDENTAL: "#B87A00",
    Diagnosis.OFF_TARGET: "#B85C93",
    Diagnosis.DECLINED: "#6F7F8F",
    Diagnosis.UNSCORED: "#908048",
}
DIAGNOSIS_HATCHES = {
    Diagnosis.CORRECT: "",
    Diagnosis.VERBOSE: "-",
    Diagnosis.REPHRASED: ".",
    Diagnosis.HALLUCINATION: "/",
    Diagnosis.ACCIDENTAL: "x",
    Diagnosis.OFF_TARGET: "\\",
    Diagnosis.DECLINED: "|",
    Diagnosis.UNSCORED: "+",
}
"""Plotly's names of fill patterns."""
DIAGNOSIS_SYMBOLS = {
    Diagnosis.CORRECT: "✓",
    Diagnosis.VERBOSE: "≡",
    Diagnosis.REPHRASED: "≈",
    Diagnosis.HALLUCINATION: "✗",
    Diagnosis.ACCIDENTAL: "◇",
    Diagnosis.OFF_TARGET: "≠",
    Diagnosis.DECLINED: "∅",
    Diagnosis.UNSCORED: "–",
}
"""One character each, where the diagnosis stands in a text."""


def pipeline_marks(pipelines: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Colour and symbol of each pipeline, by its place in the run; the first 144 pairs are unique."""
    return {
        name: (PIPELINE_COLOURS[i % len(PIPELINE_COLOURS)], PIPELINE_SYMBOLS[i % len(PIPELINE_SYMBOLS)])
        for i, name in enumerate(pipelines)
    }
