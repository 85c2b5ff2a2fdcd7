"""What a review has shown, as a record and in words: never more than the random sample supports."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import polars as pl

from qaviz.analysis.numbers import upper_bound
from qaviz.golden.versions import newest_version
from qaviz.judging.agreement import GraderAgreement, compare_graders
from qaviz.model.columns import GRADE, PIPELINE, QUESTION_ID
from qaviz.model.errors import stop
from qaviz.review import bound_wrong
from qaviz.review.session import settle_items
from qaviz.store import reviews
from qaviz.store.golden_versions import line_of, versions
from qaviz.store.workspace import Workspace

STOPPED = "Stopped: nothing joins this golden dataset before a review of it keeps its promise."


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What a review has shown. `met` is true only if all of the sample is settled, and few enough are wrong, or few
    enough are left after the wrong ones were corrected."""

    session: reviews.ReviewSession
    reviewed: int
    """Drawn triplets with all their decisions."""
    wrong: int
    """Drawn triplets that were settled as wrong: edited, deleted, or their source is wrong."""
    open: int
    """Drawn triplets with all their decisions, on which readers ask or disagree. The bound counts them as wrong."""
    wrong_by_kind: Mapping[str, int]
    """Triplets, drawn or flagged, by finding; one triplet may have several."""
    flagged: int
    """Triplets read only because something flags them: they do not count for the bound."""
    flagged_wrong: int
    upper_bound: float | None
    """The largest share that may be wrong, with the session's confidence; None before anything is reviewed."""
    corrected: int
    """Drawn triplets that were wrong and are corrected, or gone, in a version that this review made."""
    remaining_bound: float | None
    """The same bound for what is left after that; None where the sample says nothing of it."""
    method: str = "exact, one-sided, hypergeometric"
    met: bool
    why_not: tuple[str, ...]
    """What is missing for the promise, in words; none if it is met."""
    agreement: tuple[tuple[str, str, GraderAgreement], ...]
    readers: pl.DataFrame
    """As `measure_readers` returns them."""
    questions: tuple[str, ...]
    """Triplets that a reader asks about or readers disagree on, by question_id: open until they are settled."""
    open_items: tuple[int, ...]
    """Their items."""
    wrong_items: tuple[int, ...]
    """Drawn items that were settled as wrong."""
    drawn_from: int
    """Number of the version that the sample was drawn from."""
    newest: int
    """Number of the newest version."""
    changed: int
    """Triplets that were changed or removed after the draw other than by this review: the bound does not hold there."""

    @property
    def stopped(self) -> bool:
        """Whether more drawn triplets are wrong than allowed, and no correction keeps the promise. Then nothing more
        joins the golden dataset, for what made these made the others too."""
        return any(_list_wrong(self.session, self.wrong, self.corrected, self.remaining_bound))


def state_review(workspace: Workspace, session: str) -> Statement:
    """Return what the review has shown so far. Raises QavizError if there is no such session."""
    review = reviews.find_session(workspace, session)
    items, decisions = reviews.session_items(workspace, session), reviews.all_decisions(workspace, session)
    settled = settle_items(decisions, review.readers)
    own = _select_own(decisions).filter(pl.col("repeat_of").is_null()).group_by("item").len()
    done = set(own.filter(pl.col("len") >= review.readers)["item"])
    once = items.filter(pl.col("repeat_of").is_null())
    drawn = set(once.filter(pl.col("drawn") == reviews.RANDOM)["item"])
    flagged = set(once["item"]) - drawn
    wrong = {item for item, row in settled.items() if row["action"] not in (reviews.ACCEPT, reviews.ASK)}
    marked = _find_items_of_wrong_documents(once, settled)
    wrong, done = wrong | marked, done | marked
    unsettled = {item for item in done - marked if item not in settled or settled[item]["action"] == reviews.ASK}
    reviewed, open_ones = drawn & done, drawn & unsettled
    counted = len(drawn & wrong) + len(open_ones)
    names = dict(once.select("item", QUESTION_ID).iter_rows())
    numbers = {version.golden_id: version.number for version in versions(workspace, review.line)}
    upper = bound_wrong(review.population, len(reviewed), counted) if reviewed else None
    applied = {item: row for item, row in settled.items() if row["applied"] is not None}
    corrected = len(drawn & wrong & (applied.keys() | _find_items_of_wrong_documents(once, applied)))
    # At most `upper` of all were wrong: all but the corrected ones are left, among so many fewer if they were deleted.
    still = None if upper is None else max(upper * review.population - corrected, 0.0)
    left = None if still is None else still / max(review.population - corrected, 1)
    lacking = _list_missing(review, len(reviewed), len(open_ones), len(unsettled - drawn))
    why_not = (*lacking, *_list_wrong(review, len(drawn & wrong), corrected, left))
    return Statement(
        session=review,
        reviewed=len(reviewed),
        wrong=len(drawn & wrong),
        open=len(open_ones),
        wrong_by_kind=_count_kinds(settled, wrong),
        flagged=len(flagged & done),
        flagged_wrong=len(flagged & wrong),
        upper_bound=upper,
        corrected=corrected,
        remaining_bound=left,
        met=not why_not,
        why_not=why_not,
        agreement=tuple(compare_readers(decisions)),
        readers=measure_readers(decisions),
        questions=tuple(sorted(names[item] for item in unsettled if item in names)),
        open_items=tuple(sorted(unsettled & names.keys())),
        wrong_items=tuple(sorted(drawn & wrong)),
        drawn_from=numbers.get(review.golden_id, 1),
        newest=max(numbers.values(), default=1),
        changed=_count_changed(workspace, review, decisions, {names[item] for item in marked}),
    )


