"""qaviz.exports.decision_pack.pptx: slides with charts and tables that people can edit, and notes."""

import io
import zipfile

import openpyxl
import pytest
from pptx import Presentation

from qaviz.exports.decision_pack.content import SIGN_OFF
from qaviz.exports.decision_pack.pptx import TEXT_WIDTH
from qaviz.exports.decision_pack.tables import lines_of
from tests.exports.decision_pack.packs import pack_from, written

TITLES = (
    "Ship Pipeline1: 9 of 10 right, the only one that meets every criterion.",
    "Right answers and diagnoses of each pipeline",
    "What to do next, and what is not known",
    "Sign-off",
    "Appendix: pipelines",
    "Appendix: acceptance criteria",
    "Appendix: how it was measured",
)


def slides(content):
    return Presentation(io.BytesIO(written(content, ".pptx")))


def charts(deck):
    return [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]


def texts(slide):
    """Every text on a slide, its tables' too."""
    frames = [shape.text_frame for shape in slide.shapes if shape.has_text_frame]
    cells = [cell.text_frame for shape in slide.shapes if shape.has_table for cell in shape.table.iter_cells()]
    return [frame.text for frame in frames + cells]


def embedded(chart):
    """The cells of a chart's own workbook."""
    return openpyxl.load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob)).active


def test_charts_are_native_with_their_numbers(sample):
    """Each figure is a chart whose values, in the slide and in the workbook behind it, are the run's."""
    content = sample

    right, diagnoses = charts(slides(content))

    assert list(right.plots[0].series[0].values) == pytest.approx([0.9, 0.5, 0.5])
    assert list(right.plots[0].categories)[2] == "Pipeline3 (5 of 10)"
    assert [cell.value for cell in embedded(right)["B"]] == ["Right answers", 0.9, 0.5, 0.5]
    assert sum(sum(series.values) for series in diagnoses.plots[0].series) == 30


def test_intervals_are_error_bars_of_the_chart(sample):
    """The 95% interval of 9 of 10, from 34% to 100%, is drawn around its bar and stands in the chart's workbook."""
    right = charts(slides(sample))[0]

    first = [embedded(right).cell(2, column).value for column in (2, 3, 4)]
    assert [first[0] - first[2], first[0] + first[1]] == pytest.approx([0.341, 1.0], abs=0.001)
    assert "<c:errBars>" in right._chartSpace.xml


def test_every_slide_has_a_title_and_notes(sample):
    """Screen readers find a title, whoever presents finds notes, and the block to sign has its lines."""
    deck = slides(sample)

    for slide in deck.slides:
        assert slide.shapes.title.text_frame.text
        assert slide.notes_slide.notes_text_frame.text
    by_title = {slide.shapes.title.text_frame.text: slide for slide in deck.slides}
    assert set(SIGN_OFF) <= set(texts(by_title["Sign-off"]))
    criteria = by_title["Appendix: acceptance criteria"].notes_slide.notes_text_frame.text
    assert all(sentence in criteria for sentence in sample.criteria["sentence"])
    diagnoses = by_title[TITLES[1]].notes_slide.notes_text_frame.text
    assert "Hallucination: 3 of 30 responses" in diagnoses


def test_three_pipelines_take_seven_slides(sample):
    """The decision on one page, both charts side by side, next steps, sign-off; the rest is appendix."""
    titles = [slide.shapes.title.text_frame.text for slide in slides(sample).slides]

    assert titles == list(TITLES)


def test_the_first_slide_is_the_decision(sample):
    """Recommendation, certainty, effect, the risk with the whole response, and the next step stand on one page."""
    decision, shown = sample.decision, " ".join(texts(slides(sample).slides[0]))

    for text in (decision.sentence, decision.confidence_reason, decision.risk.sentence, decision.next_step):
        assert text in shown
    assert f"“{decision.risk.response}”" in shown
    assert "Per 10,000 questions" in shown


@pytest.mark.parametrize("pack", ["sample", "hostile"])
def test_at_most_eight_slides_and_none_half_empty(pack, request):
    """Whatever the run, a deck has at most eight slides, and what a slide shows reaches below its middle."""
    deck = slides(request.getfixturevalue(pack))

    assert len(deck.slides) <= 8
    for slide in deck.slides:
        drawn = [shape for shape in slide.shapes if shape.top < deck.slide_height - 500_000]
        ends = [
            shape.top + (estimated_height(shape) if shape.has_text_frame else shape.height)
            for shape in drawn
            if not shape.is_placeholder
        ]
        assert max(ends) > deck.slide_height / 2, slide.shapes.title.text_frame.text


