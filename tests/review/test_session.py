"""A review from its risk to its statement, over real workspaces, and the sample's."""

from collections import Counter
from dataclasses import replace
from random import Random

import polars as pl
import pytest

from qaviz.documents import BLOCKS, Document
from qaviz.exports.review_files import review_table
from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import CATEGORY, FACT, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.review import PROMISES, Level, Likelihood, Severity, classify_risk, hash_triplets, order_draw
from qaviz.review.sample_review import NAME, import_sample_review
from qaviz.review.session import (
    apply_review,
    bring_back,
    held_triplets,
    import_decisions,
    promote_review,
    refresh_review,
    start_review,
)
from qaviz.review.statement import refuse_stopped, review_sentences, say_statement, state_review, statements_of
from qaviz.stats import size_sample, upper_bound
from qaviz.store import reviews
from qaviz.store.golden_versions import PASSAGES, keep_generated, named_datasets, passages, versions
from qaviz.store.labels import TRIPLET_FINDINGS, keep_triplet_findings
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE, golden_table

N = 40
DELETES, SOURCE_IS_WRONG = (reviews.Decision(action=action) for action in (reviews.DELETE, reviews.SOURCE_WRONG))
ACCEPTS = reviews.Decision(action=reviews.ACCEPT)


def word(number: int) -> str:
    """A word of its own for each number."""
    return "".join("bdfgklmnrt"[int(digit)] + "aeiouaeiou"[int(digit)] for digit in f"{number * 7919:06d}")


def dataset(workspace: Workspace, size: int = N) -> str:
    """A generated golden dataset from three documents; its line."""
    rows = [
        {
            QUESTION_ID: f"q{n}",
            "question": f"Who leads the harbour {word(n)}?",
            "answer": f"The harbour {word(n)} is led by {word(n + 99).title()} Solheim.",
            FACT: f"{word(n + 99).title()} Solheim",
            CATEGORY: "ab"[n % 2],
        }
        for n in range(size)
    ]
    passage = {"chunk": "c", "document_hash": "d", "start_at": 0, "end_at": 9, "heading": "", "kind": "single fact"}
    passage |= {"passage": "It is so.", "model": "m", "prompt": "p", "flagged": False}
    made = [passage | {QUESTION_ID: f"q{n}", "document": f"{n % 3}.md"} for n in range(size)]
    golden = golden_table(rows)
    return keep_generated(workspace, "facts", golden, pl.DataFrame(made, PASSAGES), "Lea").line


def start(workspace: Workspace, level: Level, size: int = N, **rules: object) -> tuple[str, str]:
    """A dataset and a review of it: its line and its session."""
    line = dataset(workspace, size)
    return line, start_review(workspace, line, level, "Lea", **rules).session


def read_all(workspace: Workspace, session: str, reader: str, said: dict[str, reviews.Decision]) -> int:
    """Let the reader decide on everything; accepted where `said` has nothing."""
    number = 0
    while given := reviews.find_next_item(workspace, session, reader):
        reviews.decide(workspace, session, given.item, reader, said.get(given.question_id, ACCEPTS))
        number += 1
    return number


def test_a_clean_review_meets_its_promise(workspace: Workspace):
    """All drawn triplets accepted: the promise is met, with the exact bound; one short of that it is not."""
    _, session = start(workspace, Level.LOW)
    before = state_review(workspace, session)
    assert before.session.sample == size_sample(N, 0.05)
    assert (before.met, before.upper_bound) == (False, None)
    read_all(workspace, session, "Ana", {})
    said = state_review(workspace, session)
    assert said.met
    assert said.upper_bound == upper_bound(N, said.session.sample, 0)
    assert said.upper_bound <= 0.05
    assert said.readers["reader"].to_list() == ["Ana"]


