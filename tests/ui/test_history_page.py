"""The History page without a browser: no run, one, many; changed measurements, repeats, damaged files, and links."""

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.loading import Source, load
from qaviz.model.columns import FACT
from qaviz.model.records import Thresholds
from qaviz.scoring import score
from tests.builders import write_jsonl
from tests.screen import drawn, link_of, mentions, open_page, texts

FACTS = [f"{number} tonnes" for number in range(100, 140)]


@pytest.fixture
def save_run(served, tmp_path):
    """Saves a run in which each pipeline states as many of the FACTS, the first ones; `A · 2` is repeat 2 of A."""
    golden = write_jsonl(
        tmp_path / "golden.jsonl",
        [
            {
                "question_id": f"q{place}",
                "question": f"How heavy is load {place}?",
                "answer": f"It weighs {fact}.",
                "fact": fact,
                "category": "even" if place % 2 == 0 else "odd",
            }
            for place, fact in enumerate(FACTS)
        ],
    )

    def save(name, stated, *, engine="qaviz 1", other_golden=False):
        rows = [
            {
                "question_id": f"q{place}",
                "pipeline": base,
                "repeat": repeat,
                "response": fact if place < many else "Unknown.",
            }
            for pipeline, many in stated.items()
            for base, _, repeat in [pipeline.partition(" · ")]
            for place, fact in enumerate(FACTS)
        ]
        loaded = load(Source.of(golden), [Source.of(write_jsonl(tmp_path / "responses.jsonl", rows))])
        capitals = pl.col(FACT).str.to_uppercase() if other_golden else pl.col(FACT)
        return served.save(
            name,
            loaded.golden.with_columns(capitals),
            diagnose(score(loaded.rows.with_columns(capitals)), Thresholds()),
            thresholds=Thresholds(),
            engine=engine,
            sources=["responses.jsonl"],
            listed=loaded.listed,
        )

    return save


def lead_of(app):
    return drawn(app, "history")["lead"]


def steps_of(app):
    """The table run by run: of each run its name, what changed in the measurement, and each pipeline's word."""
    return [
        [
            row["cells"][0]["text"],
            row["cells"][1]["text"],
            *(cell.get("word") or cell["text"] for cell in row["cells"][2:]),
        ]
        for row in drawn(app, "steps")["rows"]
    ]


def test_one_run_is_no_history_yet(save_run):
    """With one run the page says that it starts at the second, and draws nothing."""
    save_run("June", {"A": 30, "B": 20})
    app = open_page("compare?tab=History")
    assert not app.exception
    assert "History starts at the second" in texts(app)
    assert not app.get("bidi_component") or "steps" not in [part.key for part in app.get("bidi_component")]


def test_a_link_names_metric_and_pipeline(save_run):
    """What a link picks is shown, what is not there is left out; another choice is written back to it."""
    save_run("June", {"A": 38, "B": 20})
    save_run("July", {"A": 12, "B": 20})
    app = open_page("compare?tab=History", follow="recall_over_words", pipeline=["A", "gone"])
    assert lead_of(app).startswith("Closeness of A fell by ")
    assert len(steps_of(app)[0]) == 3

    app.selectbox(key="pick_follow").set_value("declined").run()
    assert link_of(app)["follow"] == ["declined"]
    assert lead_of(app).startswith("Declined rate of A rose")


def test_a_fall_is_said_and_marked_newest_first(save_run):
    """The page leads with the newest change beyond noise; the table has every run, the newest first. A step opens
    Compare on its run, against the run before, of its pipeline; the first has none. A run on a golden dataset of
    another line is not compared, and the page says how many there are."""
    save_run("elsewhere", {"A": 38}, other_golden=True)
    _, july, august = (
        save_run(name, {"A": many, "B": 20}) for name, many in (("June", 38), ("July", 38), ("August", 12))
    )
    app = open_page("compare?tab=History")
    assert lead_of(app).startswith("Right answers of A fell by 65.0 points (")
    assert "between July (" in lead_of(app)
    assert steps_of(app)[0] == ["August", "as before", "fell beyond noise", "no change beyond noise"]
    assert [row[0] for row in steps_of(app)] == ["August", "July", "June"]
    newest, _, first = drawn(app, "steps")["rows"]
    assert newest["cells"][2]["href"] == f"compare?run={august.run_id}&against={july.run_id}&pipeline=A"
    assert "href" not in first["cells"][2]
    assert mentions(texts(app), "1 run", "another golden dataset")


def test_a_damaged_run_is_named_and_left_out(save_run, served):
    """A run whose file was changed is named with what to do; the others are shown."""
    broken = save_run("June", {"A": 38})
    save_run("July", {"A": 38})
    save_run("August", {"A": 38})
    file = next((served.folder / "runs").glob(f"{broken.run_id}.parquet"))
    file.write_bytes(file.read_bytes()[:-9])
    app = open_page("compare?tab=History")
    assert not app.exception
    assert 'the rows of the run "June"' in texts(app)
    assert [row[0] for row in steps_of(app)] == ["August", "July"]


def test_the_list_of_runs_tells_who_leads_and_since_when(save_run):
    """Each run has its leader with share and questions, equal ones are counted, and the leader's change
    from the run before leads to its questions; a run over another golden dataset has no run before."""
    save_run("June", {"A": 20, "B": 20, "C": 10})
    save_run("elsewhere", {"A": 5}, other_golden=True)
    save_run("July", {"A": 18, "C": 36, "D": 3})
    save_run("August", {"C": 36, "D": 38})
    rows = {row["cells"][0]["text"]: row["cells"][1:3] for row in drawn(open_page("runs"), "runs")["rows"]}
    assert rows["June"][0]["text"] == "A and 1 other, all equal"
    assert mentions(rows["June"][0]["note"], "50%", "n = 40")
    assert rows["June"][1]["text"] == rows["elsewhere"][1]["text"] == "first run"
    assert mentions(rows["elsewhere"][0]["note"], "12%", "n = 40")
    assert rows["July"][0]["text"] == "C"
    assert rows["July"][1]["difference"] == pytest.approx(26 / 40)
    assert "against=" in rows["July"][1]["href"]
    assert [cell["text"] for cell in rows["August"]] == ["D", "+87.5 points"]
