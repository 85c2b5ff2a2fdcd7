"""A review from its risk to its end: start it, enlarge it, bring it up to date, take decisions from a file, and apply
it as one version of the golden dataset.
"""

import secrets
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import polars as pl

from qaviz.documents import Document
from qaviz.golden.edits import edit
from qaviz.golden.versions import DELETED as GONE
from qaviz.golden.versions import KEPT_OUT, accept, add_back, newest_version
from qaviz.model.columns import ANSWER, CATEGORY, FACT, QUESTION, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.review import Level, draw_items, find_flags, flag_judged, hash_triplets, plan_review, triplet_hash
from qaviz.store import golden_versions, reviews
from qaviz.store.golden_versions import EDITS, NUMBER, RULE, GoldenVersion, kept_edits, passages, versions
from qaviz.store.labels import kept_triplet_findings
from qaviz.store.reviews import ACCEPT, ASK, DELETE, EDIT, SKIP, SOURCE_WRONG, WHOLE, ReviewSession
from qaviz.store.workspace import Workspace

_SHOWN = (QUESTION, ANSWER, FACT)
DECISION_KEYS: Mapping[str, str] = {ACCEPT: "a", EDIT: "e", DELETE: "d", SOURCE_WRONG: "w", ASK: "q", SKIP: "s"}
GUIDE: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("guide.toml").read_text("utf-8"))
"""What readers are shown: what each decision means, an example of each finding, and how to read."""


def start_review(
    workspace: Workspace,
    golden: str,
    level: Level,
    by: str,
    *,
    category: str = WHOLE,
    rows: pl.DataFrame | None = None,
    readers: int | None = None,
    pool: Sequence[str] = (),
    own_findings: tuple[str, ...] = (),
    guidelines: str = "",
    allowed_wrong: int = 0,
    at_most: float | None = None,
    seed: int | None = None,
) -> ReviewSession:
    """Draw and keep a review of the newest version of this golden dataset, by its content hash, or of a category. So
    many `readers` read each triplet, else as many as the level asks, of the `pool` if some are named. What the
    diagnosed `rows` of a run over it flag is read as well, and so is what a judge has found in the workspace. Raises
    QavizError if the dataset is not there, the category has no triplet, or the named readers are too few."""
    version = newest_version(workspace, golden)
    triplets = _select_category(workspace.golden(version.golden_id), category)
    plan = plan_review(triplets.height, level, at_most=at_most, allowed_wrong=allowed_wrong)
    readers, named = readers or plan.readers, tuple(dict.fromkeys(pool))
    _check_pool(named, readers)
    session = ReviewSession(
        **asdict(plan) | {"level": level.value, "readers": readers},
        session=uuid4().hex[:12],  # stands in an address and a file as it is
        line=version.line,
        golden_id=version.golden_id,
        category=category,
        pool=named,
        own_findings=own_findings,
        guidelines=guidelines,
        seed=secrets.randbelow(2**31) if seed is None else seed,
        started_by=by,
        started_at=datetime.now(UTC),
    )
    judged = flag_judged(triplets, kept_triplet_findings(workspace, version.golden_id))
    flags = pl.concat([find_flags(triplets, passages(workspace, version.line), rows), judged])
    reviews.start_session(workspace, session, _draw(workspace, session, triplets, flags), flags)
    return session


def _check_pool(pool: Sequence[str], readers: int) -> None:
    if pool and len(pool) < readers:
        least = f"at least {readers:,}, for so many people read each triplet"
        fix = "Start a review with more readers, or with none named: then everybody may read."
        raise stop("readers of the review", f"{len(pool):,}: {', '.join(pool)}", least, fix)


def promote_review(workspace: Workspace, session: str, level: Level, by: str) -> ReviewSession:
    """Enlarge the review for a riskier use; what was read stays and counts. Raises QavizError for a lower level."""
    review = reviews.find_session(workspace, session)
    if list(Level).index(level) <= list(Level).index(Level(review.level)):
        lower = f"{level}, where the review is for {review.level} risk"
        raise stop("review session", lower, "a higher level", "Start another review for a lower one.")
    plan = plan_review(review.population, level)
    larger = replace(review, **asdict(plan) | {"level": level.value, "readers": max(plan.readers, review.readers)})
    _check_pool(larger.pool, larger.readers)
    triplets = _select_category(workspace.golden(larger.golden_id), larger.category)
    none = reviews.FLAGS.to_frame()
    reviews.enlarge_session(workspace, larger, _draw(workspace, larger, triplets, none), none, by)
    refresh_review(workspace, session)
    return larger