def test_corrections_of_a_sample_do_not_vouch_for_the_rest(workspace: Workspace):
    """After its errors are corrected a sample still bounds what is left outside of it, and that breaks the promise."""
    _, session = start(workspace, Level.LOW, seed=7)
    read_all(workspace, session, "Ana", {f"q{n}": DELETES for n in range(0, N, 7)})
    assert apply_review(workspace, session, "Lea")
    found = state_review(workspace, session)
    assert found.corrected == found.wrong > 0
    assert not found.met
    left = found.upper_bound * N - found.corrected
    assert found.remaining_bound == left / (N - found.corrected)
    assert 0.05 < found.remaining_bound < found.upper_bound


def test_what_is_wrong_breaks_the_promise_and_becomes_one_version(workspace: Workspace):
    """Edits, deletions and a wrong source become one version; the statement counts them by kind.

    All was read, so the promise is broken until they are applied, and met from then on.
    """
    line, session = start(workspace, Level.CRITICAL, readers=1)
    said = {
        "q1": reviews.Decision(action=reviews.EDIT, fact="one", findings=("hallucination",)),
        "q2": reviews.Decision(action=reviews.DELETE, findings=("outdated", "duplicate")),
        "q4": SOURCE_IS_WRONG,
    }
    read_all(workspace, session, "Ana", said)
    assert not state_review(workspace, session).met
    made = apply_review(workspace, session, "Lea")
    assert made
    assert made.number == 2
    golden = workspace.golden(made.golden_id)
    of_document = N // 3
    assert golden.height == N - of_document - 1
    assert golden.filter(pl.col(QUESTION_ID) == "q4").is_empty()
    found = state_review(workspace, session)
    wrong = {f"q{n}" for n in range(1, N, 3)} | {"q1", "q2"}
    assert (found.wrong, found.corrected, found.met, found.changed) == (len(wrong), len(wrong), True, 0)
    assert found.remaining_bound == 0
    assert found.wrong_by_kind.items() >= {"hallucination": 1, "outdated": 1, "duplicate": 1}.items()
    assert found.upper_bound == upper_bound(N, N, len(wrong))
    assert apply_review(workspace, session, "Lea") is None
    assert len(versions(workspace, line)) == 2


