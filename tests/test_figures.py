"""Every figure that the benchmarks keep in docs/figures.json stands so in README and docs; README's Python runs."""

import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import qaviz
from benchmarks.figures import read_figures
from tests.judging.scripted import by_golden, judge_script
from tests.llm_server import serve

ROOT = Path(__file__).parents[1]
FIGURES = {name: kept["figures"] for name, kept in read_figures().items()}
FAMILIES = {
    "finance": "finance",
    "evouna": "evouna",
    "diver": "diver",
    "truthfulqa": "truthfulqa",
    "nq-judged": "nq-judged",
    "efficientqa": "efficientqa",
    "saf": "saf",
    "sas-zh": "sas-zh",
    "own": "own, written to mislead",
}
"""How docs/proof.md calls the families of the benchmark."""


def share(value: float, digits: int = 3) -> str:
    """`.829`, as a table has it."""
    return f"{value:.{digits}f}".removeprefix("0")


def write_sentences() -> Iterator[tuple[str, str, str]]:
    """The document, the benchmark, and the words that quote it."""
    decisions, unseen, pooled = (FIGURES[name] for name in ("decisions", "unseen", "pooled_shares"))
    decided = "of {decided} such decisions people confirm {confirmed}, agree in sign on {same_sign}, see {even} even"
    yield "README.md", "decisions", decided.format(**decisions) + f", and contradict {decisions['against']}"
    decided = (
        "People decide {people} pairs. Verdicts decide {decided}: {confirmed} are confirmed ({right}), {same_sign} have"
    )
    right = share(decisions["confirmed"] / decisions["decided"])
    yield "docs/proof.md", "decisions", decided.format(right=right, **decisions)
    yield "docs/proof.md", "decisions", f"People decide {decisions['people']} pairs."
    yield "docs/proof.md", "decisions", f"off by {decisions['off_points']:.1f} points on average over pipelines"
    yield "README.md", "unseen", f"{share(unseen['mean'])} on families of texts that the model was not fitted on"
    means = (share(unseen[name]) for name in ("mean", "error", "coverage"))
    yield (
        "docs/proof.md",
        "unseen",
        "The mean is {}, the mean calibration error {}, and {} of all rows are sure".format(*means),
    )
    for name, row in unseen["families"].items():
        cells = f"{row['rows']:,} | {share(row['accuracy'])} | {share(row['error'])} | {share(row['coverage'], 2)}"
        yield "docs/proof.md", "unseen", f"| {FAMILIES[name]} | {cells} |"
    off = f"off by {pooled['off_points']:.0f} points on average, up to {pooled['most_points']:.0f}, without labels"
    yield "README.md", "pooled_shares", off
    for labels, held in pooled["held"].items():
        if labels != "0":  # its least has more to say than a figure
            cells = f"| {labels} | {share(held['mean'])} | {share(held['least'])} |"
            yield "docs/proof.md", "pooled_shares", cells
    certificates = FIGURES["certificates"]
    least = min(certificates["held"].values())
    yield (
        "README.md",
        "certificates",
        f"kept in ≥ {share(int(least * 100) / 100, 2)} of {certificates['draws']:,} draws",
    )
    for held in certificates["held"].values():
        yield "docs/judging.md", "certificates", share(held)
    scoring = FIGURES["scoring"]
    yield "README.md", "scoring", f"{scoring['times']:.0f} times as fast on one core"
    words = f"{scoring['responses']:,} responses score in {scoring['seconds']:.1f} s and {scoring['gib']:.2f} GiB"
    yield "docs/reference.md", "scoring", words


@pytest.mark.parametrize(("document", "benchmark", "words"), list(write_sentences()))
def test_a_document_says_what_was_measured(document: str, benchmark: str, words: str):
    """The sentence stands in the document with the figures of the file."""
    assert words in " ".join((ROOT / document).read_text("utf-8").split()), f"benchmarks.{benchmark} measured: {words}"


def test_every_kept_figure_is_quoted():
    """No benchmark keeps figures that no document has, and each names its command."""
    assert {benchmark for _, benchmark, _ in write_sentences()} == set(FIGURES)
    for name, kept in read_figures().items():
        assert kept["command"].startswith(f"python -m benchmarks.{name}")


def test_readmes_python_prints_what_it_shows():
    """The five lines run, and print the lines below them."""
    code, output = re.findall(
        r"```python\n(.*?)```\n\n```\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
    )[0]
    names: dict[str, Any] = {}
    with redirect_stdout(StringIO()) as printed:
        exec(code, names)
    assert printed.getvalue() == output


def test_readme_is_short():
    """At most 900 words."""
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 900


def read_blocks(document: str) -> str:
    """The Python of a document."""
    return "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / "docs" / document).read_text("utf-8"), re.DOTALL))


def test_the_python_of_reading_prints_what_it_says(capsys: pytest.CaptureFixture[str]):
    """docs/reading.md's block prints what its comment shows."""
    code = read_blocks("reading.md")
    exec(code, {})
    assert capsys.readouterr().out.strip() == code.rpartition("# ")[2].strip()


def test_the_python_of_judging_grades_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """docs/judging.md's block, with a judge that is a script on loopback, grades every response that has a text."""
    sample = ROOT / "sample_data"
    names: dict[str, Any] = {"run": qaviz.evaluate(sample / "golden.jsonl", sample / "responses.jsonl")}
    monkeypatch.chdir(tmp_path)
    with serve(judge_script(by_golden)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        exec(read_blocks("judging.md").replace('caps=["5USD"]', 'caps=["100calls"]'), names)
    assert names["grades"].height == names["judged"].rows["response"].str.contains(r"\S").sum() == 29