def _draw(workspace: Workspace, session: ReviewSession, triplets: pl.DataFrame, flags: pl.DataFrame) -> pl.DataFrame:
    hashed = hash_triplets(triplets, passages(workspace, session.line))
    return draw_items(triplets, hashed, flags, session.sample, session.seed)


def _select_category(golden: pl.DataFrame, category: str) -> pl.DataFrame:
    triplets = golden.filter(pl.col(CATEGORY) == category) if category else golden
    if triplets.is_empty():
        there = ", ".join(map(str, golden[CATEGORY].drop_nulls().unique(maintain_order=True))) or "triplets"
        fix = "Choose another category, or the whole golden dataset."
        raise stop("review", f'no triplet of the category "{category}"', there, fix)
    return triplets


def refresh_review(workspace: Workspace, session: str) -> int:
    """End the decisions on triplets and passages that changed since; returns how many items are asked again."""
    review = reviews.find_session(workspace, session)
    golden = workspace.golden(newest_version(workspace, review.line).golden_id)
    return reviews.refresh_items(workspace, session, hash_triplets(golden, passages(workspace, review.line)))


FileRow = Mapping[str, str | None]
"""A row of a file of decisions: `item`; `triplet` (its hash), `question`, `answer` and `fact` as they were shown, null
where they are not checked; `action`; `findings`, separated by semicolons; `new_question`, `new_answer`, `new_fact`;
`note`."""


def import_decisions(workspace: Workspace, session: str, reader: str, rows: pl.DataFrame) -> tuple[int, int]:
    """Keep the reader's decisions; rows without an action, or with the decision that the reader has made, are left out.
    `rows` has the columns of FileRow. A decision that changed replaces the reader's, unless it was applied. Returns how
    many were kept, and how many could not be, because enough others read the item, it is not this reader's, or its
    triplet has changed since the file was written. Raises QavizError with every row that is no decision; nothing is
    kept then."""
    refresh_review(workspace, session)
    review = reviews.find_session(workspace, session)
    newest = versions(workspace, review.line)[-1].golden_id
    texts = workspace.golden(newest).select(QUESTION_ID, *_SHOWN)
    shown = reviews.session_items(workspace, session).select("item", "triplet", QUESTION_ID)
    items = {row["item"]: row for row in shown.join(texts, on=QUESTION_ID, how="left").iter_rows(named=True)}
    given: dict[int, tuple[int, reviews.Decision]] = {}
    problems: list[Problem] = []
    stale = 0
    for place, row in enumerate(rows.iter_rows(named=True), start=1):
        decision, named = _read_decision(row), (row["item"] or "").strip()
        if not decision.action:
            continue
        if not named.isdecimal() or len(named) > 20 or int(named) not in items:
            words = f'item "{row["item"]}"'
            problems.append(_row_problem(place, words, "an item of this review", "Keep the column item."))
            continue
        item = int(named)
        if row["triplet"] not in (None, items[item]["triplet"]):
            stale += 1
            continue
        first, decided = given.setdefault(item, (place, decision))
        if decided != decision:
            words = f'item {item}, "{decided.action}" in row {first} and "{decision.action}" here'
            problems.append(_row_problem(place, words, "one decision an item", "Take one of the rows out."))
        problems += _find_row_problems(review, decision, row, items[item], place)
    if problems:
        raise QavizError(*problems)
    own = reviews.own_decisions(workspace, session, reader).filter(pl.col("applied").is_null())
    made = {item: decision for item, *decision in own.select("item", "action", *_SHOWN).iter_rows()}
    changed = {
        item: decision
        for item, (_, decision) in given.items()
        if made.get(item) != [decision.action, decision.question, decision.answer, decision.fact]
    }
    for item in changed:
        if item in made:
            reviews.undo_decision(workspace, session, reader, item=item)
    still_open = set(reviews.list_open_items(workspace, session, reader))
    kept = [item for item in changed if item in still_open]
    for item in kept:
        reviews.decide(workspace, session, item, reader, changed[item])
    return len(kept), len(changed) - len(kept) + stale