def test_a_wrong_source_keeps_its_triplets_out_until_it_is_corrected(workspace: Workspace):
    """Every triplet of the document goes; the same version brings none back; a new one brings those back whose passage
    stands in it, and they are asked again."""
    line, session = start(workspace, Level.CRITICAL, readers=1)
    read_all(workspace, session, "Ana", {"q4": SOURCE_IS_WRONG})
    apply_review(workspace, session, "Lea")
    assert held_triplets(workspace, line)[QUESTION_ID].to_list() == [f"q{n}" for n in range(1, N, 3)]

    same = Document(name="1.md", sha256="d", text="It is so.", blocks=BLOCKS.to_frame())
    with pytest.raises(QavizError):
        bring_back(workspace, line, "1.md", same, "Lea")
    gone = replace(same, sha256="newer", text="It is otherwise.")
    assert bring_back(workspace, line, "1.md", gone, "Lea") == (0, N // 3)
    corrected = replace(same, sha256="newest", text="Before. It is so. After.")
    assert bring_back(workspace, line, "1.md", corrected, "Lea") == (N // 3, 0)
    assert newest_version(workspace, line).number == 3
    assert held_triplets(workspace, line).is_empty()
    refresh_review(workspace, session)
    assert state_review(workspace, session).wrong == 0
    assert read_all(workspace, session, "Ana", {}) >= N // 3
    assert state_review(workspace, session).met


def test_open_questions_count_as_wrong_for_the_bound(workspace: Workspace):
    """A triplet that a reader asks about is neither right nor wrong: the bound takes the worst, nothing is met."""
    _, session = start(workspace, Level.LOW)
    first = reviews.session_items(workspace, session).filter(pl.col("drawn") == reviews.RANDOM)[QUESTION_ID][0]
    read_all(workspace, session, "Ana", {first: reviews.Decision(action=reviews.ASK, note="Is it so?")})
    said = state_review(workspace, session)
    assert (said.met, said.open, said.wrong, said.questions) == (False, 1, 0, (first,))
    assert said.upper_bound == upper_bound(N, said.session.sample, 1)
    assert any("not met" in each for each in say_statement(said))


def test_readers_who_disagree_leave_it_open_until_one_decides_again(workspace: Workspace):
    """A disagreement is listed and open; a changed decision in a file replaces the reader's own; agreement has its
    interval."""
    _, session = start(workspace, Level.CRITICAL, 20)
    read_all(workspace, session, "Ana", {"q1": DELETES})
    read_all(workspace, session, "Bo", {})
    said = state_review(workspace, session)
    assert said.questions == ("q1",)
    ((_, _, both),) = said.agreement
    assert (both.compared, both.exact.value) == (20, pytest.approx(19 / 20))
    columns = ("question", "answer", "fact", "new_question", "new_answer", "new_fact", "triplet", "findings", "note")
    row = dict.fromkeys(columns) | {"item": str(said.open_items[0]), "action": reviews.ACCEPT}
    rows = pl.DataFrame([row], dict.fromkeys(row, pl.String))
    assert import_decisions(workspace, session, "Ana", rows) == (1, 0)
    assert import_decisions(workspace, session, "Ana", rows) == (0, 0)
    assert state_review(workspace, session).met


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ({"action": reviews.ACCEPT, "new_fact": "9 km"}, "new_fact"),
        ({"action": reviews.ACCEPT, "fact": "9 km"}, "another fact"),
        ({"action": reviews.EDIT, "new_fact": "the old fact"}, "old ones"),
        ({"item": "9" * 5_000}, "expected an item"),
        ({"action": "approve"}, "approve"),
    ],
)
def test_a_correction_that_would_be_lost_is_refused(workspace: Workspace, cells: dict[str, str], found: str):
    """Texts beside another decision than edit, in a column that is shown, that change nothing, or of no item: the row
    is named, and no row is kept."""
    _, session = start(workspace, Level.HIGH, 20)
    file = review_table(workspace, session, "Ana").with_columns(action=pl.lit(reviews.ACCEPT))
    old = file["fact"][1]
    written = {name: old if text == "the old fact" else text for name, text in cells.items()}
    (second, other) = file[1].with_columns(pl.lit(text).alias(name) for name, text in written.items()), file[0]
    with pytest.raises(QavizError, match=rf"row 2: found .*{found}"):
        import_decisions(workspace, session, "Ana", pl.concat([other, second, file[2:]]))
    assert reviews.all_decisions(workspace, session).is_empty()


def test_two_rows_of_one_item_agree_or_are_named(workspace: Workspace):
    """The same decision twice counts once; two decisions are a problem with both rows, and nothing is kept."""
    _, session = start(workspace, Level.HIGH, 20)
    file = review_table(workspace, session, "Ana").with_columns(action=pl.lit(reviews.ACCEPT))
    twice = pl.concat([file, file[0].with_columns(action=pl.lit(reviews.DELETE))])
    with pytest.raises(QavizError, match=rf"row {file.height + 1}: found .*row 1"):
        import_decisions(workspace, session, "Ana", twice)
    assert reviews.all_decisions(workspace, session).is_empty()
    assert import_decisions(workspace, session, "Ana", pl.concat([file, file[0]])) == (file.height, 0)


def test_named_readers_share_the_work(workspace: Workspace):
    """Each of a named pool gets their own items, in the file too; fewer than are asked for a triplet start nothing."""
    line = dataset(workspace, 20)
    with pytest.raises(QavizError, match="Ana"):
        start_review(workspace, line, Level.CRITICAL, "Lea", pool=("Ana", "Ana"))
    session = start_review(workspace, line, Level.HIGH, "Lea", pool=("Ana", "Bo")).session
    files = {reader: review_table(workspace, session, reader) for reader in ("Ana", "Bo")}
    assert [file.height for file in files.values()] == [10, 9]
    written = files["Bo"].with_columns(action=pl.lit(reviews.ACCEPT))
    assert import_decisions(workspace, session, "Ana", written) == (0, 9)
    assert import_decisions(workspace, session, "Bo", written) == (9, 0)
    assert import_decisions(workspace, session, "Bo", written.with_columns(action=pl.lit(reviews.DELETE))) == (9, 0)
    alone = start_review(workspace, line, Level.LOW, "Lea", pool=("Bo",)).session
    with pytest.raises(QavizError, match="Bo"):
        promote_review(workspace, alone, Level.CRITICAL, "Lea")


