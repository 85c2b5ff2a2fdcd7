"""qaviz.ui.labels: people label responses one after the other, and how far they agree with the verdicts."""

import json

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from qaviz.analysis.outcomes import mark_sampled, random_order
from qaviz.loading import Source
from qaviz.loading.labels import read_labels
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, REASON, VERDICT
from qaviz.model.records import Run
from qaviz.store.labels import DRAWN, keep_labels, kept_labels
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets.person import NAME_FIELD
from tests.builders import SAMPLE
from tests.labelled_run import import_harbours
from tests.screen import drawn, leads_to, link_of, open_page, texts

LABELLING = "Label responses"
LABELS = SAMPLE / "labels.jsonl"


def named(name: str = "Ana", queue: str = "As listed", blind: str = "no", **params: str) -> AppTest:
    """The Diagnostics page with the panel open, and the reader's name given; usually as listed, with the verdicts."""
    return open_page("responses", name, labels=LABELLING, queue=queue, blind=blind, **params)


def press(app: AppTest, button: str) -> None:
    app.button(key=f"label_{button}").click().run()
    assert not app.exception


def labels_of(workspace, run):
    return kept_labels(workspace, run).select(QUESTION_ID, PIPELINE, LABEL, "labelled_by").rows()


def in_focus(app: AppTest) -> tuple[str, str]:
    """Question and pipeline of the response that is shown."""
    words = drawn(app, "words")
    return dict(words["triplet"]["notes"])["Id"], words["cards"][0]["pipeline"]


def test_agree_and_disagree_label_by_the_verdict(sample, workspace):
    """Agree gives the response its verdict, disagree the opposite; each is kept at once, with who, and leads on."""
    app = named(diagnosis="correct")
    first = in_focus(app)
    press(app, "Agree")
    second = in_focus(app)
    press(app, "Disagree")

    assert labels_of(workspace, sample) == [(*first, "correct", "Ana"), (*second, "incorrect", "Ana")]
    assert in_focus(app) not in (first, second)
    assert "Response 3 of 13" in texts(app)
    assert "Ana has labelled 2 of the run's 30" in texts(app)


@pytest.mark.parametrize("diagnosis", ["declined", "empty"])
def test_a_verdict_without_an_opposite_wants_the_label_itself(sample, workspace, diagnosis):
    """Who disagrees with `declined` or `unsure` says what the response is."""
    app = named(diagnosis=diagnosis)

    assert app.button(key="label_Disagree").disabled
    assert app.button(key="label_Agree").disabled is (diagnosis == "empty")
    press(app, "Incorrect")
    assert [label for *_, label, _ in labels_of(workspace, sample)] == ["incorrect"]


@pytest.mark.usefixtures("shown")
def test_without_a_name_nothing_can_be_labelled():
    """A label needs who gave it: until there is a name that will do, the buttons are off."""
    app = named("")
    for name in ("", "   ", "x\u202ey"):
        app.text_input(key=NAME_FIELD).set_value(name).run()
        assert all(app.button(key=f"label_{each}").disabled for each in ("Agree", "Disagree", "Correct", "undo"))

    app.text_input(key=NAME_FIELD).set_value("Ana").run()
    assert not app.button(key="label_Correct").disabled


def test_labels_are_blind_and_half_of_them_random_unless_asked_otherwise(sample, workspace):
    """From the decision's link the verdict is hidden until it is answered; the random half alone counts as a sample."""
    app = named(queue="", blind="")
    assert not any(component.key == "words" for component in app.get("bidi_component"))
    assert app.button(key="label_Agree").disabled
    for label in ("Correct", "Incorrect", "Correct", "Correct"):
        press(app, label)

    labels = kept_labels(workspace, sample)
    assert labels["drawn"].to_list()[:3] == [False, True, False]
    marked = mark_sampled(labels, workspace.rows(sample))
    assert marked.filter("drawn")["sampled"].all()
    press(app, "Previous")
    assert drawn(app, "words")["cards"][0]["diagnosis"]


def list_says(app: AppTest) -> str:
    """All that the list under the panel says, and its headers."""
    table = drawn(app, "responses")
    return json.dumps([table["columns"], table["rows"]], ensure_ascii=False)


def test_the_list_hides_diagnoses_from_who_labels_blind(sample, workspace):
    """Under the panel no diagnosis or reason is shown while verdicts are hidden, and a line says so."""
    reasons = [json.dumps(each, ensure_ascii=False)[1:-1] for each in workspace.rows(sample)[REASON].unique()]
    app = named(queue="", blind="")

    labels = [column["label"] for column in drawn(app, "responses")["columns"]]
    assert labels == ["Question", "Response", "Closeness, conciseness"]
    assert not any(each in list_says(app) for each in (*reasons, "Verdict:"))
    assert "No diagnoses in this list" in texts(app)


@pytest.mark.usefixtures("shown")
def test_the_list_follows_the_switch_and_the_view():
    """Who shows verdicts, or looks at the agreement, sees diagnoses in the list at once; turning back hides them."""
    app = named(blind="")
    assert "Verdict:" not in list_says(app)
    for wanted in (False, True):
        app.toggle(key="switch_blind").set_value(wanted).run()
        assert ("Verdict:" in list_says(app)) is not wanted
    assert "blind" not in link_of(app)

    assert "Verdict:" in list_says(open_page("responses", labels="Agreement"))
    assert "Verdict:" in list_says(open_page("responses"))


