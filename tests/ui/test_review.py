"""The page Review without a browser: risk, levels, progress, disagreements, what becomes of it."""

import pytest
from streamlit.testing.v1 import AppTest

from qaviz.review import Level, Likelihood
from qaviz.review.sample_review import NAME, import_sample_review
from qaviz.review.session import start_review
from qaviz.review.statement import state_review
from qaviz.store import reviews
from qaviz.store.golden_versions import named_datasets, versions
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE, save_sample
from tests.screen import drawn, open_named, press, texts


@pytest.fixture
def line(served: Workspace) -> str:
    """The sample's reviewed dataset in the workspace that the app serves."""
    import_sample_review(SAMPLE, served)
    return named_datasets(served)[NAME]


def opened(line: str, view: str = "", **more: str) -> AppTest:
    return open_named("golden?tab=Review", name="Mia", dataset=line, **({"review": view} if view else {}), **more)


def test_the_kept_risk_stands_there_and_a_new_one_needs_a_reason(workspace: Workspace, line: str):
    """The kept risk has who and why; another choice is kept only with a reason, and the earlier stays."""
    app = opened(line)
    assert "High risk, said Lea" in texts(app)
    app.segmented_control(key="likelihood_").set_value(Likelihood.FREQUENT).run()
    assert app.button(key="risk_keep").disabled
    app.text_input(key="risk_reason_").set_value("every traveller asks it").run()
    press(app, "risk_keep")
    assert [each.level for each in reviews.kept_risks(workspace, line)] == ["critical", "high"]
    assert reviews.kept_risks(workspace, line)[0].classified_by == "Mia"


def test_the_plan_is_drawn_without_the_rows_of_the_run(workspace: Workspace, served: Workspace):
    """*Risk and plan* is drawn again and again while the file of the run's rows is gone: none is read for it."""
    run = save_sample(served)
    app = open_named("golden?tab=Review&review=Risk+and+plan", name="Mia", run=run.run_id)
    (workspace.folder / "runs" / f"{run.run_id}.parquet").unlink()
    app.run()
    assert not app.exception
    assert "Choose a severity" in texts(app)


def test_progress_shows_the_statement_and_its_readers(workspace: Workspace, line: str):
    """The closed review is met by its corrections, which is said."""
    app = opened(line, "Progress and statement", session=reviews.review_sessions(workspace, line)[-1].session)
    said = drawn(app, "statement")
    assert "is met" in said["lead"]
    assert any("3 of the wrong ones are corrected" in each for each in said["points"])
    assert "2 triplets kept out" in str(drawn(app, "wrong_sources"))


def test_disagreements_are_listed_and_a_reader_decides_again(workspace: Workspace, line: str):
    """The page lists what each reader decided on an open triplet; one of them takes the decision back."""
    session = start_review(workspace, line, Level.HIGH, "Lea", readers=2, at_most=0.0).session
    for reader, action in (("Ana", reviews.ACCEPT), ("Mia", reviews.DELETE)):
        given = reviews.find_next_item(workspace, session, reader)
        assert given
        reviews.decide(workspace, session, given.item, reader, reviews.Decision(action=action))
    app = opened(line, "Progress and statement", session=session)
    assert {row["cells"][1]["text"] for row in drawn(app, "disagreements")["rows"]} == {"Ana", "Mia"}
    press(app, "take_back")
    assert len(state_review(workspace, session).questions) == 0
    assert len(reviews.all_decisions(workspace, session)) == 1


def test_what_is_settled_is_applied_from_the_page(workspace: Workspace, line: str):
    """One button makes the settled decisions a version."""
    session = start_review(workspace, line, Level.HIGH, "Lea", readers=1).session
    given = reviews.find_next_item(workspace, session, "Ana")
    assert given
    reviews.decide(workspace, session, given.item, "Ana", reviews.Decision(action=reviews.DELETE))
    before = len(versions(workspace, line))
    press(opened(line, "Progress and statement", session=session), "review_apply")
    assert len(versions(workspace, line)) == before + 1