def _row_problem(place: int, fault: str, expected: str, fix: str) -> Problem:
    return Problem(where=f"row {place}", found=fault, expected=expected, fix=fix)


def _find_row_problems(
    review: ReviewSession, decision: reviews.Decision, row: FileRow, item: Mapping[str, str | None], place: int
) -> Iterator[Problem]:
    """Yield what is no decision, and what its reader wrote where nothing would come of it."""
    try:
        reviews.checked_decision(review, decision)
    except QavizError as error:
        yield from (_row_problem(place, problem.found, problem.expected, problem.fix) for problem in error.problems)
    new = {name: row[f"new_{name}"] for name in _SHOWN if row[f"new_{name}"]}
    if new and decision.action != EDIT:
        words = f"the decision {decision.action} with {', '.join(f'new_{name}' for name in new)}"
        fix = "Write edit as the action, or empty these cells."
        yield _row_problem(place, words, "new texts of an edit alone", fix)
    elif new and all(_bare(text) == _bare(item[name]) for name, text in new.items()):
        words, fix = "an edit whose new texts are the old ones", "Write what is new, or accept."
        yield _row_problem(place, words, "a new question, answer or fact", fix)
    for name in _SHOWN:
        if row[name] is not None and _bare(row[name]) != _bare(item[name]):
            fix = f"Write it in new_{name} with the action edit, or empty the cell."
            words = f"another {name} than the triplet has"
            yield _row_problem(place, words, f"the column {name} as it was written", fix)


def _bare(text: str | None) -> str:
    """The text without what a spreadsheet changes: blanks and line ends."""
    return " ".join((text or "").split())


def _read_decision(row: FileRow) -> reviews.Decision:
    return reviews.Decision(
        action=(row["action"] or "").strip().lower(),
        findings=tuple(filter(None, map(str.strip, (row["findings"] or "").split(";")))),
        note=row["note"] or "",
        question=row["new_question"] or None,
        answer=row["new_answer"] or None,
        fact=row["new_fact"] or None,
    )


def settle_items(decisions: pl.DataFrame, readers: int) -> dict[int, reviews.DecisionRow]:
    """The decision that counts, by item: where enough readers agree, the last one's; a third person's of earlier
    versions.

    Readers agree if they say the same action; two edits agree if they write the same texts. Repeats and skips do not
    count. `decisions` has DECISIONS.
    """
    settled: dict[int, reviews.DecisionRow] = {}
    counted = decisions.filter(pl.col("repeat_of").is_null(), pl.col("action") != SKIP)
    for of_item in counted.partition_by("item", maintain_order=True):
        rows = cast("list[reviews.DecisionRow]", of_item.to_dicts())
        third = [row for row in rows if row["adjudicates"]]
        own = [row for row in rows if not row["adjudicates"]]
        alike = {(row["action"], row[QUESTION], row[ANSWER], row[FACT]) for row in own}
        if third:
            settled[third[-1]["item"]] = third[-1]
        elif len(own) >= readers and len(alike) == 1:
            settled[own[-1]["item"]] = own[-1]
    return settled


def apply_review(workspace: Workspace, session: str, by: str) -> GoldenVersion | None:
    """Make the settled edits, deletions and wrong sources one version of the golden dataset. Every triplet from a
    document that a reviewer called wrong is kept out of it. None where nothing is left to apply. Raises QavizError,
    ConflictError where somebody else has changed one of the triplets since; nothing is changed then."""
    refresh_review(workspace, session)
    review = reviews.find_session(workspace, session)
    version = newest_version(workspace, review.line)
    open_ones = reviews.all_decisions(workspace, session).filter(pl.col("applied").is_null())
    every = settle_items(open_ones, review.readers)
    settled = {item: row for item, row in every.items() if row["action"] in (EDIT, DELETE, SOURCE_WRONG)}
    if not settled:
        return None
    hashed = hash_triplets(workspace.golden(version.golden_id), passages(workspace, review.line))
    edits, gone = _collect_changes(hashed, list(settled.values()))
    why = f"review {session}: {len(settled):,} decisions"
    made = accept(workspace, version, edits, by, why, gone)
    now = {row[QUESTION_ID]: row for row in workspace.golden(made.golden_id).iter_rows(named=True)}
    texts = {item: now.get(row["question_id"]) for item, row in settled.items()}
    hashes = {item: triplet_hash(*(new[name] for name in _SHOWN)) if new else "" for item, new in texts.items()}
    reviews.mark_applied(workspace, session, hashes, made.number)
    return made


