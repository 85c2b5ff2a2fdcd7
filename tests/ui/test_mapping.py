"""Load data: what columns are read as, and applied to the next file like it; sheets."""

import pytest

from tests.screen import drawn, open_page, texts
from tests.test_pages import file, labelled, map_columns, read_as, score_and_save, upload, wait_for_import

pytestmark = pytest.mark.usefixtures("served", "read_here")

GOLDEN = file("golden.csv", "Eins,Zwei,Drei\nq,a,n\n")
RESPONSES = file("responses.csv", "question,P1\nq,a\n")


def test_what_was_said_of_a_file_is_said_of_the_next_of_its_name(served):
    """A mapping of an import is applied, without a click, to the next file of that name with the same columns, which
    becomes a run; not to one that lacks a column of it."""
    app = map_columns(upload(open_page("load"), GOLDEN, RESPONSES), Eins="question", Zwei="answer")
    score_and_save(app, "June")
    other = upload(open_page("load"), file("golden.csv", "Zwei,more,Eins\na,n,q\n"), RESPONSES)
    assert read_as(other, "Zwei") == "answer"
    score_and_save(other, "July")
    assert [served.golden(run.golden_id)["answer"].to_list() for run in served.runs()] == [["a"], ["a"]]

    assert read_as(upload(open_page("load"), file("golden.csv", "Eins,more\nq,a\n")), "Eins") == "left out"


def test_edits_are_kept_while_other_files_stand_there():
    """What a person said of a file's columns is there again when the file comes back, also in another order; it is not
    said of the other file."""
    app, edited = open_page("load"), file("b.csv", "question,Sieben,Acht\nq,a,n\n")
    map_columns(upload(app, GOLDEN, edited), Eins="question", Zwei="answer", Sieben="response", Acht="left out")
    for others in ([], [RESPONSES, file("c.csv", "Eins,Neun\nq,a\n")]):
        upload(app, GOLDEN, *others)
        upload(app, *others, edited, GOLDEN)
        assert [read_as(app, name) for name in ("Sieben", "Acht")] == ["response", "left out"]

        upload(app, file("other.csv", "Vier,Fünf\nq,a\n"), edited)
        assert 'expected a column "question"' in texts(app)
        assert (read_as(app, "Vier"), read_as(app, "Fünf")) == ("left out",) * 2
        upload(app, GOLDEN, edited)
        assert [read_as(app, name) for name in ("Zwei", "Drei")] == ["answer", "left out"]


def test_a_conflict_is_named_and_the_form_stays():
    """Two columns with one word are named; the form stays, and nothing can be saved until one of them is changed."""
    app = upload(open_page("load"), file("g.csv", "id,nr,question,answer\n7,8,q,a\n"), RESPONSES)
    labelled(app.text_input, "Name of the run").set_value("June").run()
    map_columns(app, id="source")
    map_columns(app, nr="source")
    assert "expected one column a word" in texts(app)
    assert labelled(app.button, "Score and save").disabled
    assert labelled(app.text_input, "Name of the run").value == "June"


def test_two_readings_are_shown_and_one_is_taken(served):
    """A table in doubt shows both readings; the one that is taken is remembered for the next file of its layout."""
    rows = "".join(f"What is {n}?,It is Name{n},Name{n},I think it is Name{n}\n" for n in range(4))
    content = f"question,ground_truth,pred,generated_text\n{rows}"
    app = upload(open_page("load"), file("p.csv", content))
    assert labelled(app.button, "Score and save").disabled
    labelled(app.button, "Reading 2").click().run()
    assert [read_as(app, name) for name in ("pred", "generated_text")] == ["left out", "response"]
    app.file_uploader[0].set_value([file("next.csv", content)])
    assert read_as(app.run(), "generated_text") == "response"
    score_and_save(app, "June")
    assert [run.pipelines for run in served.runs()] == [("next",)]


