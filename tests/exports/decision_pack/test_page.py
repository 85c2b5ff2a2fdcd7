"""The interactive page of a decision pack: what it brings and holds, and scripts that compute what the app computes."""

import base64
import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from html.parser import HTMLParser
from typing import Any

import orjson
import polars as pl
import pytest
from py_mini_racer import MiniRacer

from qaviz.analysis import numbers
from qaviz.analysis.response_card import response_cards
from qaviz.charts.word_board import board
from qaviz.exports.decision_pack import Content, html
from qaviz.exports.decision_pack.html import SITE, embed_json, pack_table, questions_in_part, word_parts
from qaviz.model.columns import ANSWER, OR_DELIMITER, PIPELINE, QUESTION_ID, RESPONSE


class Page(HTMLParser):
    """What a browser finds in the page: its policy, scripts, styles and data blocks."""

    def __init__(self, content: Content) -> None:
        super().__init__(convert_charrefs=True)
        self.policy = ""
        self.inline: dict[str, list[str]] = {"script": [], "style": []}
        self.blocks: dict[str, object] = {}
        self.addresses: list[str] = []
        self._inside: tuple[str, str | None] | None = None
        stream = io.BytesIO()
        html.write(content, stream)
        self.feed(stream.getvalue().decode())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.addresses += [given[name] for name in ("src", "href") if name in given]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        self._inside = (tag, given.get("id")) if tag in self.inline else None

    def handle_data(self, data):
        if self._inside is None:
            return
        tag, block = self._inside
        if block:
            self.blocks[block] = json.loads(data)
        else:
            self.inline[tag].append(data)

    def handle_endtag(self, _):
        self._inside = None


def test_the_page_brings_all_it_needs(sample: Content):
    """One page with its script and style, each allowed by its hash alone, and no address outside of itself."""
    page = Page(sample)

    for tag in ("script", "style"):
        (text,) = page.inline[tag]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in page.policy
    assert page.policy.startswith("default-src 'none'")
    assert "unsafe" not in page.policy
    assert [address[:15] for address in page.addresses] == ["data:image/svg+x"[:15]]


def test_the_page_says_what_the_other_formats_say(sample: Content):
    """Lead, points, what is not known, provenance and thresholds are those that the content gathered."""
    run = Page(sample).blocks["data-run"]

    assert run["overview"]["lead"] == sample.lead
    assert run["overview"]["points"] == list(sample.points)
    assert run["overview"]["unknown"] == list(sample.unknown)
    assert dict(run["about"]["facts"]).items() <= dict(sample.measured).items()
    assert [threshold["value"] for threshold in run["about"]["thresholds"]] == list(
        asdict(sample.run.thresholds).values()
    )


def test_a_large_run_lists_its_first_questions_and_counts_all(sample: Content, monkeypatch: pytest.MonkeyPatch):
    """Beyond the limit whole questions are left out of the list and said; the report's figures stay those of all."""
    whole = Page(sample).blocks["data-run"]
    monkeypatch.setattr(html, "MOST_RESPONSES", 10)

    cut = Page(sample).blocks["data-run"]

    assert cut["questions"]["question_id"] == whole["questions"]["question_id"][:3]
    assert len(cut["responses"]["response"]) == 9
    assert cut["overview"] == whole["overview"]
    assert any("first 3 of 10 questions" in sentence for sentence in cut["about"]["listed"])
    assert not any("first" in sentence for sentence in whole["about"]["listed"])


def unpacked(column):
    return column if isinstance(column, list) else [column["of"][place] for place in column["at"]]


@pytest.mark.parametrize(
    "values",
    [["a", "b", "c"], ["a", "a", None, "a", "b", "a"], [None, None, None], [0.5, 1.0, 0.5, 0.5, None], ["x"], []],
)
def test_a_column_comes_back_as_it_was(values):
    """Written as a list or by its distinct values, a column holds the same values in the same order, nulls too."""
    assert unpacked(pack_table(pl.DataFrame({"column": values}))["column"]) == values


def test_few_distinct_values_are_written_once():
    """A text that a thousand rows share stands in the file once."""
    assert embed_json(pack_table(pl.DataFrame({"column": ["a long text"] * 1000}))).count(b"a long text") == 1


HOSTILE = "</script><script>alert(1)</script> <!-- --> ]]> & \u2028 \u2029 \x00 \ud7ff 🙂 \\u003c"


def test_no_text_ends_the_script_that_holds_it():
    """The JSON holds no sign that HTML or JavaScript gives a meaning, and reads back as it was."""
    written = embed_json({HOSTILE: [HOSTILE]})

    assert not set("<>&\u2028\u2029") & set(written.decode())
    assert json.loads(written) == {HOSTILE: [HOSTILE]}


def stretches(text, marks, shared):
    """As the site takes them apart."""
    found, start = [], 0
    for length, style in zip(marks[::2], marks[1::2], strict=True):
        mark, evidence = shared[style]
        found.append({"text": text[start : start + length], "mark": mark, "evidence": evidence})
        start += length
    return found