def test_no_text_of_the_sample_is_cut(sample):
    """Tables reach over the full width; nothing ends in an ellipsis, and variants of facts are joined by `or`."""
    deck = slides(sample)

    said = [text for slide in deck.slides for text in [*texts(slide), slide.notes_slide.notes_text_frame.text]]
    assert not any("…" in text or "<OR>" in text for text in said)
    tables = [shape for slide in deck.slides for shape in slide.shapes if shape.has_table]
    assert len(tables) == 4
    assert all(abs(table.width - TEXT_WIDTH) < 100 for table in tables)


def test_long_names_are_wrapped_in_tables(workspace):
    """A pipeline's name of 58 characters stands whole in the table, and each cell has the lines it needs."""
    name = "retrieval with reranking and a very long descriptive tail"
    deck = slides(pack_from(workspace, [{"question": "Why?", "fact": "so"}], {name: ["so"], "b": ["no"]}))

    cells = [text for slide in deck.slides for shape in slide.shapes if shape.has_table for text in texts(slide)]
    assert name in cells


def test_nothing_leaves_the_slide_or_its_box(hostile):
    """Whatever the texts, each shape lies on the slide, and no text is estimated to be longer than its box."""
    deck = slides(hostile)

    for slide in deck.slides:
        for shape in slide.shapes:
            assert shape.left >= 0
            assert shape.top >= 0
            assert shape.left + shape.width <= deck.slide_width
            assert shape.top + shape.height <= deck.slide_height
            if shape.has_text_frame and shape.text_frame.text and not shape.is_placeholder:
                assert estimated_height(shape) <= shape.height * 1.02, shape.text_frame.text


def estimated_height(shape):
    """Height that a box's paragraphs take in EMU, at the size in which they are written."""
    sizes = [(each, each.font.size or 1) for each in shape.text_frame.paragraphs if each.text]
    return sum(lines_of(each.text.replace("\v", "\n"), shape.width / size) * size * 1.2 for each, size in sizes)


def test_hostile_texts_stay_texts(hostile):
    """No formula in a chart's workbook, no link, no link to a file elsewhere, and right-to-left names run so."""
    content = hostile
    deck = slides(content)

    for chart in charts(deck):
        assert all(cell.data_type != "f" for row in embedded(chart).iter_rows() for cell in row)
        names = [str(category) for category in chart.plots[0].categories]
        assert any(name.startswith(("=", "+")) for name in names)
    package = zipfile.ZipFile(io.BytesIO(written(content, ".pptx")))
    relations = [package.read(name).decode() for name in package.namelist() if name.endswith(".rels")]
    assert not any("External" in each for each in relations)
    said = [text for slide in deck.slides for text in texts(slide)]
    assert any("<script>alert(1)</script>" in text for text in said)
    assert not any("\x07" in text or "\u202e" in text for text in said)
    assert any('rtl="1"' in package.read(name).decode() for name in package.namelist() if "/slides/slide" in name)


@pytest.mark.parametrize("triplet", [{"fact": "so"}, {"answer": "so"}, {"answer": None}])
def test_figures_without_scores_are_left_out(workspace, triplet):
    """A run without facts, or without answers, has a slide for right answers and one for diagnoses."""
    content = pack_from(workspace, [{"question": "Why?"} | triplet], {"a": ["so"], "b": [""]})

    assert len(charts(slides(content))) == 2


def test_names_that_are_cut_stand_in_full_in_the_notes(workspace):
    """Twelve long names of one family stay apart on the slides, and the notes have each in full."""
    names = [f"a retrieval pipeline with a very long name, number {number}, and a tail" for number in range(12)]
    deck = slides(pack_from(workspace, [{"question": "Why?", "fact": "so"}], {name: ["so"] for name in names}))

    assert len(set(charts(deck)[0].plots[0].categories)) == 12
    notes = deck.slides[0].notes_slide.notes_text_frame.text
    assert all(name in notes for name in names)
