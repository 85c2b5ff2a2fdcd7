"""The 30-second test: four questions of a stakeholder, answered from the text of the first page alone."""

from qaviz.analysis.decision import decide, word_impact, word_verdict
from qaviz.model.records import Run
from qaviz.store.workspace import Workspace
from tests.screen import drawn, open_page, texts


def test_a_stakeholder_knows_in_thirty_seconds(sample: Run, served: Workspace):
    """What to ship, how sure that is, what the risk is, and what comes next stand in the decision's words on the first
    page, with a way to an example."""
    decision = decide(served.rows(sample), served.golden(sample.golden_id))
    app = open_page()
    page = texts(app)

    assert drawn(app, "decision")["lead"] == word_verdict(decision)
    assert decision.risk
    for words in (
        decision.confidence_reason,
        decision.risk.sentence,
        f"1. {decision.next_step}",
        decision.status_reason,
    ):
        assert words in page
    assert (word_impact(decision.subject, decision.impact) or "Nothing to compare with.") in page
    assert "See an example" in [button.label for button in app.button]


def test_deciding_otherwise_stands_on_the_card(sample: Run):
    """A name and a reason are asked for; with both the decision stands on the card, and can be taken back."""
    app = open_page("board", run=sample.run_id)
    app.session_state["override"] = True
    assert "Enter your name" in texts(app.run())
    next(field for field in app.text_input if field.label == "Your name").set_value("Ada").run()
    next(button for button in app.button if button.label == "Decide").click().run()
    assert "Write the reason" in str(app.error) + texts(app)

    app.text_area[0].set_value("It is cheaper.")
    next(box for box in app.selectbox if box.label == "Ship").set_value("Pipeline2")
    next(button for button in app.button if button.label == "Decide").click().run()
    assert "Overridden by Ada" in app.warning[0].value
    assert "ship Pipeline2" in app.warning[0].value
    next(button for button in app.button if button.label == "Follow the recommendation again").click().run()
    assert len(app.warning) == 0
