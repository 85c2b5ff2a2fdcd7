"""The page Curation: findings decided one by one or all at once, edits by hand, history; what a version changed."""

from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, QUESTION_ID
from qaviz.runs import save_rescored
from qaviz.store.golden_versions import kept_edits, kept_rejections, versions
from tests.screen import drawn, open_named, open_page, press, texts

RULE_OF_VARIANTS = "seen-variant"


curation = partial(open_named, "golden")


def new_text(app: AppTest):
    return next(area for area in app.text_area if area.label.startswith("The new"))


def facts(app: AppTest, key: str = "suggestion") -> list[str]:
    """Factual Knowledge of each pipeline, as the preview says it would be."""
    return [row["cells"][2]["text"] for row in drawn(app, f"{key}_facts")["rows"]]


def listed(app: AppTest) -> list[str]:
    return [row["cells"][0]["text"] for row in drawn(app, "findings")["rows"]]


def line(workspace, sample):
    return versions(workspace, sample.golden_id)


def test_a_suggestion_shows_what_it_changes_and_is_accepted(sample, workspace):
    """The preview says whose Factual Knowledge rises; accepting makes a version with who, why and rule, and the finding
    is gone."""
    app = curation(rule=RULE_OF_VARIANTS, question="cash")
    assert facts(app) == ["= 8 of 10 · 80%", "▲ 5 of 10 · 50%", "= 5 of 10 · 50%"]
    before = listed(app)
    press(app, "finding_accept")

    made = line(workspace, sample)[-1]
    assert (made.number, made.made_by) == (2, "Ana")
    assert kept_edits(workspace, made.line).select(QUESTION_ID, "rule").rows() == [("cash", RULE_OF_VARIANTS)]
    assert listed(app) == [each for each in before if each != "cash"]
    assert "Saved as version 2." in texts(app)
    press(app, "accepted_undo")
    assert newest_version(workspace, sample.golden_id).number == 3
    assert facts(app) == ["= 8 of 10 · 80%", "▲ 5 of 10 · 50%", "= 5 of 10 · 50%"]


def test_a_suggestion_is_changed_before_it_is_accepted(sample, workspace):
    """What the reader writes is previewed and accepted, with the reader's reason, under the rule that led to it."""
    app = curation(rule=RULE_OF_VARIANTS, question="cash")
    new_text(app).set_value("billion").run()
    assert facts(app)[2] == "▲ 6 of 10 · 60%"
    assert [row["cells"][1]["text"] for row in drawn(app, "suggestion_mistakes")["rows"]] == [
        "! lost match",
        "! wrong match",
    ]
    next(field for field in app.text_input if field.label == "Why").set_value("as short as can be").run()
    press(app, "finding_accept")

    assert line(workspace, sample)[-1].why == "as short as can be"
    assert kept_edits(workspace, sample.golden_id)["after"].to_list() == ["billion"]


def test_a_rejected_suggestion_stays_away_until_it_is_taken_back(sample, workspace):
    """Rejecting is remembered for the next visit; the history has it, and gives it back."""
    app = curation(rule=RULE_OF_VARIANTS, question="cash")
    number = len(listed(app))
    press(app, "finding_reject")
    assert "cash" not in listed(curation(rule=RULE_OF_VARIANTS))
    assert kept_rejections(workspace, sample.golden_id)["rejected_by"].to_list() == ["Ana"]
    assert len(line(workspace, sample)) == 1

    history = curation(curate="History")
    press(history, "rejected_back")
    assert len(listed(curation(rule=RULE_OF_VARIANTS))) == number