def test_a_comment_stays_with_its_label(sample, workspace):
    """What stands in the field is kept with the label; the next response has an empty field, going back shows it."""
    app = named()
    comment = next(field for field in app.text_input if field.label == "Comment")
    comment.set_value("the wrong year").run()
    press(app, "Incorrect")
    assert next(field for field in app.text_input if field.label == "Comment").value == ""

    assert kept_labels(workspace, sample)["comment"].to_list() == ["the wrong year"]
    press(app, "Previous")
    assert next(field for field in app.text_input if field.label == "Comment").value == "the wrong year"


@pytest.mark.usefixtures("sample")
def test_a_second_opinion_is_blind_to_the_first():
    """Bo sees neither verdict nor label before he answers, then both and her comment."""
    ana = named()
    next(field for field in ana.text_input if field.label == "Comment").set_value("half right").run()
    first = in_focus(ana)
    press(ana, "Incorrect")

    bo = named("Bo", blind="")
    assert not any(component.key == "panel_opinions" for component in bo.get("bidi_component"))
    press(bo, "Correct")
    press(bo, "Previous")
    assert drawn(bo, "panel_opinions")["points"] == ["Ana says incorrect: half right"]
    assert in_focus(bo) == first

    agreement = open_page("responses", labels="Agreement")
    (row,) = drawn(agreement, "people")["rows"]
    assert [cell["text"] for cell in row["cells"]][:2] == ["Ana and Bo", "1"]


@pytest.fixture
def run(served, tmp_path):
    """A run of 80 responses, the only one of the workspace that the app serves."""
    return import_harbours(served, tmp_path, "harbours")


def test_a_label_of_the_random_sample(workspace, run):
    """The board leads to the run's random order with the verdict hidden; a label is kept as drawn at random."""
    board = open_page("board", run=run.run_id)
    link = next(link for link in board.get("page_link") if link.proto.label == "Certify by your own labels")
    assert "queue=Random" in link.proto.query_string
    app = named(queue="Random", blind="", run=run.run_id)
    press(app, "Correct")
    kept = kept_labels(workspace, run)

    first = workspace.rows(run).select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String))[random_order(80)[0]]
    assert kept.select(QUESTION_ID, PIPELINE).rows() == first.rows()
    assert kept[DRAWN].to_list() == [True]
    assert [button.disabled for button in app.button if button.key in ("label_Agree", "label_Disagree")] == [True, True]


def test_the_panel_says_what_labels_certify(workspace, run):
    """Without a label none is certified; people who agree with all of 80 verdicts certify all."""
    before = drawn(open_page("board", run=run.run_id), "certificate")
    label = pl.col(VERDICT).cast(pl.String).alias(LABEL)
    keep_labels(workspace, run, "Ann", workspace.rows(run).select(QUESTION_ID, PIPELINE, label))
    lead = drawn(open_page("board", run=run.run_id), "certificate")["lead"]

    assert before["lead"].startswith("Not certified")
    assert lead.startswith("100% graded automatically, at most 10% of them wrong, with 90% confidence")


def sample_labels():
    return read_labels(Source.of(LABELS), lambda *_: None)


@pytest.fixture
def labelled(sample: Run, workspace: Workspace) -> Run:
    """The sample run with the sample's labels, as a file brings them."""
    keep_labels(workspace, sample, "labels.jsonl", sample_labels())
    return sample


def agreement_view(**params: str) -> AppTest:
    app = open_page("responses", labels="Agreement", **params)
    assert not app.exception
    return app


@pytest.mark.usefixtures("shown")
def test_without_labels_the_panel_says_how_to_get_some():
    """A run that nobody has labelled has no figures, but the way to them."""
    assert "No response of this run is labelled yet" in texts(agreement_view())


@pytest.mark.usefixtures("labelled")
def test_the_figures_are_those_of_the_labels():
    """Share, matrix and list count the same responses: the verdict is the label, or it is listed as another. Of
    pipelines, the one with the verdict that people reject stands first."""
    app = agreement_view()

    rows, columns = (drawn(app, "confusion")[part] for part in ("rows", "columns"))
    verdicts = [column["label"].removeprefix("Verdict: ") for column in columns]
    agreed = sum(int(row["cells"][verdicts.index(row["cells"][0]["text"])]["text"]) for row in rows)
    assert 25 <= agreed < 30
    assert drawn(app, "agreement")["lead"].startswith(f"People agree with {agreed / 30:.0%} (")
    assert drawn(app, "agreement")["points"][0].startswith("30 of 30 responses labelled")
    rows = drawn(app, "disagreements")["rows"]
    assert len(rows) == 30 - agreed
    assert leads_to(rows[0])["question"]
    counts = [row["cells"][1]["text"] for row in drawn(app, "agreement_pipeline")["rows"]]
    assert len(counts) == 3
    assert counts == sorted(counts, key=lambda text: int(text.split(" of ")[0]))
    assert drawn(app, "agreement_category")["rows"]


def test_labels_of_one_person(labelled, workspace):
    """Picking a person shows the agreement with their labels alone; taking back removes what they said last."""
    keep_labels(workspace, labelled, "Ana", sample_labels().head(4))
    app = agreement_view()
    people = app.selectbox(key=f"labels_by_{labelled.run_id}")
    assert people.options == ["Everybody · 34", "labels.jsonl · 30", "Ana · 4"]

    people.set_value("Ana").run()
    assert drawn(app, "agreement")["points"][0].startswith("4 of 30 responses labelled")

    app.button(key="labels_undo").click().run()
    assert not app.exception
    assert kept_labels(workspace, labelled)["labelled_by"].unique().to_list() == ["labels.jsonl"]
    assert drawn(app, "agreement")["points"][0].startswith("30 of 30 responses labelled")