def test_flagged_triplets_are_read_on_top_and_do_not_count(workspace: Workspace):
    """A triplet that was not drawn and that a judge finds wrong is read, beside the judge's quotation; that it is wrong
    does not move the bound. A finding that supports a triplet, or is about other texts, flags nothing."""
    line, probe = start(workspace, Level.VERY_LOW, seed=7)
    drawn = reviews.session_items(workspace, probe)[QUESTION_ID].implode()
    others = workspace.golden(line).filter(~pl.col(QUESTION_ID).is_in(drawn)).head(3)
    judged = [
        row | {"finding": finding, "quotation": "It is so.", "why": "Otherwise there."}
        for row, finding in zip(
            others.select(QUESTION_ID, "question", "answer", FACT).to_dicts(),
            ("hallucinated", "supported", "hallucinated"),
            strict=True,
        )
    ]
    judged[2]["answer"] = "an older answer"
    keep_triplet_findings(workspace, line, "m", pl.DataFrame(judged, TRIPLET_FINDINGS))
    session, wrong = start_review(workspace, line, Level.VERY_LOW, "Lea", seed=7).session, others[QUESTION_ID][0]
    read_all(workspace, session, "Ana", {wrong: DELETES})
    said = state_review(workspace, session)
    assert (said.flagged, said.flagged_wrong, said.wrong, said.met) == (1, 1, 0, True)
    item = reviews.session_items(workspace, session).filter(pl.col(QUESTION_ID) == wrong)["item"][0]
    assert "“It is so.”" in dict(reviews.seen_flags(workspace, session, item, "Ana"))["judge"]


def test_promotion_keeps_what_was_done(workspace: Workspace):
    """A riskier use draws more of the same order; decisions stay, and the promise is open again."""
    _, session = start(workspace, Level.VERY_LOW)
    read_all(workspace, session, "Ana", {})
    done = reviews.all_decisions(workspace, session)
    larger = promote_review(workspace, session, Level.HIGH, "Lea")
    said = state_review(workspace, session)
    assert larger.sample == size_sample(N, 0.01)
    assert not said.met
    assert said.reviewed == done.filter(pl.col("repeat_of").is_null()).height
    read_all(workspace, session, "Ana", {})
    assert state_review(workspace, session).met
    with pytest.raises(QavizError):
        promote_review(workspace, session, Level.LOW, "Lea")


def test_a_wrong_sample_stops_the_batch(workspace: Workspace):
    """More wrong than allowed: the statement says so and nothing joins the dataset, corrected or not, until a review of
    it keeps its promise."""
    line, session = start(workspace, Level.LOW)
    wrong = reviews.session_items(workspace, session)[QUESTION_ID][0]
    refuse_stopped(workspace, line)
    read_all(workspace, session, "Ana", {wrong: DELETES})
    stated = state_review(workspace, session)
    assert (stated.wrong, stated.stopped) == (1, True)
    assert any("Stopped" in sentence for sentence in say_statement(stated))
    with pytest.raises(QavizError, match="1 wrong triplets"):
        refuse_stopped(workspace, line)
    apply_review(workspace, session, "Lea")
    begun = start_review(workspace, line, Level.LOW, "Lea").session
    with pytest.raises(QavizError):
        refuse_stopped(workspace, line)
    read_all(workspace, begun, "Ana", {})
    assert state_review(workspace, begun).met
    refuse_stopped(workspace, line)