def test_all_suggestions_of_a_rule_at_once(sample, workspace):
    """Findings stand in a row a rule with what its suggestions set right together, which is previewed and becomes one
    version."""
    app = curation(rule=RULE_OF_VARIANTS)
    number = len(listed(app))
    rows = {row["id"]: [cell["text"] for cell in row["cells"]] for row in drawn(curation(), "rules")["rows"]}
    gains = [row["cells"][4]["text"] for row in drawn(app, "findings")["rows"]]
    assert rows[RULE_OF_VARIANTS][1:4] == [str(number), str(number), f"{sum(map(int, gains)):+}"]
    assert facts(app, "all") == ["▲ 9 of 10 · 90%", "▲ 7 of 10 · 70%", "= 5 of 10 · 50%"]
    press(app, "accept_all")

    assert [each.edits for each in line(workspace, sample)] == [0, number]
    assert RULE_OF_VARIANTS not in [row["id"] for row in drawn(app, "rules")["rows"]]
    assert "accept_all" not in [button.key for button in app.button]
    press(app, "accepted_undo")
    assert newest_version(workspace, sample.golden_id).number == 3
    assert len(listed(app)) == number


@pytest.mark.usefixtures("shown")
def test_without_a_name_nothing_is_decided():
    """A decision needs who made it: until there is a name that will do, the buttons are off."""
    app = curation("x\u202ey", rule=RULE_OF_VARIANTS)

    assert all(app.button(key=key).disabled for key in ("finding_accept", "finding_reject", "accept_all", "reject_all"))


def test_the_history_compares_exports_and_takes_back(sample, workspace):
    """The newest version is compared with the one before; it is there as a file, and it can be taken back."""
    accept(workspace, newest_version(workspace, sample.golden_id), edit("cash", FACT, "50 billion"), "Bo", "rounder")
    app = curation(curate="History")

    assert [row["cells"][3]["text"] for row in drawn(app, "versions")["rows"]] == ["rounder", "imported"]
    (change,) = drawn(app, "difference")["rows"]
    assert [cell["text"] for cell in change["cells"]][3] == "50 billion"
    press(app, "history_undo")
    assert line(workspace, sample)[-1].why == "takes back version 2: rounder"
    assert line(workspace, sample)[-1].golden_id == sample.golden_id


@pytest.mark.usefixtures("shown")
def test_a_golden_dataset_from_a_file_has_a_map_of_its_sources():
    """Where no triplet was generated, the view of documents lists the sources that the file names."""
    (first, *_) = drawn(curation(curate="Documents"), "sources")["rows"]
    assert "Form 10-Q" in first["cells"][0]["text"]
    assert "Andrew R. Jassy" in first["cells"][1]["text"]


def test_edits_by_hand_are_previewed_and_need_a_reason(sample, workspace):
    """A text that is edited in the table is previewed, and accepted with a reason and no rule."""
    app = curation(curate="Edit by hand")
    key = f"edit_1_{'|'.join(workspace.golden(sample.golden_id)[QUESTION_ID])}"
    app.session_state[key] = {"edited_rows": {6: {FACT: "billion"}}, "added_rows": [], "deleted_rows": []}
    app.run()
    assert facts(app, "by_hand")[2] == "▲ 6 of 10 · 60%"
    assert app.button(key="edit_accept").disabled
    app.text_input(key="edit_why").set_value("simpler").run()
    press(app, "edit_accept")

    newest = line(workspace, sample)[-1]
    assert (newest.number, newest.why) == (2, "simpler")
    assert kept_edits(workspace, newest.line).select(QUESTION_ID, "after", "rule").rows() == [("cash", "billion", None)]


def test_the_change_between_runs_is_split(sample, workspace):
    """Of two runs on two versions Compare says what of the change the golden dataset did, and what the pipelines."""
    variant = edit("cash", FACT, "50.1 billion<OR>50,067 million<OR>50.067 billion<OR>50.07 billion")
    version = accept(workspace, newest_version(workspace, sample.golden_id), variant, "Ana", "missing")
    later = save_rescored(sample, workspace, version.golden_id, "later")
    app = open_page("compare", run=later.run_id, against=sample.run_id)

    assert "57% to 60%: golden dataset +3.3 points, pipelines ±0.0 points" in texts(app)
