"""qaviz.exports.decision_pack.pptx: slides with charts and tables that people can edit, and notes."""

import io
import zipfile

import openpyxl
import pytest
from pptx import Presentation

from qaviz.exports.decision_pack.pptx import LINE, TEXT_WIDTH, count_lines
from qaviz.report.decision import SIGN_OFF
from tests.exports.decision_pack.packs import pack_from, written

TITLES = (
    "Ship Pipeline1: 9 of 10 right, the only one that meets every criterion.",
    "Every question, every pipeline",
    "Pipelines",
    "Closeness against conciseness",
    "The five worst answers",
    "Comparison",
    "The golden dataset, and what is not known",
    "How it was measured",
    "Sign-off",
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


def test_the_scatter_is_a_chart_with_its_figures(sample):
    """Each pipeline's means are a point that people can edit, in the slide and in the workbook behind it."""
    (chart,) = charts(slides(sample))

    means = sample.record["pipelines"]
    assert [series.name for series in chart.plots[0].series] == ["Pipeline1", "Pipeline2", "Pipeline3"]
    assert [series.values[0] for series in chart.plots[0].series] == pytest.approx(
        [row["conciseness"] for row in means]
    )
    assert embedded(chart)["A2"].value == pytest.approx(means[0]["closeness"])


def test_each_section_is_a_slide_with_a_title_and_notes(sample):
    """Screen readers find a title, whoever presents finds notes, and the block to sign has its lines."""
    deck = slides(sample)

    assert [slide.shapes.title.text_frame.text for slide in deck.slides] == list(TITLES)
    assert all(slide.notes_slide.notes_text_frame.text for slide in deck.slides)
    assert set(SIGN_OFF) <= set(texts(deck.slides[8]))


def test_the_matrix_is_a_table_of_coloured_marks(sample):
    """A cell has the sign and the colour of what became of the response."""
    (shape,) = (shape for shape in slides(sample).slides[1].shapes if shape.has_table)

    looks = {(cell.text_frame.text, str(cell.fill.fore_color.rgb)) for cell in shape.table.iter_cells()}
    assert {("✗", "D55E00"), ("≈", "8A6FD1"), ("✓", "008F68")} <= looks


def test_no_text_of_the_sample_is_cut_but_long_explanations(sample):
    """Tables reach over the full width; no name, question or sentence ends in an ellipsis; of the worst answers the
    notes have the rest."""
    deck = slides(sample)

    assert not any("…" in text.replace("✓…", "") for at in (0, 1, 2, 5, 6, 7, 8) for text in texts(deck.slides[at]))
    tables = [shape for slide in list(deck.slides)[:3] for shape in slide.shapes if shape.has_table]
    assert all(abs(table.width - TEXT_WIDTH) < 100 for table in tables)


@pytest.mark.parametrize("pack", ["sample", "hostile"])
def test_nothing_leaves_the_slide_or_its_box(pack, request):
    """Whatever the texts, each shape lies on the slide, and no text is estimated to be longer than its box."""
    deck = slides(request.getfixturevalue(pack))

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
    sized = [(part.text, part.font.size) for part in shape.text_frame.paragraphs if part.text]
    return sum(count_lines(text, shape.width, int(size.pt)) * size * LINE for text, size in sized)


def test_hostile_texts_stay_texts(hostile):
    """No formula in a chart's workbook, no link, no link to a file elsewhere, and right-to-left names run so."""
    deck = slides(hostile)

    for chart in charts(deck):
        assert all(cell.data_type != "f" for row in embedded(chart).iter_rows() for cell in row)
        assert any(series.name.startswith(("=", "+")) for series in chart.plots[0].series)
    package = zipfile.ZipFile(io.BytesIO(written(hostile, ".pptx")))
    relations = [package.read(name).decode() for name in package.namelist() if name.endswith(".rels")]
    assert not any("External" in relation for relation in relations)
    shown = [text for slide in deck.slides for text in texts(slide)]
    assert any("<script>alert(1)</script>" in text for text in shown)
    assert not any("\x07" in text or "\u202e" in text for text in shown)
    assert any('rtl="1"' in package.read(name).decode() for name in package.namelist() if "/slides/slide" in name)


def test_long_names_stand_whole_in_tables_and_apart_in_charts(workspace):
    """Twelve long names of one family: each is whole in the notes, and no two are the same in the chart."""
    names = [f"a retrieval pipeline with a very long name, number {number}, and a tail" for number in range(12)]
    triplet = {"question": "Why?", "fact": "so", "answer": "so"}
    deck = slides(pack_from(workspace, [triplet], {name: ["so"] for name in names}))

    assert len({series.name for series in charts(deck)[0].plots[0].series}) == 12
    notes = deck.slides[2].notes_slide.notes_text_frame.text
    assert all(name in notes for name in names)