def test_a_triplet_that_changed_is_asked_again(workspace: Workspace):
    """Somebody edits a reviewed triplet in Curation: its decision is void, the promise is not met until it is read."""
    line, session = start(workspace, Level.HIGH)
    read_all(workspace, session, "Ana", {})
    first = reviews.session_items(workspace, session)[QUESTION_ID][0]
    accept(workspace, newest_version(workspace, line), edit(first, FACT, "another"), "Bo", "better")
    assert refresh_review(workspace, session) >= 1
    said = state_review(workspace, session)
    assert (said.met, said.changed) == (False, 1)
    assert read_all(workspace, session, "Ana", {}) >= 1


def test_the_draw_is_seeded_nested_and_stratified(workspace: Workspace):
    """The same seed draws the same; any beginning of the order has each stratum in proportion, one more or less."""
    line = dataset(workspace)
    golden = workspace.golden(line)
    hashed = hash_triplets(golden, passages(workspace, line))
    order = order_draw(golden, hashed, 3)
    assert order == order_draw(golden, hashed, 3)
    assert order != order_draw(golden, hashed, 4)
    document = dict(hashed.select(QUESTION_ID, "document").iter_rows())
    category = dict(golden.select(QUESTION_ID, CATEGORY).iter_rows())
    for size in (12, 30, 48):
        counted = Counter((document[each], category[each]) for each in order[:size])
        assert max(counted.values()) - min(counted.values()) <= 2


def test_simulated_reviews_cover_the_truth(workspace: Workspace):
    """Over 400 seeds the bound of a stratified draw holds for the true share at least 95 % of the time."""
    line = dataset(workspace)
    golden = workspace.golden(line)
    hashed = hash_triplets(golden, passages(workspace, line))
    spread, of_one_document = set(Random(5).sample([f"q{n}" for n in range(N)], 6)), {f"q{n}" for n in range(0, 18, 3)}
    samples = [set(order_draw(golden, hashed, seed)[:25]) for seed in range(400)]
    for wrong in (spread, of_one_document):
        held = sum(upper_bound(N, 25, len(wrong & sample)) >= len(wrong) / N for sample in samples)
        assert held / 400 >= 0.95


def test_each_cell_of_the_matrix_and_a_riskier_level_promises_more():
    """Each severity's row, from rare to frequent; the share that may be wrong falls from level to level, to none."""
    v, low, m, h, critical = Level
    rows = [
        (v, v, v, v, low),
        (v, v, low, low, m),
        (v, low, m, m, h),
        (v, low, m, h, critical),
        (low, m, h, critical, critical),
    ]
    assert [tuple(classify_risk(severity, likely) for likely in Likelihood) for severity in Severity] == rows
    assert [PROMISES[level] for level in Level] == sorted(PROMISES.values(), reverse=True)
    assert PROMISES[critical] == 0


def test_the_sample_has_a_closed_review_and_an_open_one(workspace: Workspace):
    """The first review finds the hallucinated and the outdated triplets, became version 2, where the figure is
    right and the outdated ones are kept out, which meets its promise; the second is begun."""
    import_sample_review(SAMPLE, workspace)
    line = named_datasets(workspace)[NAME]
    second, first = statements_of(workspace, line)
    assert (first.wrong, first.open, first.met) == (3, 0, True)
    assert first.wrong_by_kind == {"outdated": 2, "hallucination": 1}
    assert "is met" in next(say_statement(first))
    assert "is not met" in review_sentences(workspace, line)[0]
    golden = workspace.golden(versions(workspace, line)[-1].golden_id)
    assert golden.filter(pl.col(QUESTION_ID) == "hl-margin")[FACT].item() == "5.8%"
    assert held_triplets(workspace, line)[QUESTION_ID].to_list() == ["hl-board-fare", "hl-jacket"]
    assert (second.met, second.drawn_from, second.session.population) == (False, 2, 10)
    assert second.readers["decided"].to_list() == [4]
