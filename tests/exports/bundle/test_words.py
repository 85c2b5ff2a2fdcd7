"""qaviz.exports.bundle.words: the words of responses, packed."""

from dataclasses import replace

import polars as pl

from qaviz.analysis.response_card import response_cards
from qaviz.charts.word_board import board
from qaviz.exports.bundle.words import questions_in_part, word_parts
from qaviz.model.columns import ANSWER, OR_DELIMITER, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.store import Workspace
from tests.builders import save_sample


def stretches(text, marks, shared):
    """As the site takes them apart."""
    found, start = [], 0
    for length, style in zip(marks[::2], marks[1::2], strict=True):
        mark, evidence = shared[style]
        found.append({"text": text[start : start + length], "mark": mark, "evidence": evidence})
        start += length
    return found


def test_packed_words_are_those_of_the_question_page(workspace: Workspace):
    """For every response: the same marks at the same places, the same sums and the same sets as the page draws."""
    run = save_sample(workspace)
    golden, rows = workspace.golden(run.golden_id), workspace.rows(run)

    (part,) = word_parts(run, golden, rows, lambda *_: None)

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


def test_a_part_stays_small_however_many_pipelines_there_are(workspace: Workspace):
    """A part holds about the same number of responses, and at least one question."""
    run = save_sample(workspace)
    sizes = {n: questions_in_part(replace(run, pipelines=tuple(map(str, range(n))))) for n in (1, 3, 16, 1000)}
    assert sizes == {1: 200, 3: 66, 16: 12, 1000: 1}