def _find_items_of_wrong_documents(items: pl.DataFrame, settled: Mapping[int, reviews.DecisionRow]) -> set[int]:
    """The items of documents that a settled decision calls wrong: each counts as wrong, read or not."""
    documents = {row["document"] for row in settled.values() if row["action"] == reviews.SOURCE_WRONG} - {None}
    return set(items.filter(pl.col("document").is_in([*documents]))["item"])


def _list_missing(review: reviews.ReviewSession, reviewed: int, open_ones: int, flagged_open: int) -> Iterator[str]:
    if reviewed < review.sample:
        yield f"{review.sample - reviewed:,} of the {review.sample:,} drawn triplets are not reviewed"
    if open_ones + flagged_open:
        yield f"{open_ones + flagged_open:,} reviewed triplets are open: a reader asks, or readers disagree"


def _list_wrong(review: reviews.ReviewSession, wrong: int, corrected: int, remaining: float | None) -> Iterator[str]:
    if wrong <= review.allowed_wrong or (corrected == wrong and remaining is not None and remaining <= review.at_most):
        return
    left = f"; after {corrected:,} corrections at most {upper_bound(remaining)}" if corrected and remaining else ""
    yield f"{wrong:,} drawn triplets are wrong, {review.allowed_wrong:,} were allowed{left}"


def _count_kinds(settled: Mapping[int, reviews.DecisionRow], wrong: set[int]) -> dict[str, int]:
    kinds: Counter[str] = Counter()
    for item in wrong:
        findings = settled[item]["findings"] if item in settled else [reviews.SOURCE_WRONG]
        kinds.update(findings or ["no finding named"])
    return dict(kinds.most_common())


def _count_changed(
    workspace: Workspace, review: reviews.ReviewSession, decisions: pl.DataFrame, marked: set[str]
) -> int:
    """Triplets that differ between the drawn version and the newest one, without those that this review changed."""
    newest = newest_version(workspace, review.line)
    if newest.golden_id == review.golden_id:
        return 0
    texts = [QUESTION_ID, "question", "answer", "fact"]
    old, new = (workspace.golden(golden_id).select(texts) for golden_id in (review.golden_id, newest.golden_id))
    changed = old.join(new, on=texts, how="anti", nulls_equal=True)
    applied = decisions.filter(pl.col("applied").is_not_null())
    own = pl.col(QUESTION_ID).is_in([*marked])
    return changed.filter(~own).join(applied, on=QUESTION_ID, how="anti").height


def _select_own(decisions: pl.DataFrame) -> pl.DataFrame:
    """The decisions of readers themselves, without skips and those of a third person."""
    return decisions.filter(~pl.col("adjudicates"), pl.col("action") != reviews.SKIP)


def measure_readers(decisions: pl.DataFrame) -> pl.DataFrame:
    """A row a reader, by name: `decided`, `seconds` an item (the median; null where nobody measured it), `repeated`
    (hidden repeats decided on) and `same_again` (how many as the first time). `decisions` has DECISIONS."""
    own = _select_own(decisions)
    first = own.select("reader", pl.col("item").alias("repeat_of"), pl.col("action").alias("first"))
    return (
        own.join(first, on=["reader", "repeat_of"], how="left")
        .group_by("reader")
        .agg(
            pl.col("repeat_of").is_null().sum().alias("decided"),
            pl.col("seconds").median(),
            pl.col("first").count().alias("repeated"),
            (pl.col("action") == pl.col("first")).sum().alias("same_again"),
        )
        .sort("reader")
    )


