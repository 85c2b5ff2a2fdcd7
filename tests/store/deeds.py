"""A workspace with something of everything, and each deed that writes to it as a call.

    python -m tests.store.deeds

Writes such a workspace of today to `older/N`, N being its version, its index as text: what later versions have to bring
up. Run once for each release, before a migration is added.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.model.records import Run, Verified
from qaviz.store import golden_versions, labels, maintenance, members, reviews, run_records, settings
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import EDITS, PASSAGES
from qaviz.store.index import INDEX_FILE, NEWEST
from qaviz.store.roles import Actor, Role
from qaviz.store.tables import TABLES
from qaviz.store.workspace import Workspace, open_backup
from tests.store.kept import GOLDEN, keep
from tests.store.reviews import keep_review, open_session

OLDER = Path(__file__).parent / "older"
NOW = datetime.now(UTC)
VERIFIED = Verified(verified_at=NOW, version="1", compared=1, differences=0)
PASSAGE = {
    **dict.fromkeys(("chunk", "document", "document_hash", "heading", "kind", "passage", "model", "prompt"), "é"),
    QUESTION_ID: "1",
    "start_at": 0,
    "end_at": 9,
    "flagged": True,
}


@dataclass(frozen=True)
class Team:
    """A workspace with a run, its golden dataset's versions, labels and a review."""

    home: Workspace
    run: Run

    def member(self, role: Role | None, *, reviews: bool = False) -> Workspace:
        subject = f"{role} {reviews}"
        if role:
            members.give_role(self.home, subject, role, reviews=reviews)
        return self.home.as_actor(Actor(subject, subject))


def make_team(workspace: Workspace) -> Team:
    """The workspace, filled."""
    members.give_role(workspace, "root", Role.OWNER)
    run = keep(workspace, "a run")
    given = pl.DataFrame({QUESTION_ID: ["1"], PIPELINE: ["A"], LABEL: ["correct"]})
    labels.keep_labels(workspace, run, "a person", given)
    keep_review(workspace, run.golden_id, GOLDEN)
    (first,) = golden_versions.versions(workspace, run.golden_id)
    edits = pl.DataFrame([["3", "fact", "Andy<OR>", None, "r"]], schema=EDITS, orient="row")
    golden_versions.keep_version(workspace, first, GOLDEN.head(2), edits, "an editor", "a reason")
    made_of = pl.DataFrame([PASSAGE], schema=PASSAGES)
    golden_versions.keep_generated(workspace, "a dataset", GOLDEN.head(1), made_of, "an author")
    return Team(workspace, run)


def one_row(**values: object) -> pl.DataFrame:
    return pl.DataFrame({name: [value] for name, value in values.items()})


def newest(home: Workspace, run: Run) -> golden_versions.GoldenVersion:
    return golden_versions.versions(home, run.golden_id)[-1]