def test_packed_words_are_those_of_the_question_page(sample: Content):
    """For every response: the same marks at the same places, the same sums and the same sets as the page draws."""
    run, golden, rows = sample.run, sample.golden_dataset, sample.rows

    (part,) = word_parts(sample, golden)

    shared = part["shared"]
    for triplet, packed in zip(golden.iter_rows(named=True), part["questions"], strict=True):
        own = rows.filter(pl.col(QUESTION_ID) == triplet[QUESTION_ID])
        drawn = board(triplet, response_cards(own, run.pipelines, run.thresholds))
        assert packed["triplet"] == drawn["triplet"]
        for card, expected in zip(packed["cards"], drawn["cards"], strict=True):
            row = rows.row(card["row"], named=True)
            variant = (row[ANSWER] or "").split(OR_DELIMITER)[card["variant"]]
            assert row[PIPELINE] == expected["pipeline"]
            assert stretches(row[RESPONSE], card["response"], shared) == list(expected["response"])
            assert stretches(variant, card["golden"], shared) == list(expected["golden"])
            assert [[shared[text] for text in each] for each in card["sums"]] == [
                [each["label"], each["value"], each["working"], each["help"]] for each in expected["sums"]
            ]
            words = " ".join(words for *_, words in card["words"]).split()
            assert [[words[place] for place in order] for order in card["compared"]] == [
                [stretch["text"] for stretch in text] for text in expected["compared"]
            ]
            assert [(shared[mark], title, words.split()) for mark, title, words in card["words"]] == [
                (each["mark"], each["title"], list(each["words"])) for each in expected["words"]
            ]


def test_a_part_stays_small_however_many_pipelines_there_are(sample: Content):
    """A part holds about the same number of responses, and at least one question."""
    sizes = {n: questions_in_part(replace(sample.run, pipelines=tuple(map(str, range(n))))) for n in (1, 3, 16, 1000)}
    assert sizes == {1: 200, 3: 66, 16: 12, 1000: 1}


PAGE = """
const location = { hash: "" };
const blocks = {};
const document = { getElementById: (name) => blocks[name] ? { textContent: blocks[name] } : null };
const window = {};
"""
"""What the scripts ask of a browser before anything is drawn: an address, and the page's blocks of data."""

RUN = {
    "pipelines": [{"name": "a"}, {"name": "b"}],
    "diagnoses": [{"name": "correct"}, {"name": "declined"}],
    "questions_in_part": 2,
    "questions": {
        "question_id": ["q1", "q2"],
        "question": ["Who?", "When?"],
        "answer": ["Ada", None],
        "fact": ["Ada", "1998"],
    }
    | {"category": ["people", None]},
    "responses": {"question": [0, 0, 1], "pipeline": [0, 1, 1], "response": ["Ada", "Bob", "In 1998"]}
    | {"diagnosis": ["correct", "correct", "declined"]},
}

Run = Callable[[str], Any]


def context(*names: str, before: str = "") -> Run:
    """Run these files of the site in one scope, as the page does; returns what evaluates an expression to a value."""
    engine = MiniRacer()
    engine.eval("\n".join([PAGE, before, *((SITE / f"{name}.js").read_text("utf-8") for name in names)]))
    return lambda expression: orjson.loads(engine.eval(f"JSON.stringify({expression})"))


@pytest.fixture(scope="module")
def written() -> Run:
    return context("numbers")


@pytest.mark.parametrize(
    "share", [0.0, 0.001, 0.0049, 0.005, 0.0151, 0.125, 0.3333, 0.375, 0.5, 0.545, 0.994, 0.9951, 0.9999, 1.0]
)
def test_percentages_are_those_of_the_app(written: Run, share: float):
    """Shares near none and near all keep saying so."""
    assert written(f"percent({share})") == numbers.percent(share).replace("\N{NO-BREAK SPACE}", "")


@pytest.mark.parametrize("number", [0, 1, 999, 1_008, 1_000_000])
def test_counts_and_plurals_are_those_of_the_app(written: Run, number: int):
    """Thousands are set apart, and one is singular."""
    assert written(f"count({number})") == numbers.count(number)
    assert written(f'plural({number}, "question")') == numbers.plural(number, "question")


@pytest.mark.parametrize("value", [None, 0.0, 0.005, 0.125, 0.375, 0.545, 0.666, 0.875, 1.0])
def test_scores_are_those_of_the_app(written: Run, value: float | None):
    """A score that is not there is a dash, and never zero."""
    assert written(f"score({orjson.dumps(value).decode()})") == numbers.score(value)


@pytest.mark.parametrize("column", [[], ["a"], ["a", "b", "a", "a", "b"] * 20, [None, 1, None], list(range(300))])
def test_columns_are_unpacked_as_they_were(column: list[Any]):
    """What `pack_table` writes, few distinct values once, the script reads back value by value."""
    read = context("data", before=f"blocks['data-run'] = {orjson.dumps(orjson.dumps(RUN).decode()).decode()};")

    written = pack_table(pl.DataFrame({"column": column}))["column"]

    assert read(f"column({orjson.dumps(written).decode()})") == column


def test_the_run_is_indexed_by_question_and_pipeline():
    """Each question knows the row of each pipeline's response, null where there is none."""
    read = context("data", before=f"blocks['data-run'] = {orjson.dumps(orjson.dumps(RUN).decode()).decode()};")

    assert read("rowsOf()") == [[0, 1], [None, 2]]
    assert read("categories") == ["people"]
    assert read('[responseHolds(2, "1998"), responseHolds(0, "1998")]') == [True, False]


@pytest.mark.parametrize(
    ("hash", "page", "id"),
    [
        ("", "overview", ""),
        ("#/question/a%2Fb", "question", "a/b"),
        ("#/question/%E0%A4%A", "question", "%E0%A4%A"),
        ("#/diagnostics?diagnosis=declined", "diagnostics", ""),
    ],
    ids=["none", "an id with a slash", "a broken escape", "a filter"],
)
def test_addresses_name_page_and_question(hash: str, page: str, id: str):
    """What stands after # is read as page and id, also where its escapes are broken."""
    parameters = "class URLSearchParams { constructor(text) { this.text = text; } }"
    read = context("address", before=f"{parameters}\nlocation.hash = {orjson.dumps(hash).decode()};")

    assert read("[address().page, address().id]") == [page, id]