def _collect_changes(hashed: pl.DataFrame, rows: Sequence[reviews.DecisionRow]) -> tuple[pl.DataFrame, dict[str, str]]:
    """The edits (EDITS) that the decisions ask for, and the triplets that go, each with GONE or KEPT_OUT."""
    edits = [EDITS.to_frame()]
    for row in rows:
        if row["action"] == EDIT:
            texts = {QUESTION: row["question"], ANSWER: row["answer"], FACT: row["fact"]}
            new = {name: text for name, text in texts.items() if text is not None}
            edits += [edit(row["question_id"], name, text, "review") for name, text in new.items()]
    wrong = [row for row in rows if row["action"] == SOURCE_WRONG]
    documents = {row["document"] for row in wrong} - {None}
    of_wrong = hashed.filter(pl.col("document").is_in([*documents]))[QUESTION_ID]
    gone = dict.fromkeys([*of_wrong, *(row["question_id"] for row in wrong)], KEPT_OUT)
    gone |= {row["question_id"]: GONE for row in rows if row["action"] == DELETE}
    there = set(hashed[QUESTION_ID])
    return pl.concat(edits), {question: why for question, why in gone.items() if question in there}


def wrong_documents(workspace: Workspace, session: str) -> list[str]:
    """The documents that a settled decision of the review calls wrong."""
    readers = reviews.find_session(workspace, session).readers
    settled = settle_items(reviews.all_decisions(workspace, session), readers).values()
    return sorted({row["document"] for row in settled if row["action"] == SOURCE_WRONG and row["document"]})


def held_triplets(workspace: Workspace, line: str) -> pl.DataFrame:
    """The triplets that are kept out because their source is wrong, as they were, with `document` and `passage`."""
    all_versions = versions(workspace, line)
    newest = workspace.golden(all_versions[-1].golden_id)
    edits = kept_edits(workspace, line).filter(pl.col(RULE) == KEPT_OUT)
    tables = []
    for number in edits[NUMBER].unique(maintain_order=True).reverse():
        before = workspace.golden(all_versions[number - 2].golden_id)
        tables.append(before.join(edits.filter(pl.col(NUMBER) == number), on=QUESTION_ID, how="semi"))
    triplets = pl.concat(tables).unique(QUESTION_ID, keep="first", maintain_order=True) if tables else newest.clear()
    held = triplets.join(newest, on=QUESTION_ID, how="anti", maintain_order="left")
    kept = passages(workspace, line)
    sources = hash_triplets(held, kept).select(QUESTION_ID, "document")
    sources = sources.join(kept.select(QUESTION_ID, "passage", "document_hash"), on=QUESTION_ID, how="left")
    return held.join(sources, on=QUESTION_ID, how="left", maintain_order="left")


def bring_back(workspace: Workspace, line: str, name: str, corrected: Document, by: str) -> tuple[int, int]:
    """Read the new version of a document that was wrong: triplets whose passage stands in it come back, to be read.
    `name` is the document as the review knows it. Returns how many came back, and how many stay out because their
    passage is gone: generate from the document for those. Their decisions are ended. Raises QavizError if nothing of
    this document is kept out, or the document is the version that was called wrong."""
    held = held_triplets(workspace, line).filter(pl.col("document") == name)
    old = set(held["document_hash"].drop_nulls())
    if held.is_empty() or corrected.sha256 in old:
        words = "the version that was called wrong" if held.height else "no triplet that is kept out"
        raise stop(name, words, "a new version of a document that is wrong", "Correct it.")
    stands = [passage is None or passage in corrected.text for passage in held["passage"]]
    back = held.filter(pl.Series(stands, dtype=pl.Boolean))
    if back.height:
        golden = back.drop("document", "passage", "document_hash")
        golden_versions.renew_passages(workspace, line, back[QUESTION_ID].to_list(), corrected.sha256)
        add_back(workspace, line, golden, by, f"the source is corrected: {name}"[:1000])
        reviews.end_decisions(workspace, line, back[QUESTION_ID].to_list(), "source corrected")
    return back.height, held.height - back.height
