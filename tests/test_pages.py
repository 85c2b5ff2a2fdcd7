"""Every page through app.py: without a run, with one, and with what links and readers ask of it."""

import gc
import json
import time

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState

from qaviz.analysis.glossary import MEANINGS, WORDS
from qaviz.model.columns import RECALL
from qaviz.model.metrics import METRICS, QUADRANTS
from qaviz.ui.load_data import IMPORT
from tests.builders import SAMPLE, save_sample
from tests.fmeval_files import answer_row, fact_row, fmeval_file
from tests.screen import PAGES, SECONDS, drawn, link_of, mentions, open_page, texts

pytestmark = pytest.mark.page

GO_ON = ("golden?tab=Generate", "golden?tab=Review", "load")
"""Pages about no run: where the link names none that is there, they go on with the newest one."""
NEED_A_RUN = [page for page in PAGES if page not in GO_ON]
STRAY = json.dumps({"question_id": "no such question", "pipeline": "Pipeline1", "response": "x"}) + "\n"
CUT_OFF = '{"question": "q", "answer": "a"}\n{"question": "q", "answer"\n'


@pytest.mark.parametrize("page", NEED_A_RUN)
@pytest.mark.usefixtures("served")
def test_without_a_run_a_page_says_how_to_get_one(page):
    """An empty workspace leads to loading data rather than to an empty page."""
    app = open_page(page)

    assert not app.exception
    assert app.title[0].value == PAGES[page]
    assert "No run yet" in texts(app)
    assert [link.proto.page for link in app.get("page_link")] == ["load"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_on_the_run(shown, page):
    """Each page draws the run without an error, names it in the URL and in the sidebar, and speaks of no verification,
    as there was none. The panel *What is this?* is closed at first; opened, it has the catalogue's texts."""
    app = open_page(page)

    assert not app.exception
    assert app.title[0].value == PAGES[page]
    assert link_of(app)["run"] == [shown.run_id]
    assert app.sidebar.selectbox(key="run_picker").value == shown.run_id
    captions = [caption.value for caption in app.sidebar.caption]
    assert captions
    assert not any("verified" in caption for caption in captions)

    guide = METRICS[RECALL].guide
    assert guide.definition not in texts(app)
    app.session_state["what_is_this"] = True
    said = texts(app.run())
    assert all(words in said for words in (guide.definition, WORDS["judge"], QUADRANTS[0].reading))


HEADERS = {
    "board": {"Pipeline", "Right answers", "Closeness", "Conciseness"},
    "compare": {"Pipeline", "Difference", "p"},
}
"""Headers of the main tables that are words of the glossary."""
CALLED = {"Difference": "paired difference"}


@pytest.mark.parametrize("page", HEADERS)
@pytest.mark.usefixtures("shown")
def test_headers_are_explained_by_the_glossary(page):
    """Who rests on a header that is a word of the glossary reads what the glossary says of it."""
    meanings = {name.lower(): meaning for name, meaning in MEANINGS.items()}
    tables = (json.loads(each.proto.json or each.proto.mixed.json) for each in open_page(page).get("bidi_component"))
    columns = [column for table in tables for column in table.get("columns", []) if column["label"] in HEADERS[page]]

    assert {column["label"] for column in columns} == HEADERS[page]
    for column in columns:
        meaning = meanings[CALLED.get(column["label"], column["label"]).lower()]
        assert column["title"], column
        assert meaning in column["title"] or column["title"] in meaning, column


@pytest.mark.parametrize("named_by", ["run_id", "name"])
def test_a_link_opens_the_run_it_names(sample, served, named_by):
    """A link names a run by its id or its name, and it need not be the newest."""
    save_sample(served, name="newer")

    app = open_page(run=getattr(sample, named_by))

    assert app.sidebar.selectbox(key="run_picker").value == sample.run_id


@pytest.mark.parametrize("page", ["compare", "load", "runs"])
def test_a_link_to_a_run_that_is_gone_says_so(shown, page):
    """An unknown run is said to be unknown, with the way back, and nothing of another run is shown: on a page that
    needs a run, on one that goes on without, and on the list of those there are."""
    app = open_page(page, run="../*gone*")

    assert not app.exception
    assert 'no run "../*gone*"' in texts(app)
    if page == "runs":
        assert [row["cells"][0]["text"] for row in drawn(app, "runs")["rows"]] == [shown.name]
    elif page not in GO_ON:
        app.button[0].click().run()
    assert app.sidebar.selectbox(key="run_picker").value == shown.run_id


def test_the_picked_run_follows_from_page_to_page(sample, served):
    """A run picked on one page is open on the next, though Streamlit empties the URL in between."""
    save_sample(served, name="newer")
    app = open_page()

    app.sidebar.selectbox(key="run_picker").set_value(sample.run_id).run()
    app.query_params.clear()
    app.switch_page("pages/responses.py").run()

    assert app.sidebar.selectbox(key="run_picker").value == sample.run_id


def test_filters_follow_from_page_to_page(shown):
    """What is picked on one page is picked on the next: the menu empties the URL, the session fills it again. A URL
    with a run is complete: what it leaves out is not picked any more."""
    app = open_page("compare", text="rivian", cell="declined")

    app.query_params.clear()
    app.switch_page("pages/responses.py").run()

    assert app.text_input(key="filter_text").value == "rivian"
    assert link_of(app) == {"run": [shown.run_id], "text": ["rivian"], "cell": ["declined"]}

    app.query_params.clear()
    app.query_params["run"] = shown.run_id
    app.run()

    assert "30 responses" in texts(app)


def test_a_damaged_run_is_a_message(sample, served):
    """A run whose file is damaged says so, and the reader can pick another."""
    (served.folder / "runs" / f"{sample.run_id}.parquet").write_bytes(b"no parquet")

    app = open_page()

    assert not app.exception
    assert sample.name in texts(app)
    assert app.sidebar.selectbox(key="run_picker").value == sample.run_id


def test_the_sample_is_one_click_away(served):
    """An empty workspace offers the sample data, and opens it."""
    app = open_page("load")

    app.button[0].click().run()

    assert not app.exception
    assert [run.responses for run in served.runs()] == [30]
    assert "Saved: 30 responses to 10 questions scored." in texts(app)


def upload(app, *files):
    app.file_uploader[0].set_value(list(files))
    return app.run()


def labelled(elements, label):
    (found,) = (each for each in elements if each.label == label)
    return found


def map_columns(app, place=0, **words):
    """Say in the table of columns what these are; `place` counts the files that have such a column."""
    for column, word in words.items():
        table = column_tables(app, column)[place]
        edits = {str(list(table.value["Column"]).index(column)): {"Read as": word}}
        # AppTest knows no edits of a table: they are sent as the browser sends them.
        states = app._tree.get_widget_states()
        states.widgets.append(WidgetState(id=table.proto.id, string_value=json.dumps({"edited_rows": edits})))
        app._tree.get_widget_states = lambda states=states: states
        app.run()
    return app


def column_tables(app, column):
    """The tables of columns that have this one."""
    return [table for table in app.dataframe if "Read as" in table.value and column in list(table.value["Column"])]


def read_as(app, column, place=0):
    """What the table of columns says that a column is read as."""
    table = column_tables(app, column)[place].value
    return dict(zip(table["Column"], table["Read as"], strict=True))[column]


def score_and_save(app, name):
    """Score and save the files under this name, and wait for the page that says what came of it."""
    labelled(app.text_input, "Name of the run").set_value(name)
    labelled(app.button, "Score and save").click().run()
    return wait_for_import(app)


def wait_for_import(app):
    """The page once the import that goes on has ended."""
    until = time.monotonic() + SECONDS
    while IMPORT in app.session_state and time.monotonic() < until:
        running = app.session_state[IMPORT].job.running
        app.run()
        if not running:
            break
    return app


def file(name, content):
    return name, content.encode(), "text/plain"


def test_files_become_a_run(served):
    """Golden dataset and responses from the browser become a run under its name, with what loading listed."""
    app = upload(
        open_page("load"),
        file("golden.jsonl", (SAMPLE / "golden.jsonl").read_text("utf-8")),
        file("responses.jsonl", (SAMPLE / "responses.jsonl").read_text("utf-8") + STRAY),
    )
    score_and_save(app, "June")

    assert not app.exception
    (run,) = served.runs()
    assert (run.name, run.responses, run.sources) == ("June", 30, ("golden.jsonl", "responses.jsonl"))
    assert link_of(app)["run"] == [run.run_id]
    assert "unaligned (1)" in texts(app)
    assert "no such question" in str(drawn(app, "listed"))


def test_fmevals_own_output_becomes_a_run(served):
    """Files that FMEval wrote are recognised, keep their scores, and the run says whose they are; a
    sample is said on the board and listed on Load data."""
    facts = [fact_row(f"Question {number}?", "right", "right") for number in range(150)]
    answers = [answer_row(f"Question {number}?", "right", f"a{number}", f1_score=0.125) for number in range(100)]
    outputs = [fmeval_file("factual_knowledge_P.jsonl", *facts), fmeval_file("qa_accuracy_P.jsonl", *answers)]
    uploads = [(each.name, bytes(each.data), "text/plain") for each in outputs]
    app = upload(open_page("load"), *uploads)
    assert texts(app).count("FMEval's own output: its scores are kept") == 2

    score_and_save(app, "June")

    assert not app.exception
    (run,) = served.runs()
    assert (run.pipelines, run.responses) == (("P",), 150)
    assert served.rows(run, ["f1_score"])["f1_score"].drop_nulls().unique().to_list() == [0.125]
    assert mentions(str(drawn(app, "listed")), "QA Accuracy", 100, 150)
    assert r"by FMEval \(its own output\)" in texts(app)
    assert "its fixed sample of 100 or 300" in str(drawn(open_page("board"), "golden"))


@pytest.mark.usefixtures("read_here")
def test_many_problems_are_a_table(served):
    """A file with more problems than anyone reads as sentences still shows every one of them."""
    broken = '{"question": "q", "answer": "a"}\n' + '{"question": "q", "answer"\n' * 30
    app = upload(open_page("load"), file("golden.jsonl", broken), file("responses.jsonl", STRAY))
    score_and_save(app, "run")

    assert "30 problems to fix" in texts(app)
    shown = app.dataframe[-1].value
    assert shown["where"].to_list() == [f"golden.jsonl line {line}" for line in range(2, 32)]
    assert served.runs() == []


@pytest.mark.usefixtures("read_here")
@pytest.mark.parametrize(
    ("name", "golden", "problem"),
    [
        pytest.param("run", CUT_OFF, "golden.jsonl line 2", id="a line that is cut off"),
        pytest.param(" ", None, "name", id="no name"),
    ],
)
def test_problems_are_said_and_nothing_is_saved(served, name, golden, problem):
    """What a person can mend is said in words, all of it, and the workspace stays as it was."""
    sample = (SAMPLE / "golden.jsonl").read_text("utf-8")
    app = upload(
        open_page("load"),
        file("golden.jsonl", sample if golden is None else golden),
        file("responses.jsonl", (SAMPLE / "responses.jsonl").read_text("utf-8")),
    )
    if not labelled(app.button, "Score and save").disabled:
        score_and_save(app, name)

    assert not app.exception
    assert problem in texts(app)
    assert served.runs() == []


@pytest.mark.usefixtures("shown")
def test_garbage_collection_passes_over_modules():
    """Once the app has been open, what Streamlit collects after a rerun is a small part of all objects."""
    gc.unfreeze()  # tests/conftest.py froze what was there
    st.cache_resource.clear()
    assert not open_page().exception
    assert not open_page().exception
    assert len(gc.get_objects()) < gc.get_freeze_count() / 3
