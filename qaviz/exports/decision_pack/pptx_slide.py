"""Parts of a slide, each within its box: what does not fit is cut, and stands in full in the speaker notes."""

from collections.abc import Iterable, Sequence
from typing import cast

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.presentation import Presentation as Deck
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide
from pptx.text.text import TextFrame, _Paragraph
from pptx.util import Emu, Inches, Pt

from qaviz.exports.decision_pack.pptx_charts import Box
from qaviz.exports.decision_pack.texts import fit_text, lines_of, one_line, right_to_left
from qaviz.model.visible import visible

WIDTH, HEIGHT = Inches(13.333), Inches(7.5)
LEFT, TEXT_WIDTH = Inches(0.6), Inches(12.13)
TOP, BODY_HEIGHT = Inches(1.5), Inches(5.3)
BODY: Box = (LEFT, TOP, TEXT_WIDTH, BODY_HEIGHT)

FONT = "Arial"
INK, FAINT, BLUE = RGBColor(0x10, 0x18, 0x1F), RGBColor(0x5A, 0x67, 0x72), RGBColor(0x00, 0x60, 0x7F)
PALE, WHITE = RGBColor(0xF3, 0xF5, 0xF6), RGBColor(0xFF, 0xFF, 0xFF)

LINE = 1.25
"""Height of a line, in units of the type's size."""
POINT = 12_700
"""EMU in a point."""
LONGEST_NOTE = 20_000
"""Characters of a slide's notes."""

_TITLE_ONLY = 5
_TITLE_SIZES, _BODY_SIZES = (28, 24, 20), (20, 18, 16, 14, 12)


def new_deck() -> Deck:
    """An empty deck of wide slides, whose one layout is a title and room under it."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = WIDTH, HEIGHT
    for layout in [each for number, each in enumerate(deck.slide_layouts) if number != _TITLE_ONLY]:
        deck.slide_layouts.remove(layout)
    for master in (deck.slide_master, deck.slide_layouts[0]):
        for shape in list(master.placeholders):
            if shape.placeholder_format.type == 1:
                shape.left, shape.top, shape.width, shape.height = LEFT, Inches(0.4), TEXT_WIDTH, Inches(0.95)
            elif master is not deck.slide_master:
                shape._element.getparent().remove(shape._element)
    return deck


def add_slide(deck: Deck, title: str, footer: str, notes: Iterable[str]) -> Slide:
    """Add a slide with a title, a footer with its number, and speaker notes, a paragraph each."""
    slide: Slide = deck.slides.add_slide(deck.slide_layouts[0])
    # The layout has a title, and every notes page its text.
    frame = cast(Shape, slide.shapes.title).text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
    frame.margin_left = frame.margin_right = 0
    size, text = _choose_size(one_line(title), TEXT_WIDTH, Inches(0.95), _TITLE_SIZES)
    write_paragraph(frame.paragraphs[0], text, size, INK, bold=True)
    _add_footer(slide, footer)
    # A carriage return or the like has no place in XML, whatever slide it is on.
    cast(TextFrame, slide.notes_slide.notes_text_frame).text = "\n\n".join(map(visible, notes))[:LONGEST_NOTE]
    return slide


def _add_footer(slide: Slide, footer: str) -> None:
    line = (LEFT, HEIGHT - Inches(0.5), TEXT_WIDTH - Inches(1), Inches(0.3))
    add_text(slide, [footer], line, sizes=(10,), colour=FAINT)
    number = add_text(slide, [""], (LEFT + TEXT_WIDTH - Inches(1), line[1], Inches(1), line[3]), sizes=(10,))
    paragraph = number.text_frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.RIGHT
    paragraph._p.append(
        parse_xml(
            f'<a:fld {nsdecls("a")} id="{{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}}" type="slidenum">'
            f'<a:rPr lang="en-US" sz="1000"><a:solidFill><a:srgbClr val="{FAINT}"/></a:solidFill></a:rPr>'
            f"<a:t>{len(slide.part.package.presentation_part.presentation.slides)}</a:t></a:fld>"
        )
    )


def add_text(
    slide: Slide,
    paragraphs: Sequence[str],
    box: Box,
    *,
    sizes: Sequence[int] = _BODY_SIZES,
    colour: RGBColor = INK,
    bold: bool = False,
    bullets: bool = False,
) -> Shape:
    """Add paragraphs in the largest of the sizes in which all of them fit the box; the last one is cut if none does."""
    shape = slide.shapes.add_textbox(*map(Emu, box))
    frame = shape.text_frame
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    size, shown = _all_sized([visible(text) for text in paragraphs], box, sizes, bullets)
    for place, text in enumerate(shown):
        paragraph = frame.paragraphs[0] if not place else frame.add_paragraph()
        write_paragraph(paragraph, text, size, colour, bold)
        if bullets:
            _make_bullet(paragraph, size)
        paragraph.space_after = Pt(size * (LINE - 1) * 2 if bullets else 0)
    return shape


def _all_sized(paragraphs: list[str], box: Box, sizes: Sequence[int], bullets: bool) -> tuple[int, list[str]]:
    """A size, and as much of the paragraphs as fits in it."""
    for size in sizes:
        line, most = _room(box[2], box[3], size)
        spent = [lines_of(text, line - 1.5 * bullets) + 0.5 * bullets for text in paragraphs]
        if sum(spent) <= most:
            return size, paragraphs
    shown, left = [], float(most)
    for text, lines in zip(paragraphs, spent, strict=True):
        if left < 1:
            break
        shown.append(fit_text(text, line - 1.5 * bullets, int(left)))
        left -= lines
    return size, shown


def _choose_size(text: str, width: int, height: int, sizes: Sequence[int]) -> tuple[int, str]:
    size, shown = _all_sized([text], (0, 0, width, height), sizes, bullets=False)
    return size, shown[0]


def _room(width: int, height: int, size: int) -> tuple[float, int]:
    """Extent of a line, and how many lines there are."""
    return width / POINT / size, int(height / POINT / (size * LINE))


def write_paragraph(paragraph: _Paragraph, text: str, size: int, colour: RGBColor, bold: bool = False) -> None:
    """Write a text into a paragraph, from right to left where its script runs so."""
    paragraph.text = text.replace("\n", "\v")
    paragraph.font.size, paragraph.font.bold, paragraph.font.name = Pt(size), bold, FONT
    paragraph.font.color.rgb = colour
    paragraph.alignment = PP_ALIGN.LEFT
    if right_to_left(text):
        paragraph._p.get_or_add_pPr().set("rtl", "1")
        paragraph.alignment = PP_ALIGN.RIGHT


def _make_bullet(paragraph: _Paragraph, size: int) -> None:
    properties = paragraph._p.get_or_add_pPr()
    indent = int(size * POINT * 1.2)
    properties.set("marL", str(indent))
    properties.set("indent", str(-indent))
    properties.append(parse_xml(f'<a:buChar {nsdecls("a")} char="•"/>'))