def compare_readers(decisions: pl.DataFrame) -> Iterator[tuple[str, str, GraderAgreement]]:
    """What every two readers call the items that both read: right, wrong, to ask; repeats and skips do not count."""
    own = _select_own(decisions).filter(pl.col("repeat_of").is_null())
    right, asks = pl.col("action") == reviews.ACCEPT, pl.col("action") == reviews.ASK
    call = pl.when(right).then(pl.lit("right")).when(asks).then(pl.lit("asks")).otherwise(pl.lit("wrong"))
    calls = own.select("reader", QUESTION_ID, pl.lit("").alias(PIPELINE), call.alias(GRADE))
    for first, second in combinations(sorted(set(own["reader"])), 2):
        first_calls, second_calls = (
            calls.filter(pl.col("reader") == reader).drop("reader") for reader in (first, second)
        )
        if first_calls.join(second_calls, on=QUESTION_ID, how="semi").is_empty():
            continue
        yield first, second, compare_graders(first_calls, second_calls)


def statements_of(workspace: Workspace, line: str) -> list[Statement]:
    """The statements of all reviews of the line, newest first: their history over its versions."""
    return [state_review(workspace, session.session) for session in reviews.review_sessions(workspace, line)]


def say_statement(statement: Statement) -> Iterator[str]:
    """The statement in sentences, the promise first."""
    yield from _say_result(statement)
    if statement.flagged:
        yield f"{statement.flagged_wrong:,} of {statement.flagged:,} triplets read because they are flagged are wrong."
    if statement.wrong_by_kind:
        yield "Found: " + ", ".join(f"{kind} {number:,}" for kind, number in statement.wrong_by_kind.items()) + "."
    if statement.questions:
        yield f"Open questions: {', '.join(statement.questions[:20])}{' …' if len(statement.questions) > 20 else ''}."
    if statement.changed:
        yield f"{statement.changed:,} triplets changed after the draw: the bound does not speak of their new texts."
    yield f"Drawn from version {statement.drawn_from}; the newest is version {statement.newest}."


def _say_result(statement: Statement) -> Iterator[str]:
    """The promise, met or not, and what was read."""
    review = statement.session
    promise = f"with {review.confidence:.0%} confidence at most {upper_bound(review.at_most)} of the triplets are wrong"
    if review.at_most == 0:
        promise = "every triplet is read, and none is wrong"
    verdict = "met" if statement.met else "not met"
    of = f' of the category "{review.category}"' if review.category else ""
    yield f"Review for {review.level} risk{of}: the promise ({promise}) is {verdict}."
    if statement.stopped:
        yield STOPPED
    yield from (f"Not met: {reason}." for reason in statement.why_not)
    yield (
        f"{statement.reviewed:,} of {review.sample:,} drawn triplets are reviewed, of {review.population:,} in all; "
        f"{statement.wrong:,} are wrong, {statement.open:,} are open."
    )
    if statement.upper_bound is not None:
        yield (
            f"With {review.confidence:.0%} confidence at most {upper_bound(statement.upper_bound)} of all triplets "
            f"were wrong when they were drawn ({statement.method}; open ones count as wrong)."
        )
    if statement.corrected and statement.remaining_bound is not None:
        left = upper_bound(statement.remaining_bound)
        yield f"{statement.corrected:,} of the wrong ones are corrected: at most {left} of the triplets are wrong now."


def review_sentences(workspace: Workspace, golden: str) -> list[str]:
    """What reviews have shown of this golden dataset version, by its content hash: the newest of each category. Says so
    where nobody has reviewed it, and where the version is not the one that was drawn from."""
    line = line_of(workspace, golden)
    newest = {session.category: session for session in reversed(reviews.review_sessions(workspace, line))}
    if not newest:
        return ["Nobody has reviewed this golden dataset."]
    sentences = []
    for session in newest.values():
        drawn = "" if session.golden_id == golden else " It was drawn from another version of this dataset."
        sentences.append(" ".join(_say_result(state_review(workspace, session.session))) + drawn)
    return sentences


def refuse_stopped(workspace: Workspace, line: str) -> None:
    """Raise QavizError where a review of this line, or of a category, has stopped it and no newer one is met."""
    settled = [state for state in reversed(statements_of(workspace, line)) if state.met or state.stopped]
    newest = {state.session.category: state for state in settled}
    stopped = [state for state in newest.values() if state.stopped]
    if stopped:
        session, wrong = stopped[0].session, stopped[0].wrong
        words = f"{wrong:,} wrong triplets in its sample, {session.allowed_wrong:,} allowed"
        expected = "a sample that keeps its promise, before more triplets are made"
        fix = f"Apply corrections (qaviz review apply --session {session.session}), then start a review that is met."
        raise stop(f"review {session.session}", words, expected, fix)