def deeds(team: Team) -> dict[str, tuple[Deed, Callable[[Workspace], object]]]:
    """Each public function of the store that writes, as a call that does something."""
    home, run = team.home, team.run
    line, run_id = run.golden_id, run.run_id
    version = newest(home, run)
    said = pl.DataFrame({QUESTION_ID: ["1"], PIPELINE: ["A"], LABEL: ["declined"]})
    graded = pl.DataFrame([{QUESTION_ID: "1", PIPELINE: "A"}], schema=labels.GRADES_SCHEMA)
    rejected = one_row(question_id="1", rule="r", proposed="p")
    (session,) = reviews.review_sessions(home, line)
    held = open_session(home, line, 3).session
    given = reviews.find_next_item(home, held, "reader")
    assert given is not None
    accept = reviews.Decision(action=reviews.ACCEPT, note="fine")
    hashes = one_row(question_id="q2", triplet="other", chunk=None, document=None).cast(pl.String)
    doomed = keep(home, "doomed")
    deleted = keep(home, "gone")
    run_records.delete(home, deleted.run_id, "by")
    purged = keep(home, "purged")
    run_records.delete(home, purged.run_id, "by")
    record = run_records.find_record(home, purged.run_id)
    golden_versions.keep_rejections(home, line, one_row(question_id="2", rule="r", proposed="p"), "by")
    members.give_role(home, "leaving", Role.VIEWER)
    made = GOLDEN.with_columns(question=pl.lit("new"))
    correction = golden_versions.Correction(question="q", answer="a", fact="f")
    one_finding, one_form = (
        pl.DataFrame({name: ["1"] for name in schema}) for schema in (labels.TRIPLET_FINDINGS, labels.ANSWER_FORMS)
    )
    score = pl.DataFrame({"pair": [b"1"], "bertscore": [0.5]})
    risk = (line, "", "major", "possible", "medium", "why", "by")
    items, flags, edits = (schema.to_frame() for schema in (reviews.ITEMS, reviews.FLAGS, EDITS))
    calls: list[tuple[Any, ...]] = [
        (Deed.VERIFY, Workspace.keep_verified, run, VERIFIED),
        (Deed.EXPORT, partial(Workspace.note_export, run=run_id), "pack"),
        (Deed.RENAME, partial(run_records.describe, notes="n"), run_id, "by"),
        (Deed.ARCHIVE, run_records.archive, run_id, "by"),
        (Deed.UNARCHIVE, run_records.unarchive, run_id, "by"),
        (Deed.DELETE, run_records.delete, doomed.run_id, "x"),
        (Deed.UNDELETE, run_records.undelete, deleted.run_id, "by"),
        (Deed.BACKUP, partial(maintenance.clean, remove=False)),
        (Deed.PURGE, maintenance.purge, [record], "by"),
        (Deed.LABEL, labels.keep_labels, run, "me", said),
        (Deed.UNLABEL, labels.take_back_labels, run, "me"),
        (Deed.JUDGE, labels.keep_grades, run, "j", "m", {}, graded),
        (Deed.JUDGE, labels.keep_probes, run, "j", "m", {}, []),
        (Deed.TRUST, labels.trust_judge, run, "j", "for the demo"),
        (Deed.JUDGE, labels.keep_triplet_findings, line, "m", one_finding),
        (Deed.JUDGE, labels.keep_answer_forms, line, one_form),
        (Deed.BERTSCORE, labels.keep_bertscores, "m", score),
        (Deed.ACCEPT, golden_versions.keep_version, version, GOLDEN, edits, "by", "why"),
        (Deed.REJECT, golden_versions.keep_rejections, line, rejected, "by"),
        (Deed.UNREJECT, golden_versions.take_back_rejection, line, "2", "r", "p"),
        (Deed.GENERATE, golden_versions.keep_corrections, "drafts", {"9": correction}, "by"),
        (Deed.CLASSIFY, reviews.classify, *risk),
        (Deed.SESSION, reviews.enlarge_session, session, items, flags, "by"),
        (Deed.READ, reviews.refresh_items, session.session, hashes),
        (Deed.REVIEW, reviews.keep_draft, given, "reader", {"note": "n"}),
        (Deed.REVIEW, reviews.decide, held, given.item, "reader", accept),
        (Deed.UNREVIEW, reviews.undo_decision, held, "reader"),
        (Deed.ACCEPT, reviews.end_decisions, line, ["q0"], "the source is corrected"),
        (Deed.ACCEPT, golden_versions.renew_passages, line, ["q0"], "newer"),
        (Deed.SESSION, reviews.mark_applied, session.session, {0: "t"}, 2),
        (Deed.SESSION, reviews.close_session, session.session, "by"),
        (Deed.POLICY, settings.keep_policy, {}),
        (Deed.MEMBER, members.give_role, "new", Role.VIEWER),
        (Deed.MEMBER, members.take_role, "new"),
        (Deed.MEMBER, members.map_identity, "0af3", "leaving", "Leaving"),
    ]
    fresh = partial(golden_versions.keep_generated, name="fresh", golden=made, made_of=PASSAGES.to_frame(), by="by")
    named = {
        "workspace.save": (Deed.IMPORT, lambda w: keep(w, "new")),
        "golden_versions.keep_generated": (Deed.GENERATE, fresh),
        "reviews.start_session": (Deed.SESSION, lambda w: open_session(w, line, 3)),
    }
    for deed, call, *given_to in calls:
        function = getattr(call, "func", call)
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        named[name] = deed, lambda w, call=call, given_to=given_to: call(w, *given_to)
    return named


def write_workspace(folder: Path) -> None:
    """Write a workspace with a row in every table into the new folder, its index as the text `index.sql`."""
    team = make_team(open_backup(folder))
    for _, call in deeds(team).values():
        call(team.home)
    with team.home.locking() as transaction:  # of earlier versions
        profile = sa.insert(TABLES.tables["mapping_profiles"]).values(name="é", role="file", saved_at="", deed=1)
        transaction.execute(profile.values(columns=["q"], mapping={"q": "question"}))
        items = TABLES.tables["review_items"].c
        seen = sa.select(items.session, items.item, sa.literal("é")).limit(1)
        views = sa.insert(TABLES.tables["review_views"])
        transaction.execute(views.from_select(["session", "item", "viewer"], seen))
    with closing(sqlite3.connect(folder / INDEX_FILE)) as index:
        (folder / "index.sql").write_text("\n".join(index.iterdump()) + "\n", "utf-8")
    for file in folder.glob(f"{INDEX_FILE}*"):
        file.unlink()


if __name__ == "__main__":
    write_workspace(OLDER / str(NEWEST))