def test_what_was_typed_stays_when_something_is_refused(served):
    """A refused import leaves name, thresholds and the choice on near questions as they were; then the good rows
    are loaded, and the button says how many are not."""
    rows = "".join(f"q{number},a\n" for number in range(8))
    app = upload(open_page("load"), file("golden.csv", f"question,answer\n{rows},b\n,c\n"), RESPONSES)
    app.toggle(key="import_near").set_value(True)
    app.number_input(key="import_high_closeness").set_value(0.4)
    upload(app, file("golden.csv", f"question,answer\nq,a\n{rows},b\n,c\n"), RESPONSES)
    score_and_save(app, "June 12")

    assert served.runs() == []
    assert labelled(app.text_input, "Name of the run").value == "June 12"
    assert app.toggle(key="import_near").value
    assert app.number_input(key="import_high_closeness").value == 0.4
    labelled(app.button, "Load the good rows, list the other 2").click().run()
    wait_for_import(app)
    assert served.runs() == []
    assert "8 of 9 responses are not there" in texts(app)
    labelled(app.button, "Save it all the same").click().run()
    wait_for_import(app)
    (run,) = served.runs()
    assert (run.name, run.thresholds.high_closeness, run.listed_counts["bad row"]) == ("June 12", 0.4, 2)


def test_another_runs_problems_are_not_shown_during_an_upload():
    """What loading listed of the last run goes as soon as other files are there."""
    app = upload(open_page("load"), file("g.csv", "question,answer\nq,a\nw,b\n"), RESPONSES)
    score_and_save(app, "June")
    assert drawn(app, "listed")["rows"]

    upload(app, file("other.csv", "question,answer\nx,a\n"))
    assert "Listed while loading" not in texts(app)


def test_near_questions_are_joined_with_a_persons_yes(served):
    """Questions that nearly are golden questions are joined once a person says so, and each is listed."""
    plant, harbour = "How many people work at the plant in Hamburg", "Who founded the harbour company"
    golden = f"question,answer\n{plant} today?,4\n{harbour} there?,A\n"
    asked = f"question,P1\n{plant}?,4\n{harbour}?,A\n"
    app = upload(open_page("load"), file("g.csv", golden), file("r.csv", asked))
    app.toggle(key="import_near").set_value(True).run()
    score_and_save(app, "June")
    (run,) = served.runs()
    assert (run.responses, run.listed_counts["near question"]) == (2, 2)


def test_a_later_file_is_added_to_a_run(served):
    """A file of another pipeline and a run become a new run with both; the old run stays as it was."""
    app = upload(open_page("load"), file("g.csv", "question,answer\nq,a\n"), RESPONSES)
    score_and_save(app, "June")
    app = open_page("load")
    adding = labelled(app.selectbox, "Add to a run")
    assert adding.options[1:] == ["June"]
    adding.select_index(1).run()
    app.file_uploader[0].set_value([file("later.csv", "question,P2\nq,b\n")])
    app.run()
    assert labelled(app.text_input, "Name of the run").value.startswith("June later ")
    score_and_save(app, "June with P2")

    both, before = served.runs()
    assert (both.name, both.pipelines, both.responses) == ("June with P2", ("P1", "P2"), 2)
    assert (before.name, before.pipelines) == ("June", ("P1",))


def test_where_golden_answers_differ_a_file_is_chosen(served):
    """Two golden answers to one question are a problem that a choice of the file that counts settles."""
    one, other = file("a.csv", "question,answer,P1\nq,a,a\n"), file("b.csv", "question,answer,P2\nq,b,b\n")
    app = upload(open_page("load"), one, other)
    score_and_save(app, "June")
    assert "to fix" in texts(app).lower()
    assert served.runs() == []
    labelled(app.selectbox, "Golden answers that count where files differ").select_index(2).run()
    score_and_save(app, "June")
    (run,) = served.runs()
    assert set(run.pipelines) == {"P1", "P2"}
    assert served.golden(run.golden_id)["answer"].to_list() == ["b"]


def test_the_questions_of_an_uploaded_golden_dataset_can_be_asked(monkeypatch, tmp_path):
    """A file with golden answers alone is what a pipeline is asked, with the mapping of its columns."""
    configured = tmp_path / "pipelines.toml"
    configured.write_text('[pipelines.p1]\nurl = "http://127.0.0.1:9/ask"\n', encoding="utf-8")
    monkeypatch.setenv("QAVIZ_PIPELINES", str(configured))
    app = map_columns(upload(open_page("load"), GOLDEN), Eins="question", Zwei="answer")
    assert "golden.csv" in texts(app)
    assert labelled(app.button, "Ask all questions")
    upload(app, GOLDEN, RESPONSES)
    assert not [button for button in app.button if button.label == "Ask all questions"]
