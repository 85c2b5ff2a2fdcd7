"""Text that would act if anything parsed it, and what it would leave behind."""

from pathlib import Path

from tests.browser.served import Collector, Screen
from tests.builders import write_jsonl

COLOUR_OF_STREAMLIT = "#000001"
"""Streamlit replaces this text by a colour wherever it stands in a chart."""


def hostile(url: str, where: str) -> str:
    """Text that markdown, HTML, plotly or Streamlit would act on, naming the field it stands in."""
    return (
        f"![x]({url}/md-{where}) <img src={url}/img-{where} onerror=document.title='hit'> [l]({url}/l) "
        f"<a href={url}/a>a</a> :red[r] {COLOUR_OF_STREAMLIT}"
    )


def short(url: str, where: str) -> str:
    """The same for a name, whose length is bounded."""
    return f"![x]({url}/{where}) <img src={url}/i{where}> {COLOUR_OF_STREAMLIT}"


def hostile_files(folder: Path, url: str) -> tuple[Path, Path]:
    """A golden dataset and responses with hostile text in every field. The last triplet has neither fact nor answer."""
    ids = [COLOUR_OF_STREAMLIT, short(url, "id"), "../../etc/passwd", "plain"]
    triplets = [
        {
            "question_id": each,
            "question": f"{place} {hostile(url, 'question')}",
            "answer": f"{place} {hostile(url, 'answer')}",
            "fact": f"{place} {hostile(url, 'fact')}<OR>second {hostile(url, 'variant')}",
            "category": short(url, f"category{place % 2}"),
            "source": hostile(url, "source"),
        }
        for place, each in enumerate(ids)
    ]
    triplets.append({"question_id": "bare", "question": hostile(url, "bare")})
    responses = [
        {
            "question_id": triplet["question_id"],
            "pipeline": short(url, f"pipeline{number}"),
            # A word more for each triplet, so that no point of the chart lies on another.
            "response": f"{hostile(url, f'response{number}')} {triplet.get('answer', '') * number} {' more' * place}",
        }
        for place, triplet in enumerate(triplets)
        for number in range(2)
    ]
    return write_jsonl(folder / "golden.jsonl", triplets), write_jsonl(folder / "responses.jsonl", responses)


POINTING_TO = """(url) => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap(
        (each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]
    );
    const attributes = ["src", "srcset", "href", "xlink:href", "onerror"];
    const points = (each) => attributes.some((name) => (each.getAttribute(name) ?? "").includes(url));
    return all(document).filter(points).map((each) => each.outerHTML.slice(0, 200));
}"""


def refuse_traces(screen: Screen, collector: Collector) -> None:
    """Fail if anything was fetched from the collector, leads to it, or ran."""
    assert screen.page.evaluate(POINTING_TO, collector.url) == []
    assert collector.asked == []
    assert "hit" not in screen.page.title()
