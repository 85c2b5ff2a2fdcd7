"""Text to tokens, once a text: amounts, dates, codes, denials, with what qualifies each and where it stands."""

from qaviz.reading.equal import Comparison, Relation, best, compare
from qaviz.reading.level import level_text, sentences, without_marks
from qaviz.reading.read import tokens
from qaviz.reading.tables import detect_language
from qaviz.reading.token import Date, Granularity, Kind, Number, Token

__all__ = ["Comparison", "Date", "Granularity", "Kind", "Number", "Relation", "Token"]
__all__ += ["best", "compare", "detect_language", "level_text", "sentences", "tokens", "without_marks"]
