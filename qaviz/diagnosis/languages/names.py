"""Names of persons as a response in another language gives them: with a title, or by the surname alone."""

import re

from qaviz.diagnosis.languages.reading import Reading, substitute


def without_title(read: Reading) -> Reading:
    """The text without `Mr` or `Mrs` before a name: who is asked for is named with and without."""
    return substitute(read, _TITLE, lambda _: "")


def with_full_name(read: Reading, golden: str) -> Reading:
    """The text with the golden name where only its surname stands before a title, as Japanese names people."""
    name = golden.strip()
    if not _FULL_NAME.fullmatch(name) or name in read.text:
        return read
    called = re.compile(
        rf"(?<![\u3400-\u9fff]){name[:_SURNAME]}(?= ?(?:mr\b|先生|教授|博士|選手|監督|[\u4e00-\u9fff]{{0,3}}長))"
    )
    return substitute(read, called, lambda _: f"{name} ")


_FULL_NAME = re.compile("[\u4e00-\u9fff]{3,5}")
_SURNAME = 2
"""Letters of most Japanese surnames."""
_TITLE = re.compile(r"^\s*(?:mr|mrs) (?=\w)")
